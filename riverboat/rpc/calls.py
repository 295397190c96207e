"""What happens around every call: waiting until the server is ready, errors, and one log line.

Garbage that does not decode as the request is refused as INVALID_ARGUMENT; gRPC itself would call it
INTERNAL. Handlers are wrapped once, when they are registered: an interceptor would be asked anew for
every call, which costs a tenth of an empty call.
"""

import asyncio
import itertools
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from riverboat.errors import InvalidInput, RiverboatError
from riverboat.rpc.logs import log
from riverboat.rpc.status import DETAILS_KEY, code_of, details_of, message_of

REQUEST_ID_KEY = "x-request-id"
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_NEARLY_NO_TIME = 0.1  # seconds: a client whose time is up hangs up first, by its own clock
_PROCESS = secrets.token_hex(4)
_numbers = itertools.count(1)

Context = grpc.aio.ServicerContext[Any, Any]
Handlers = Mapping[str, Any]  # method names to grpc.RpcMethodHandler


class Undecodable:
    """Stands for a request that could not be decoded."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


class GuardedServer:
    """What a service is registered with: passes its handlers on to a server, with the guard around them."""

    def __init__(self, server: grpc.aio.Server, ready: asyncio.Event) -> None:
        self._server = server
        self._ready = ready

    def add_registered_method_handlers(self, service_name: str, method_handlers: Handlers) -> None:
        """Called by generated code with all methods of a service."""
        guarded = {name: self._guard(f"/{service_name}/{name}", handler) for name, handler in method_handlers.items()}
        self._server.add_registered_method_handlers(service_name, guarded)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service_name, guarded),))

    def add_generic_rpc_handlers(self, generic_rpc_handlers: Iterable[Any]) -> None:
        """Called by generated code as well, with the same methods in an older form: not needed."""

    def _guard(self, method: str, handler: Any) -> Any:
        if handler.request_streaming:
            raise TypeError(f"{method}: streams of requests are not guarded yet")
        options = {
            "request_deserializer": _lenient(handler.request_deserializer),
            "response_serializer": handler.response_serializer,
        }
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(self._guard_stream(method, handler.unary_stream), **options)
        return grpc.unary_unary_rpc_method_handler(self._guard_unary(method, handler.unary_unary), **options)

    def _guard_unary(self, method: str, behaviour: Callable[..., Awaitable[Any]]) -> Callable[..., Any]:
        async def guarded(request: Any, context: Context) -> Any:
            call = _Call(method, context)
            try:
                if not self._ready.is_set():
                    await self._ready.wait()
                _check_decoded(request)
                response = await behaviour(request, context)
            except BaseException as error:
                await call.fail(error)
                raise
            call.finish("OK")
            return response

        return guarded

    def _guard_stream(self, method: str, behaviour: Callable[..., AsyncIterator[Any]]) -> Callable[..., Any]:
        async def guarded(request: Any, context: Context) -> AsyncIterator[Any]:
            call = _Call(method, context)
            try:
                if not self._ready.is_set():
                    await self._ready.wait()
                _check_decoded(request)
                async for response in behaviour(request, context):
                    yield response
            except BaseException as error:
                await call.fail(error)
                raise
            call.finish("OK")

        return guarded


class _Call:
    """One call: its request id, its time, its end."""

    def __init__(self, method: str, context: Context) -> None:
        self._start = time.perf_counter()
        self._context = context
        self._method = method
        given = _given_id(context)
        self._id = given or f"{_PROCESS}-{next(_numbers):x}"
        if given:
            context.set_trailing_metadata(((REQUEST_ID_KEY, given),))

    def finish(self, code: str, **more: Any) -> None:
        """Log the end of the call, as soon as the answer is on its way."""
        milliseconds = round(1000 * (time.perf_counter() - self._start), 3)
        line = {"method": self._method, "code": code, "ms": milliseconds, "request_id": self._id, **more}
        asyncio.get_running_loop().call_soon(self._write, line)

    def _write(self, line: dict[str, Any]) -> None:
        log.info("call", **line, peer=self._context.peer())

    async def fail(self, error: BaseException) -> None:
        """Log the end of a call that raised, and tell the client unless it is gone."""
        if isinstance(error, asyncio.CancelledError | GeneratorExit):
            left = self._context.time_remaining()
            self.finish("DEADLINE_EXCEEDED" if left is not None and left < _NEARLY_NO_TIME else "CANCELLED")
        elif isinstance(error, RiverboatError):
            code, message = code_of(error), message_of(error)
            self.finish(code.name, error=message)
            trailing = ((REQUEST_ID_KEY, self._id), (DETAILS_KEY, details_of(error)))
            await self._context.abort(code, message, trailing)
        else:
            log.exception("bug", method=self._method, request_id=self._id)
            self.finish("INTERNAL")
            message = f"a bug in the server; its log has more under request id {self._id}"
            await self._context.abort(grpc.StatusCode.INTERNAL, message)


def _check_decoded(request: Any) -> None:
    if isinstance(request, Undecodable):
        raise InvalidInput("", request.reason)


def _given_id(context: Context) -> str | None:
    """The request id that the client sent, if it is a decent one."""
    for key, value in context.invocation_metadata() or ():
        if key == REQUEST_ID_KEY and isinstance(value, str) and _REQUEST_ID.fullmatch(value):
            return value
    return None


def _lenient(deserialize: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """A deserialiser that returns `Undecodable` instead of raising."""

    def attempt(data: bytes) -> Any:
        try:
            return deserialize(data)
        except DecodeError as error:
            return Undecodable(f"the {len(data):,} bytes of the request do not decode: {error}")

    return attempt
