"""The server under check: calls have a deadline, and the last method called is remembered."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import grpc

from riverboat.rpc.connections import channels
from riverboat.rpc.connections.forwarding_channel import admin_metadata

_TRAINER = "/riverboat.trainer."  # its admin calls need a token, if it has one
_OPTIONS = (("grpc.max_receive_message_length", 64 * 1024 * 1024), ("grpc.max_send_message_length", 64 * 1024 * 1024))
_LEAST_SECONDS = 0.01


class _Details(NamedTuple):
    """A call's details; a copy, because gRPC's own class is immutable."""

    method: str
    timeout: float | None
    metadata: Any
    credentials: Any
    wait_for_ready: Any
    compression: Any


class _DeadlineInterceptor(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
):
    """Gives every call the remaining time as its deadline, and remembers its method."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.end: float | None = None
        self.last_method = ""

    def _pass_on(self, continuation: Callable[[Any, Any], Any], details: Any, request: Any) -> Any:
        self.last_method = str(details.method).rpartition("/")[2]
        timeout = details.timeout
        if self.end is not None:
            left = max(_LEAST_SECONDS, self.end - time.monotonic())
            timeout = left if timeout is None else min(left, timeout)
        more = (details.credentials, details.wait_for_ready, details.compression)
        metadata = (
            *(details.metadata or ()),
            *(admin_metadata(self._address) if _TRAINER in str(details.method) else ()),
        )
        return continuation(_Details(details.method, timeout, metadata, *more), request)

    intercept_unary_unary: Any = _pass_on
    intercept_unary_stream: Any = _pass_on
    intercept_stream_unary: Any = _pass_on
    intercept_stream_stream: Any = _pass_on


class Server:
    """A channel whose calls end when the check's time runs out."""

    def __init__(self, channel: grpc.Channel, address: str, host_key: str = "") -> None:
        self._deadline = _DeadlineInterceptor(address)
        self.channel = grpc.intercept_channel(channel, self._deadline)
        self.host_key = host_key  # for a game manager that has one

    @property
    def last_method(self) -> str:
        """The last method called."""
        return self._deadline.last_method

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Give all calls in this block `seconds` together."""
        self._deadline.end, self._deadline.last_method = time.monotonic() + seconds, ""
        try:
            yield
        finally:
            self._deadline.end = None


def open_channel(address: str) -> Any:
    """Return a channel that takes the largest answer of any contract."""
    return channels.open_channel(address, _OPTIONS)


def listens(channel: grpc.Channel, seconds: float) -> bool:
    """Return whether a server accepts the connection within `seconds`."""
    try:
        grpc.channel_ready_future(channel).result(timeout=seconds)
    except grpc.FutureTimeoutError:
        return False
    return True
