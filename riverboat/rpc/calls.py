"""What happens around every call: waiting until the server is ready, errors, and one log line.

Garbage that does not decode as the request is refused as INVALID_ARGUMENT; gRPC itself would call it
INTERNAL.
"""

import asyncio
import re
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

import grpc
import structlog
from google.protobuf.message import DecodeError

from riverboat.errors import InvalidInput, RiverboatError
from riverboat.rpc.status import DETAILS_KEY, code_of, details_of, message_of

REQUEST_ID_KEY = "x-request-id"
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_UNGUARDED = ("/grpc.health.", "/grpc.reflection.")

log = structlog.get_logger()
Context = grpc.aio.ServicerContext[Any, Any]
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any] | None"  # subscripted for mypy only


class Undecodable:
    """Stands for a request that could not be decoded."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


class CallGuard(grpc.aio.ServerInterceptor):
    """Wraps every method of our services; health and reflection are left as they are."""

    def __init__(self, ready: asyncio.Event) -> None:
        self._ready = ready

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        """The method's handler with the guard around it."""
        handler = await continuation(handler_call_details)
        method = handler_call_details.method
        if handler is None or method.startswith(_UNGUARDED):
            return handler
        if handler.unary_unary:
            return grpc.unary_unary_rpc_method_handler(
                self._guard_unary(method, handler.unary_unary),
                request_deserializer=_lenient(handler.request_deserializer),
                response_serializer=handler.response_serializer,
            )
        if handler.unary_stream:
            return grpc.unary_stream_rpc_method_handler(
                self._guard_stream(method, handler.unary_stream),
                request_deserializer=_lenient(handler.request_deserializer),
                response_serializer=handler.response_serializer,
            )
        raise TypeError(f"{method}: streams of requests are not guarded yet")

    def _guard_unary(self, method: str, behaviour: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def guarded(request: Any, context: Context) -> Any:
            call = _Call(method, context)
            try:
                await self._ready.wait()
                _check_decoded(request)
                response = await behaviour(request, context)
                call.finish(grpc.StatusCode.OK)
                return response
            except BaseException as error:
                await call.fail(error)
                raise

        return guarded

    def _guard_stream(self, method: str, behaviour: Callable[..., Any]) -> Callable[..., AsyncIterator[Any]]:
        async def guarded(request: Any, context: Context) -> AsyncIterator[Any]:
            call = _Call(method, context)
            try:
                await self._ready.wait()
                _check_decoded(request)
                async for response in behaviour(request, context):
                    yield response
                call.finish(grpc.StatusCode.OK)
            except BaseException as error:
                await call.fail(error)
                raise

        return guarded


class _Call:
    """One call: its request id, its time, its end."""

    def __init__(self, method: str, context: Context) -> None:
        self._context = context
        self._method = method
        self._start = time.perf_counter()
        given = dict(context.invocation_metadata() or ()).get(REQUEST_ID_KEY, "")
        valid = isinstance(given, str) and _REQUEST_ID.fullmatch(given)
        self._id = str(given) if valid else uuid.uuid4().hex[:16]
        context.set_trailing_metadata(((REQUEST_ID_KEY, self._id),))

    def finish(self, code: grpc.StatusCode, **more: Any) -> None:
        milliseconds = round(1000 * (time.perf_counter() - self._start), 3)
        log.info(
            "call",
            method=self._method,
            code=code.name,
            ms=milliseconds,
            request_id=self._id,
            peer=self._context.peer(),
            **more,
        )

    async def fail(self, error: BaseException) -> None:
        """Log the end of a call that raised, and tell the client unless it is gone."""
        if isinstance(error, asyncio.CancelledError | GeneratorExit):
            left = self._context.time_remaining()
            late = left is not None and left <= 0
            self.finish(grpc.StatusCode.DEADLINE_EXCEEDED if late else grpc.StatusCode.CANCELLED)
        elif isinstance(error, RiverboatError):
            code, message = code_of(error), message_of(error)
            self.finish(code, error=message)
            trailing = ((REQUEST_ID_KEY, self._id), (DETAILS_KEY, details_of(error)))
            await self._context.abort(code, message, trailing)
        else:
            log.exception("bug", method=self._method, request_id=self._id)
            self.finish(grpc.StatusCode.INTERNAL)
            await self._context.abort(
                grpc.StatusCode.INTERNAL, f"a bug in the server; its log has more under request id {self._id}"
            )


def _check_decoded(request: Any) -> None:
    if isinstance(request, Undecodable):
        raise InvalidInput("", request.reason)


def _lenient(deserialize: Callable[[bytes], Any] | None) -> Callable[[bytes], Any]:
    """A deserialiser that returns `Undecodable` instead of raising."""

    def attempt(data: bytes) -> Any:
        try:
            return deserialize(data) if deserialize else data
        except DecodeError as error:
            return Undecodable(f"the {len(data):,} bytes of the request do not decode: {error}")

    return attempt
