"""The server that is checked: every call to it ends in time, and it is known which one was the last."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import grpc

from riverboat.rpc.connections import channels
from riverboat.rpc.connections.forwarding_channel import admin_metadata

_TRAINER = "/riverboat.trainer."  # whose admin calls need a token, if it has one
_OPTIONS = (("grpc.max_receive_message_length", 64 * 1024 * 1024), ("grpc.max_send_message_length", 64 * 1024 * 1024))
_LEAST_SECONDS = 0.01


class _Details(NamedTuple):
    """What gRPC wants to know about a call; its own class has no way to change one."""

    method: str
    timeout: float | None
    metadata: Any
    credentials: Any
    wait_for_ready: Any
    compression: Any


class _Timed(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
):
    """Gives every call what is left of the time, and remembers its method."""

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
    """What checks ask: a channel whose calls end with the check's time."""

    def __init__(self, channel: grpc.Channel, address: str, host_key: str = "") -> None:
        self._timed = _Timed(address)
        self.channel = grpc.intercept_channel(channel, self._timed)
        self.host_key = host_key  # of a game manager that has one

    @property
    def last_method(self) -> str:
        """The method that was called last."""
        return self._timed.last_method

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Calls in here end after `seconds` in all."""
        self._timed.end, self._timed.last_method = time.monotonic() + seconds, ""
        try:
            yield
        finally:
            self._timed.end = None


def open_channel(address: str) -> Any:
    """A channel that takes every answer a contract allows."""
    return channels.open_channel(address, _OPTIONS)


def listens(channel: grpc.Channel, seconds: float) -> bool:
    """Whether anybody answers within `seconds`."""
    try:
        grpc.channel_ready_future(channel).result(timeout=seconds)
    except grpc.FutureTimeoutError:
        return False
    return True
