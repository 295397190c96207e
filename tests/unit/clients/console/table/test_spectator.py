"""A spectator's screen: the order of events, and the keys."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from riverboat.clients.console.table.inbox import ConnectionLost, Ended, Message, Typed, Update
from riverboat.clients.console.table.line_display import LineDisplay
from riverboat.clients.console.table.spectator import Spectator
from riverboat.clients.console.table.watcher import Watcher, follow_updates
from riverboat.marks import fallback, partial
from riverboat.tables.records import HandRecord
from riverboat.tables.table import Table
from riverboat.tables.view import PublicUpdate, info_of
from tests.unit.clients.console.table.sitting import Script, look_on, updates
from tests.unit.clients.console.table.tables import deal, table_of, update


def agents() -> Table:
    return table_of("rollout", "random", "always-call", agents_only=True)


def test_paused_it_goes_step_by_step() -> None:
    table = agents()
    start, *later = updates(table, 300, 0, 0)
    frames, room = look_on(table, [start, Typed(" "), *later], ["n", "\x1b[C", " ", "x", "q"])
    assert room == 4
    screens = dict(zip(["", *frames[1::2]], frames[::2], strict=False))
    assert "paused, 3 more to come: space resumes, n shows the next" in screens[""]
    assert "rollout raises" not in screens[""]
    assert "paused, 2 more to come" in screens["### n"]
    assert "rollout raises to 300" in screens["### n"]
    assert "random calls" not in screens["### n"]
    assert "random calls 250" in frames[4]
    assert "paused, 1 more to come" in frames[4]
    assert "always-call calls 200" in screens["### space"]
    assert "paused" not in screens["### space"]
    assert screens["### space"].endswith("space pause   q leave")


def test_why_a_table_stands_still() -> None:
    table = agents()
    goes_on = update(deal(table), 0, True)
    waits = replace(goes_on, waits_for="the journal cannot be written")
    frames, _ = look_on(table, [Update(waits, time.monotonic())], ["q"])
    assert "the table is waiting: the journal cannot be written" in frames[0]
    frames, _ = look_on(table, [Update(waits, time.monotonic()), Update(goes_on, time.monotonic())], ["q"])
    assert "waiting" not in frames[-1]


def test_the_clock_is_that_of_now() -> None:
    table = agents()
    message = replace(update(deal(table), 0, True), time_left_ms=20_000)
    frames, _ = look_on(table, [Update(message, time.monotonic() - 5)], ["q"])
    assert "rollout to act (24 s left)" in frames[0], "seconds are made equal by the test; there is a clock"
    late = [
        replace(one, message=replace(one.message, time_left_ms=20_000))
        for one in updates(agents(), 300)
        if isinstance(one, Update)
    ]
    frames, _ = look_on(table, [late[0], Typed(" "), *late[1:]], ["q"])
    assert "left)" in frames[0]
    frames, _ = look_on(table, [Typed(" "), *late], ["n", "q"])
    assert "rollout to act\n" in frames[2], "its clock has stopped since"


def test_a_lost_connection_is_seen() -> None:
    table = agents()
    start, then = updates(table, 300)
    frames, _ = look_on(table, [start, ConnectionLost(), ConnectionLost()], ["q"])
    assert frames[0].count("connection lost; trying again") == 1
    frames, _ = look_on(table, [start, ConnectionLost(), then], ["q"])
    assert "connection lost" not in frames[0]


def test_when_the_table_is_closed_the_screen_stays_until_a_key() -> None:
    table = agents()
    frames, _ = look_on(table, [*updates(table, -1, -1), Ended()], [" ", " ", "q"])
    assert "result   an uncalled 50 goes back to always-call" in frames[-2]


def test_lines_end_with_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    table = agents()
    inbox: Any = Script([])
    inbox.messages.extend([*updates(table, -1, -1), Ended()])
    display = LineDisplay()
    Spectator(Watcher(info_of(table), display), display, inbox, 0.0, False).run(lambda: None)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "hand 1: random 10,000, always-call 10,000, rollout 10,000 (button)"
    assert "  rollout holds Qc Js" in lines
    assert lines[-1] == "  always-call wins 100"


def test_marks_are_told_with_the_end_of_the_hand(capsys: pytest.CaptureFixture[str]) -> None:
    for action, words in (
        (fallback(-1, "no resolver"), "rollout's decision (action 1) was a fallback: no resolver"),
        (partial(-1), "rollout's decision (action 1) was cut short by a deadline"),
    ):
        table = agents()
        inbox: Any = Script([])
        inbox.messages.extend([*updates(table, action, -1), Ended()])
        display = LineDisplay()
        Spectator(Watcher(info_of(table), display), display, inbox, 0.0, False).run(lambda: None)
        *before, last = capsys.readouterr().out.splitlines()
        assert last == f"  {words}"
        assert not [line for line in before if "decision" in line]
    table = agents()
    frames, _ = look_on(table, [*updates(table, fallback(-1, "no resolver"), -1), Ended()], ["q"])
    assert "folded, even, 1 fallback" in frames[0]


def test_hands_of_a_duplicate_match_come_late() -> None:
    """A spectator without the dealer token sees whole hands, and no state of the current one."""
    table = agents()
    played = updates(table, -1, -1)
    late: list[Message] = []
    for one in played:
        assert isinstance(one, Update)
        info = one.message.info
        info = replace(info, hand_count=7, config=replace(info.config, match_id="m", side_count=2))
        late.append(replace(one, message=replace(one.message, public=None, holdings=(), info=info)))
    frames, _ = look_on(table, late, ["q"])
    assert "hand 1 " in frames[0]
    assert "a hand is shown once all tables have played it" in frames[0]
    assert "+50" in frames[0]


def test_an_error_ends_it() -> None:
    table = agents()
    with pytest.raises(grpc.RpcError):
        look_on(table, [Ended(grpc.RpcError())], [])


def test_the_reader_does_not_run_away() -> None:
    table = agents()
    wanted = [one.message for one in updates(table, 300, 0, 0, 0, 0, 0) if isinstance(one, Update)]

    class Tables:
        def watch(self, **_: object) -> Iterator[PublicUpdate]:
            return iter(wanted)

        def hands(self, *_: object, **__: object) -> Iterator[HandRecord]:
            return iter(())

    link: Any = SimpleNamespace(tables=Tables())
    inbox: SimpleQueue[Message] = SimpleQueue()
    before = threading.active_count()
    has_room = follow_updates(link, info_of(table), "", inbox, room=2)
    got = [inbox.get(timeout=10) for _ in range(3)]
    time.sleep(0.1)
    assert inbox.empty(), "two are ahead, and one waits for room"
    while not isinstance(got[-1], Ended):
        has_room()
        got.append(inbox.get(timeout=10))
    assert [one.message for one in got if isinstance(one, Update)] == wanted
    give_up = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < give_up:
        time.sleep(0.01)
    assert threading.active_count() == before
