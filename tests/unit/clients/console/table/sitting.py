"""A player or spectator at a real table without a server: each key, and the screen after it."""

import io
import re
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from queue import Empty
from types import SimpleNamespace
from typing import Any
from unittest import mock

import grpc
from rich.console import Console

from riverboat.cards import format_cards
from riverboat.clients.console.table import session as session_module
from riverboat.clients.console.table.inbox import Advice, ConnectionLost, Ended, Message, Seen, Typed, Update
from riverboat.clients.console.table.keystrokes import Typing
from riverboat.clients.console.table.screen_display import ScreenDisplay
from riverboat.clients.console.table.session import Session, TakenChair
from riverboat.clients.console.table.spectator import Spectator
from riverboat.clients.console.table.watcher import Watcher
from riverboat.clients.console.views.text import cards_words
from riverboat.clients.remote.refusals import Refused
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.tables import decode_decision, encode_records
from riverboat.tables.entries import HandFinished
from riverboat.tables.events import Closing, Left
from riverboat.tables.records import hand_records
from riverboat.tables.table import Table
from riverboat.tables.view import TableView, info_of
from tests.unit.clients.console.table.tables import SEED, apply, deal, play, typed, update, view

NAMES = {"\n": "Enter", "\x1b": "Esc", "\x7f": "Backspace", " ": "space"}
DEAL, CLOSE, TIME_UP = "the next hand", "the table is closed", "the time to buy chips is up"
AWAY, BACK = "the server goes away", "the server is back"


class Script:
    """An inbox that gives the next key when everything else was handled, and keeps the screen before it."""

    def __init__(self, steps: Sequence[str]) -> None:
        self.messages: deque[Message] = deque()
        self.frames: list[str] = []
        self.display: ScreenDisplay | None = None
        self.happenings: dict[str, Callable[[], None]] = {}
        self._steps = deque(steps)

    def put(self, message: Message) -> None:
        self.messages.append(message)

    def get(self, timeout: float) -> Message:
        if self.messages:
            return self.messages.popleft()
        if not timeout:  # not everything is handled yet
            raise Empty
        self.keep()
        assert self._steps, "the player does not leave"
        step = self._steps.popleft()
        happening = self.happenings.get(step)
        self.frames.append(f"### {step if happening else ' '.join(NAMES.get(key, key) for key in step)}")
        if happening:
            happening()
            raise Empty
        return Typed(step)

    def keep(self) -> None:
        assert self.display
        self.frames.append(screen_text(self.display))


def screen_text(display: ScreenDisplay) -> str:
    """Return the screen with fixed seconds, which do not depend on the machine's load."""
    text = "\n".join(line.plain.rstrip() for line in display.lines())
    return re.sub(r"\(\d+ s left\)", "(24 s left)", re.sub(r"in \d+ s you", "in 30 s you", text))


class Unavailable(grpc.RpcError):
    """The error of a call that no server answers."""

    def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.UNAVAILABLE


class Tables:
    """A chair's calls, answered by a table; the other players follow a list of actions."""

    def __init__(self, table: Table, chair: int, others: Sequence[int], script: Script) -> None:
        self._table, self._chair, self._script = table, chair, script
        self._others = deque(others)
        self._left = self._is_away = False
        self.request_ids: list[str] = []  # of all decisions received

    @property
    def happenings(self) -> dict[str, Callable[[], None]]:
        """The events that a sitting can have besides keys."""
        return {DEAL: self.deal, CLOSE: self.close, TIME_UP: self.remove, AWAY: self.go_away, BACK: self.come_back}

    def go_on(self) -> None:
        """Let the other players act until it is the player's turn again."""
        while self._others and self._table.is_in_hand and self._table.actor != self._chair:
            self._see()
            play(self._table, self._others.popleft())
        self._see()

    def deal(self) -> None:
        deal(self._table, SEED[::-1])
        self.go_on()

    def close(self) -> None:
        apply(self._table, [Closing()])
        self._see()

    def remove(self) -> None:
        apply(self._table, [Left(self._chair)])
        self._see()

    def go_away(self) -> None:
        self._is_away = True
        self._script.put(ConnectionLost())

    def come_back(self) -> None:
        self._is_away = False
        self._see()

    def _see(self) -> None:
        if not self._left:
            self._script.put(Seen(view(self._table, self._chair)))
        if (self._table.players[self._chair] is None or self._table.is_closed) and not self._left:
            self._left = True
            self._script.put(Ended())

    def TakeAction(self, request: pb.TakeActionRequest, timeout: float) -> None:  # noqa: N802
        self.request_ids.append(request.decision.request_id)
        if self._is_away:
            raise Unavailable
        decision = decode_decision(request.decision)
        apply(self._table, self._table.act(self._chair, decision.request_id, *decision.place, decision.action))
        self.go_on()

    def LeaveTable(self, request: pb.LeaveTableRequest, timeout: float) -> pb.LeaveTableResponse:  # noqa: N802
        if self._is_away:
            raise Unavailable
        if self._table.players[self._chair] is not None:
            apply(self._table, self._table.leave(self._chair, request.give_up))
        at_once = self._table.players[self._chair] is None
        if not at_once:
            self._see()
        return pb.LeaveTableResponse(at_once=at_once)

    def Rebuy(self, request: pb.RebuyRequest, timeout: float) -> pb.RebuyResponse:  # noqa: N802
        apply(self._table, self._table.rebuy(self._chair, request.chips))
        self._see()
        return pb.RebuyResponse(stack=self._table.player(self._chair).stack)

    def ListHands(self, request: pb.ListHandsRequest, timeout: float) -> pb.ListHandsResponse:  # noqa: N802
        return encode_records(hand_records(self._table, request.first_hand, request.hand_count))


