"""The guard around every call: it waits until the server is ready, maps errors, applies limits and logs a line.

Bytes that do not decode as the request are refused as INVALID_ARGUMENT; gRPC itself would answer INTERNAL or UNKNOWN.
Handlers are wrapped once, when they are registered: an interceptor runs for every call, which costs a tenth of an empty
call.
"""

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from riverboat.errors import InvalidInput, RiverboatError, TooLarge
from riverboat.rpc.logs import log
from riverboat.rpc.observers import Begin, Observer
from riverboat.rpc.passed_metadata import (
    REQUEST_ID_KEY,
    TRACE_KEY,
    is_request_id,
    is_trace_parent,
    new_id,
    request_id,
    trace_parent,
)
from riverboat.rpc.status import DETAILS_KEY, code_of, details_of, message_of
from riverboat.rpc.streams import Streams

_NEARLY_NO_TIME = 0.1  # seconds, so that a client whose deadline passes hangs up first, by its own clock
_SEND_SECONDS = 60  # how long a client may leave a message of a stream unread
_LARGE = 65_536  # bytes from which requests count towards the next limit
_MOST_LARGE_BYTES = 32 * 1024 * 1024  # of large requests at a time; decoded, they take many times as much memory

Context = grpc.aio.ServicerContext[Any, Any]
Handlers = Mapping[str, Any]  # method names to grpc.RpcMethodHandler
CallCheck = Callable[[Context], None]  # raises if a call is not allowed


@dataclass(frozen=True, slots=True)
class Watch:
    """Options of the guard beyond the defaults."""

    most_streams: int | None = None  # fewer than calls, so that short calls always find room
    client_streams: int | None = None  # of one client
    observers: tuple[Observer, ...] = ()
    checks: Mapping[str, CallCheck] = field(default_factory=dict)  # of permission, by the methods' full names


class _Request:
    """A decoded message and its size, or the error of decoding it."""

    __slots__ = ("message", "problem", "size")

    def __init__(self, message: Any, size: int, problem: RiverboatError | None) -> None:
        self.message = message
        self.size = size
        self.problem = problem


class GuardedServer:
    """A server to register services with: it passes their handlers on, with the guard around them.

    `ready` makes calls wait until it is set; without it (health, reflection) they neither wait nor fill the log.
    """

    _large_bytes = 0  # of all requests under way in this process

    def __init__(
        self,
        server: grpc.aio.Server,
        ready: asyncio.Event | None,
        watch: Watch | None = None,
        streams: Streams | None = None,
    ) -> None:
        self._server = server
        self._ready = ready
        self._watch = watch or Watch()
        self.streams = streams or Streams(self._watch.most_streams, self._watch.client_streams)

    def add_registered_method_handlers(self, service_name: str, method_handlers: Handlers) -> None:
        """Register all methods of a service; generated code calls this."""
        guarded = {name: self._guard(f"/{service_name}/{name}", handler) for name, handler in method_handlers.items()}
        self._server.add_registered_method_handlers(service_name, guarded)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service_name, guarded),))

    def add_generic_rpc_handlers(self, generic_rpc_handlers: Iterable[Any]) -> None:
        """Ignore the same methods in an older form, which generated code also passes."""

    def _guard(self, method: str, handler: Any) -> Any:
        requests, responses = handler.request_streaming, handler.response_streaming
        kind = f"{'stream' if requests else 'unary'}_{'stream' if responses else 'unary'}"
        behaviour = getattr(handler, kind)
        around = _Method(
            method,
            self._ready is None,
            tuple(observer.observe(method, requests or responses) for observer in self._watch.observers),
            self._watch.checks.get(method),
        )
        make = getattr(grpc, f"{kind}_rpc_method_handler")
        return make(
            (self._guard_stream if responses else self._guard_unary)(around, behaviour, requests),
            request_deserializer=_decoder(handler.request_deserializer),
            response_serializer=handler.response_serializer,
        )

    def _guard_unary(self, method: "_Method", behaviour: Callable[..., Any], requests: bool) -> Callable[..., Any]:
        async def guarded(request: Any, context: Context) -> Any:
            call = _Call(method, context)
            client = self.streams.begin(context) if requests else None
            try:
                if requests:
                    self.streams.check(client)
                if method.check:
                    method.check(context)
                if self._ready and not self._ready.is_set():
                    await self._ready.wait()
                response = await behaviour(_checked_stream(request) if requests else _checked(request), context)
            except BaseException as error:
                await call.fail(error)
                raise
            finally:
                if requests:
                    self.streams.end(client)
                _forget(request)
            call.finish("OK")
            return response

        return guarded

    def _guard_stream(self, method: "_Method", behaviour: Callable[..., Any], requests: bool) -> Callable[..., Any]:
        generates = inspect.isasyncgenfunction(behaviour)

        async def guarded(request: Any, context: Context) -> None:
            call = _Call(method, context)
            client = self.streams.begin(context)
            try:
                self.streams.check(client)
                if method.check:
                    method.check(context)
                if self._ready and not self._ready.is_set():
                    await self._ready.wait()
                checked = _checked_stream(request) if requests else _checked(request)
                if generates:
                    async for response in behaviour(checked, context):
                        await _send(context, response)
                else:
                    await behaviour(checked, context)  # it writes by itself
            except BaseException as error:
                await call.fail(error)
                raise
            finally:
                self.streams.end(client)
                _forget(request)
            call.finish("OK")

        return guarded


