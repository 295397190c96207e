"""Messages for a player's or spectator's loop, from several threads: views, keys, lines, advice."""

import os
import threading
import time
from dataclasses import dataclass
from queue import SimpleQueue
from typing import IO

import grpc

from riverboat.clients.analysis.explanation import Explanation
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import LOST
from riverboat.contracts.tables import Unreadable
from riverboat.tables.view import PublicUpdate, TableView

_RETRY_SECONDS = 0.5
_MOST_LINES = 100  # waiting in the inbox


@dataclass(frozen=True, slots=True)
class Seen:
    """A new view."""

    view: TableView


@dataclass(frozen=True, slots=True)
class Update:
    """A spectator's update, and when it came."""

    message: PublicUpdate
    since: float


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The connection is lost; it is being tried again."""


@dataclass(frozen=True, slots=True)
class Ended:
    """There will be no more views: the chair is free, the table is closed, or there was an error."""

    error: grpc.RpcError | None = None


@dataclass(frozen=True, slots=True)
class Typed:
    """Keys as they came, or a whole line; None when there is no more input."""

    text: str | None


@dataclass(frozen=True, slots=True)
class Advice:
    """An answer to the player's question: about a hand, about one decision of it, or (hand 0) at any time."""

    hand_number: int
    text: str
    action_number: int | None = None  # of the decision
    is_last: bool = True  # False for a report of progress


@dataclass(frozen=True, slots=True)
class PlaceTold:
    """Where the player stands in the tournament, in one line; "" for nothing to say."""

    text: str


@dataclass(frozen=True, slots=True)
class Studied:
    """An explanation of the player's decision, in practice; None where there can be none."""

    place: tuple[int, int]  # hand and action
    explanation: Explanation | None


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """The others have acted in a hand that is played again; `problem` is why they could not."""

    problem: str = ""


@dataclass(frozen=True, slots=True)
class Resized:
    """The terminal has a new size."""


Message = (
    Seen | Unreadable | Update | ConnectionLost | Ended | Typed | Advice | PlaceTold | Studied | Rehearsed | Resized
)
Inbox = SimpleQueue[Message]


def follow_views(link: GameManagerClient, token: str, inbox: Inbox) -> threading.Event:
    """Put every view of a chair into the inbox, through restarts of the server, until the event is set."""
    stop = threading.Event()
    threading.Thread(target=_follow, args=(link, token, inbox, stop), daemon=True).start()
    return stop


def _follow(link: GameManagerClient, token: str, inbox: Inbox, stop: threading.Event) -> None:
    while not stop.is_set():
        hung_up = threading.Event()
        try:
            for view in link.tables.views(token=token, until=hung_up):
                inbox.put(view if isinstance(view, Unreadable) else Seen(view))
            inbox.put(Ended())
            return
        except grpc.RpcError as error:
            if error.code() not in LOST:
                inbox.put(Ended(error))
                return
            inbox.put(ConnectionLost())
        except ValueError:  # the channel was closed: the command is ending
            return
        finally:
            hung_up.set()
        stop.wait(_RETRY_SECONDS)


def follow_lines(stream: IO[str], inbox: Inbox) -> None:
    """Put every line of the input into the inbox."""

    def read() -> None:
        for line in stream:
            while inbox.qsize() > _MOST_LINES:  # a script that writes faster than hands are played waits here
                time.sleep(_RETRY_SECONDS / 10)
            inbox.put(Typed(line.strip()))
        inbox.put(Typed(None))

    threading.Thread(target=read, daemon=True).start()


def follow_keys(descriptor: int, inbox: Inbox) -> None:
    """Put keys into the inbox as they are pressed."""

    def read() -> None:
        try:
            while keys := os.read(descriptor, 256):
                inbox.put(Typed(keys.decode(errors="replace")))
        except OSError:  # the terminal is gone
            pass
        inbox.put(Typed(None))

    threading.Thread(target=read, daemon=True).start()
