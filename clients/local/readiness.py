"""The wait until a server is ready: it answers, its process has died, or time is up."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from queue import Empty, SimpleQueue

import grpc

from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.connections.problems import connection_problem

Say = Callable[[str], None]
# Functions that show the user the reason for a wait, and that change its text; either may raise to give up.
Waiting = Callable[[str], AbstractContextManager[Say]]

_CONNECT_SECONDS = 5
_ASK_SECONDS = 1
_PAUSE_SECONDS = 0.05
_SOON_SECONDS = 3  # a start that takes longer is explained


@contextmanager
def silently(_: str) -> Iterator[Say]:
    """Say nothing."""
    yield lambda _: None


def wait_until_ready(
    name: str,
    answers: Callable[[float], bool],
    check: Callable[[], None],
    say: Say,
    *,
    seconds: float,
    slow_start: Callable[[], str],
    hint: str = "",
) -> None:
    """Block until `answers(timeout)` is true; `name` is "the oracle".

    `check` raises if the process has ended; `slow_start` returns why a start takes long, or "". After `seconds`
    refuse, and add `hint`.
    """
    start, reason = time.monotonic(), None
    while True:
        check()
        if answers(_ASK_SECONDS):
            return
        waited = time.monotonic() - start
        if waited > seconds:
            raise Refused(f"{name} was not ready after {seconds} seconds{hint}")
        if waited > _SOON_SECONDS and reason is None:  # ask once: as soon as one kernel is compiled, all seem compiled
            reason = slow_start()
        say(f"waiting for {name}…" if reason is None else f"{name} is starting{f'; {reason}' if reason else ''}…")
        time.sleep(_PAUSE_SECONDS)


def check_connection(channel: grpc.Channel, address: str, refusal: str) -> None:
    """Refuse at once if no server listens at a channel's address; name the TLS problem if there is one."""
    states: SimpleQueue[grpc.ChannelConnectivity] = SimpleQueue()
    channel.subscribe(states.put, try_to_connect=True)
    give_up = time.monotonic() + _CONNECT_SECONDS
    try:
        while True:
            state = states.get(timeout=max(0, give_up - time.monotonic()))
            if state is grpc.ChannelConnectivity.READY:
                return
            if state is grpc.ChannelConnectivity.TRANSIENT_FAILURE:
                break
    except Empty:
        pass
    finally:
        channel.unsubscribe(states.put)
    raise Refused(connection_problem(channel, address) or refusal)
