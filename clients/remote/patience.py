"""Following something that goes on while nobody listens: a server that is away for a while is waited for."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import grpc

from riverboat.clients.console.views.output import err
from riverboat.clients.remote.refusals import Refused

_PATIENCE_SECONDS = 60
_AGAIN_SECONDS = 0.5
LOST = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED)

T = TypeVar("T")


def patiently(stream: Callable[[], Iterable[T]], server: str, what: str, again: str) -> Iterator[T]:
    """What a stream says to its end, opened again as often as it is lost.

    `server` is "the trainer at …", `what` is "the run", and `again` how to follow it later.
    """
    lost_since: float | None = None
    while True:
        try:
            for said in stream():
                if lost_since is not None:
                    err.print(f"it is back, and {what} goes on", markup=False, soft_wrap=True)
                    lost_since = None
                yield said
            return
        except grpc.RpcError as error:
            if error.code() not in LOST:
                raise
        if lost_since is None:
            lost_since = time.monotonic()
            err.print(f"{server} does not answer; waiting for it…", markup=False, soft_wrap=True)
        if time.monotonic() > lost_since + _PATIENCE_SECONDS:
            raise Refused(f"{server} does not answer any more" + (f"; when it is back: {again}" if again else ""))
        time.sleep(_AGAIN_SECONDS)