@dataclass(frozen=True, slots=True)
class _Method:
    """A method of a service, as the guard knows it before any call."""

    name: str
    is_quiet: bool
    begins: tuple[Begin, ...]
    check: CallCheck | None


class _Call:
    """One call: its request id, its time, its end."""

    def __init__(self, method: _Method, context: Context) -> None:
        self._start = time.perf_counter()
        self._context = context
        self._method = method.name
        self._log = log.debug if method.is_quiet else log.info
        self._peer = context.peer()  # read now: gRPC frees it when the call is over
        given, parent = _given(context)
        self._id = given or new_id()
        if given:
            context.set_trailing_metadata(((REQUEST_ID_KEY, given),))
        # Every call has its own task, and so its own context: the calls it makes carry its id.
        request_id.set(self._id)
        trace_parent.set(parent)
        self._ends = [begin(self._id, parent) for begin in method.begins]

    def finish(self, code: str, **more: Any) -> None:
        """Log the end of the call, as soon as the answer is on its way."""
        for end in self._ends:
            end(code)
        milliseconds = round(1000 * (time.perf_counter() - self._start), 3)
        line = {"method": self._method, "code": code, "ms": milliseconds, "request_id": self._id, "peer": self._peer}
        asyncio.get_running_loop().call_soon(lambda: self._log("call", **line, **more))

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
        elif isinstance(error, grpc.aio.AbortError):
            self.finish(self._context.code().name)
        elif isinstance(error, grpc.aio.InternalError):  # gRPC's own, where a client goes away while we write to it
            self.finish("CANCELLED")
            raise asyncio.CancelledError from None
        else:
            log.exception("bug", method=self._method, request_id=self._id)
            self.finish("INTERNAL")
            message = f"a bug in the server; its log has more under request id {self._id}"
            await self._context.abort(grpc.StatusCode.INTERNAL, message)


async def _send(context: Context, response: Any) -> None:
    """Write a message of a stream; a client that does not read for long loses the call."""
    try:
        async with asyncio.timeout(_SEND_SECONDS):  # not wait_for: in 3.11 it may swallow a cancellation
            await context.write(response)
    except TimeoutError:
        raise TooLarge(f"the client did not read for {_SEND_SECONDS} seconds, which is the limit") from None


def _checked(request: _Request) -> Any:
    """Return the message; raise if something is wrong with it."""
    if request.problem:
        raise request.problem
    return request.message


async def _checked_stream(requests: AsyncIterator[_Request]) -> AsyncIterator[Any]:
    async for request in requests:
        try:
            yield _checked(request)
        finally:
            _forget(request)


def _forget(request: Any) -> None:
    """Release the memory that is counted for a finished request."""
    if isinstance(request, _Request) and request.size:
        GuardedServer._large_bytes -= request.size
        request.size = 0


def _given(context: Context) -> tuple[str, str]:
    """Return the request id and the trace parent that the client sent, if they are well-formed."""
    given = parent = ""
    for key, value in context.invocation_metadata() or ():
        if key == REQUEST_ID_KEY and is_request_id(value):
            given = str(value)
        elif key == TRACE_KEY and is_trace_parent(value):
            parent = str(value)
    return given, parent


def _decoder(decode: Callable[[bytes], Any]) -> Callable[[bytes], _Request]:
    """Return a deserialiser that never raises, and refuses large requests while others fill the memory for them."""

    def attempt(data: bytes) -> _Request:
        size = len(data) if len(data) >= _LARGE else 0
        if size and GuardedServer._large_bytes + size > _MOST_LARGE_BYTES:
            limit = f"{_MOST_LARGE_BYTES:,} bytes of large requests at a time are the limit"
            return _Request(None, 0, TooLarge(f"{limit}: try again later"))
        try:
            message = decode(data)
        except DecodeError as error:
            problem = InvalidInput("", f"the {len(data):,} bytes of the request do not decode: {error}")
            return _Request(None, 0, problem)
        GuardedServer._large_bytes += size
        return _Request(message, size, None)

    return attempt
