"""One way to reach a game manager that may be gone for a while."""

from typing import Any

import grpc
import numpy as np

from riverboat.rpc.connections.channels import open_aio_channel

# It answers no more, or not yet, or is too busy: trying again makes sense. Everything else is meant.
PASSING = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.INTERNAL,  # a connection that breaks in the middle of a message comes out as this
    grpc.StatusCode.UNKNOWN,
)
_OPTIONS = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1000),
    ("grpc.max_reconnect_backoff_ms", 2000),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 330_000),  # more often than every five minutes a server takes amiss
)
_FIRST_SECONDS, _MOST_SECONDS = 0.05, 3.0


def open_channel(server: str) -> Any:
    """A channel to a game manager, which connects again by itself."""
    return open_aio_channel(server, _OPTIONS)


class Backoff:
    """How long to wait before the next attempt: twice as long each time, and never quite the same."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng()
        self.failed_count = 0

    def reset(self) -> None:
        """It works again."""
        self.failed_count = 0

    def next_seconds(self) -> float:
        """After one more failure."""
        longest = min(_MOST_SECONDS, _FIRST_SECONDS * 2**self.failed_count)
        self.failed_count += 1
        return float(longest * self._rng.uniform(0.5, 1.0))
