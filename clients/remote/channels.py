"""Channels to services, with the options that each contract needs. They reconnect by themselves."""

from collections.abc import Sequence
from typing import Any

import grpc

from riverboat.rpc.connections.channels import open_aio_channel, open_channel

_RECONNECT = (("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 2000))
_GAME_OPTIONS = (
    *_RECONNECT,
    ("grpc.min_reconnect_backoff_ms", 1000),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 330_000),  # a server may hang up on a client that pings more often than every 5 minutes
)
_RESOLVER_OPTIONS = (*_RECONNECT, ("grpc.max_receive_message_length", 64 * 1024 * 1024))


def open_game_channel(server: str) -> Any:
    """Return an asynchronous channel to a game manager."""
    return open_aio_channel(server, _GAME_OPTIONS)


def open_resolver_channel(server: str) -> Any:
    """Return a channel to a resolver."""
    return open_channel(server, _RESOLVER_OPTIONS)


def is_answered(
    call: Any, request: Any, timeout: float, absent: Sequence[grpc.StatusCode] = (grpc.StatusCode.DEADLINE_EXCEEDED,)
) -> bool:
    """Return whether a server answers a cheap request within `timeout` seconds; `absent` are the codes that say no."""
    try:
        call(request, timeout=timeout, wait_for_ready=True)
    except grpc.RpcError as error:
        if error.code() in absent:
            return False
        raise
    return True
