"""Follow a stream through outages: the server continues the work meanwhile."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import grpc

from riverboat.clients.remote.refusals import LOST, Refused

_PATIENCE_SECONDS = 60
_AGAIN_SECONDS = 0.5

T = TypeVar("T")


def patiently(
    stream: Callable[[], Iterable[T]], *, server: str, what: str, again: str, say: Callable[[str], None]
) -> Iterator[T]:
    """Yield everything from a stream, opening it again each time the connection is lost.

    `server` is "the trainer at …", `what` is "the run", `again` is the command that follows it later ("" for none), and
    `say` tells the user when the server is gone and when it is back.
    """
    lost_since: float | None = None
    while True:
        try:
            for answer in stream():
                if lost_since is not None:
                    say(f"it is back, and {what} goes on")
                    lost_since = None
                yield answer
            return
        except grpc.RpcError as error:
            if error.code() not in LOST:
                raise
        if lost_since is None:
            lost_since = time.monotonic()
            say(f"{server} does not answer; waiting for it…")
        if time.monotonic() > lost_since + _PATIENCE_SECONDS:
            raise Refused(f"{server} no longer answers" + (f"; when it is back: {again}" if again else ""))
        time.sleep(_AGAIN_SECONDS)