class Oracle:
    """A fake that always gives the same answer."""

    def __init__(self, script: Script) -> None:
        self._script = script

    def ask(self, seen: TableView) -> None:
        holding = cards_words(format_cards(seen.holding))
        words = f"{holding} is nothing\n40.0 % of the pot against 1 opponent with random cards"
        self._script.put(Advice(seen.hand_number, words))


class Trainer:
    """A coach that knows no poker and answers at once."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._view: TableView | None = None
        self._over = 0  # number of the last finished hand

    def see(self, seen: TableView) -> None:
        self._view = seen
        if any(isinstance(entry, HandFinished) for entry in seen.entries):
            self._over = seen.hand_number

    is_busy = False

    def explain(self) -> str:
        assert self._view
        if self._view.public and self._view.public.player_count > 2:
            raise Refused("only two-player hands can be re-solved")
        hand, action = self._view.hand_number, self._view.action_number
        self._script.put(Advice(hand, "re-solving… 50 %", action, is_last=False))
        self._script.put(Advice(hand, "this was long ago", action - 1))
        self._script.put(Advice(hand, "how often: call 100 % (7)\nYou beat half of it. So do call.", action))
        return "about 5 s"

    def review(self) -> str:
        if not self._over:
            raise Refused("you have not finished a hand yet")
        self._script.put(Advice(0, f"hand {self._over}: 2 decisions, all fine"))
        return "about 5 s"


def sit(table: Table, chair: int, others: Sequence[int], steps: Sequence[str], height: int = 24) -> list[str]:
    """Return the screens of a sitting, each after a line with its keys, and the last words."""
    script = Script(steps)
    tables = Tables(table, chair, others, script)
    script.happenings = tables.happenings
    display = script.display = ScreenDisplay(
        Console(width=80, height=height, force_terminal=True, file=io.StringIO()), has_keys=True
    )
    link: Any = SimpleNamespace(tables=typed(tables), address="127.0.0.1:50052", is_own=False)
    place = TakenChair(link, info_of(table), chair, "token", None)
    helpers: Any = SimpleNamespace(adviser=Oracle(script), coach=Trainer(script), practice=None)
    parts: Any = (place, display, script, helpers, Typing(by_keys=True))
    session = Session(*parts)

    def follow(*_: object) -> mock.Mock:
        tables.deal() if not table.hand_count else tables.go_on()
        return mock.Mock()

    quickly = mock.patch.multiple(session_module, follow_views=follow, _TOO_QUICK_SECONDS=0.0)
    with quickly, redirect_stdout(io.StringIO()):
        session.run()
    left = [line.plain.rstrip() for line in display.farewell()]
    return [*script.frames, "### the end", "\n".join([*left, *session.summary()])]


def updates(table: Table, *actions: int, dealer: bool = True) -> list[Message]:
    """Return a spectator's updates of a hand, action by action."""
    first = table.log.end
    deal(table)
    messages: list[Message] = [Update(update(table, first, dealer), time.monotonic())]
    for action in actions:
        first = table.log.end
        play(table, action)
        messages.append(Update(update(table, first, dealer), time.monotonic()))
    return messages


def look_on(table: Table, messages: list[Message], keys: list[str]) -> tuple[list[str], int]:
    """Return the screens, each after its keys, and how many updates were taken from the queue."""
    script = Script(keys)
    display = script.display = ScreenDisplay(
        Console(width=80, height=24, force_terminal=True, file=io.StringIO()), has_keys=True
    )
    script.messages.extend(messages)
    inbox: Any = script
    room = list[int]()
    with redirect_stdout(io.StringIO()):
        Spectator(Watcher(info_of(table), display), display, inbox, 0.0, True).run(lambda: room.append(1))
    return script.frames, len(room)


def story(lines: Sequence[str]) -> str:
    """Return the text as the golden file has it."""
    return "\n\n".join(lines) + "\n"
