"""Tables as real processes: kills and restarts, Redis, and an audit of every byte sent."""

import json
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc
import pytest

from benchmarks.redis_server import redis_server
from riverboat.cards import DECKS, Deal, format_cards
from riverboat.dealing.record import DealRecord, problems, revealed_deal
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.convert.tables_client import decode_record
from riverboat.tables.evidence import deal_of
from tests.contract.test_tables import BUY_IN, CALL, FOLD, code_of, config, decide, join, view, wait_for_turn
from tests.processes import ServiceProcess, free_port, running

DECK = DECKS["52"]


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    """Yield a Redis for one test."""
    with redis_server(tmp_path, free_port()) as server:
        yield server.url


def manager_settings(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> dict[str, Any]:
    settings: dict[str, Any] = {"address": f"127.0.0.1:{free_port()}", "journal": str(tmp_path / "journal.jsonl")}
    if kind == "redis":
        settings["redis_url"] = request.getfixturevalue("redis_url")
    return settings


@pytest.mark.parametrize("kind", ["file", "redis"])
def test_killed_in_the_middle_of_a_hand_it_goes_on(tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> None:
    """SIGKILL again and again: the table continues from the last announced event, tokens stay valid."""
    settings = manager_settings(kind, tmp_path, request)
    tokens: list[str] = []
    table_id, seen = "", 0
    for life in range(4):
        with running("gamemanager", tmp_path, **settings) as process:
            process.wait_until_healthy()
            with grpc.insecure_channel(process.address) as channel:
                tables = TablesStub(channel)
                if not tokens:
                    created = tables.CreateTable(pb.CreateTableRequest(config=config(pause_ms=0)))
                    table_id = created.table.table_id
                    tokens = [join(tables, table_id, name) for name in ("ann", "bob", "cat")]
                events = next(tables.Watch(pb.WatchRequest(table_id=table_id), timeout=10)).events
                assert len(events) >= seen, "announced events are kept"
                for step in range(17):
                    token, current = wait_for_turn(tables, tokens)
                    raise_to = current.legal.min_raise_to
                    choice = (CALL, Action(raise_to=raise_to) if raise_to else CALL, CALL, FOLD)[(step + life) % 4]
                    if choice is FOLD and not current.legal.can_fold:
                        choice = CALL
                    decision = decide(current, choice)
                    tables.TakeAction(pb.TakeActionRequest(token=token, decision=decision))
                last = next(tables.Watch(pb.WatchRequest(table_id=table_id), timeout=10))
                seen = len(last.events)
                assert sum(chair.stack for chair in last.table.chairs) == 3 * BUY_IN
                hand, number = current.hand_number, current.action_number
            process.process.send_signal(signal.SIGKILL)
            process.process.wait(timeout=10)
    assert hand > 3
    assert number < 100


def test_without_redis_nothing_happens_and_nothing_is_lost(tmp_path: Path) -> None:
    """Redis is killed in the middle of a hand: actions are UNAVAILABLE until it is back, then the table continues."""
    port = free_port()
    redis = ExitStack()
    url = redis.enter_context(redis_server(tmp_path, port)).url
    with redis, running("gamemanager", tmp_path, redis_url=url) as process:
        process.wait_until_healthy()
        channel = grpc.insecure_channel(process.address)
        tables = TablesStub(channel)
        table_id = tables.CreateTable(pb.CreateTableRequest(config=config())).table.table_id
        tokens = [join(tables, table_id, name) for name in ("ann", "bob")]
        token, current = wait_for_turn(tables, tokens)
        redis.close()
        request = pb.TakeActionRequest(token=token, decision=decide(current, CALL))
        for _ in range(2):
            code, details = code_of(tables.TakeAction, request)
            assert code is grpc.StatusCode.UNAVAILABLE
            assert "journal" in details
        assert view(tables, token).action_number == current.action_number
        assert "its Redis does not answer" in view(tables, token).waits_for
        assert "127.0.0.1" not in details, "the message must not reveal the address of Redis"
        with redis_server(tmp_path, port):
            after = tables.TakeAction(request).view
            assert (after.action_number, after.waits_for) == (current.action_number + 1, "")
            token, current = wait_for_turn(tables, tokens)
            process.process.kill()
            process.process.wait(timeout=10)
            channel.close()
            with running("gamemanager", tmp_path, redis_url=url, address=process.address) as again:
                again.wait_until_healthy()
                with grpc.insecure_channel(again.address) as channel:
                    assert view(TablesStub(channel), token).action_number == current.action_number


def test_the_manager_that_was_started_last_has_the_journal(tmp_path: Path, redis_url: str) -> None:
    """A game manager that was thought dead cannot write to the journal any more."""
    with running("gamemanager", tmp_path, redis_url=redis_url) as old:
        old.wait_until_healthy()
        with grpc.insecure_channel(old.address) as channel:
            tables = TablesStub(channel)
            table_id = tables.CreateTable(pb.CreateTableRequest(config=config())).table.table_id
            with running("gamemanager", tmp_path, redis_url=redis_url) as new:
                new.wait_until_healthy()
                code, details = code_of(tables.JoinTable, pb.JoinTableRequest(table_id=table_id, name="ann"))
                assert code is grpc.StatusCode.UNAVAILABLE
                assert "another game manager" in details
                with grpc.insecure_channel(new.address) as other:
                    assert join(TablesStub(other), table_id, "ann")


def test_a_torn_last_line_was_never_announced(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"address": f"127.0.0.1:{free_port()}", "journal": str(tmp_path / "journal.jsonl")}
    with running("gamemanager", tmp_path, **settings) as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            tables = TablesStub(channel)
            table_id = tables.CreateTable(pb.CreateTableRequest(config=config())).table.table_id
            join(tables, table_id, "ann")
        process.process.kill()
        process.process.wait(timeout=10)
    with (tmp_path / "journal.jsonl").open("ab") as file:
        file.write(b'{"table": "x", "events": [{"kind": "Joi')
    with running("gamemanager", tmp_path, **settings) as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            (table,) = TablesStub(channel).ListTables(pb.ListTablesRequest()).tables
            assert [chair.name for chair in table.chairs] == ["ann"]


def test_two_managers_do_not_share_a_journal(tmp_path: Path) -> None:
    journal = str(tmp_path / "journal.jsonl")
    with running("gamemanager", tmp_path, journal=journal) as process:
        process.wait_until_healthy()
        with running("gamemanager", tmp_path, journal=journal) as second:
            assert second.process.wait(timeout=60) == 2
            assert second.log_lines()[-1].startswith("RIVERBOAT_GAMEMANAGER_JOURNAL: another process writes to")


class Recorder:
    """A player who keeps every byte received, with the cards known at that moment."""

    def __init__(self, process: ServiceProcess, token: str, hands: int) -> None:
        self.channel = grpc.insecure_channel(process.address)
        self.token, self.hands = token, hands
        self.frames: list[tuple[bytes, pb.View]] = []  # raw answers, and the cards known with them

    def run(self) -> None:
        requests: SimpleQueue[bytes | None] = SimpleQueue()
        requests.put(pb.PlayRequest(token=self.token).SerializeToString())
        raw: Any = self.channel.stream_stream("/riverboat.gamemanager.v1.Tables/Play")
        latest = pb.View()
        for data in raw(iter(requests.get, None), timeout=300):
            answer = pb.PlayResponse.FromString(data)
            if answer.WhichOneof("kind") == "refusal":
                self.frames.append((data, latest))
                continue
            latest = answer.view
            self.frames.append((data, latest))
            if len(self.frames) % 20 == 0:
                self._ask_otherwise(latest)
                requests.put(pb.PlayRequest(decision=pb.Decision(request_id="late")).SerializeToString())
            if latest.hand_number > self.hands or latest.status == pb.TABLE_STATUS_CLOSED:
                break
            if latest.is_your_turn:
                number = latest.hand_number + latest.action_number
                choice = FOLD if number % 5 == 0 and latest.legal.can_fold else CALL
                if number % 7 == 0 and latest.legal.min_raise_to:
                    choice = Action(raise_to=latest.legal.min_raise_to)
                requests.put(pb.PlayRequest(decision=decide(latest, choice)).SerializeToString())
        requests.put(None)

    def _ask_otherwise(self, seen: pb.View) -> None:
        """Keep the answers of unary calls in the middle of a hand."""
        get: Any = self.channel.unary_unary("/riverboat.gamemanager.v1.Tables/GetView")
        data = get(pb.GetViewRequest(token=self.token).SerializeToString(), timeout=60)
        self.frames.append((data, pb.GetViewResponse.FromString(data).view))
        hands: Any = self.channel.unary_unary("/riverboat.gamemanager.v1.Tables/ListHands")
        request = pb.ListHandsRequest(table_id=seen.table_id, first_hand=max(1, seen.hand_number))
        listed = hands(request.SerializeToString(), timeout=60)
        for record in pb.ListHandsResponse.FromString(listed).hands:
            assert record.events[-1].HasField("hand_ended"), "only finished hands are listed"
        take: Any = self.channel.unary_unary("/riverboat.gamemanager.v1.Tables/TakeAction")
        stale = pb.TakeActionRequest(token=self.token, decision=pb.Decision(request_id="late", action=CALL))
        with pytest.raises(grpc.RpcError) as caught:
            take(stale.SerializeToString(), timeout=60)
        self.frames.append((str(caught.value.details()).encode(), seen))


@pytest.mark.slow
def test_no_card_leaves_before_it_is_public_or_its_owner_s(tmp_path: Path) -> None:
    """Every byte sent to three players and a spectator over 1,000 hands, searched for cards.

    Before the end of a hand, a frame contains only the board so far and the player's own cards, and no seed. No frame
    contains another player's token.
    """
    hands = 1000
    with running("gamemanager", tmp_path, journal=str(tmp_path / "journal.jsonl")) as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            tables = TablesStub(channel)
            setup = config(pause_ms=0, hand_limit=hands, reveal=pb.REVEAL_ALL)
            created = tables.CreateTable(pb.CreateTableRequest(config=setup))
            table_id = created.table.table_id
            tokens = [join(tables, table_id, name) for name in ("ann", "bob", "cat")]
            recorders = [Recorder(process, token, hands) for token in tokens]
            threads = [threading.Thread(target=recorder.run) for recorder in recorders]
            for thread in threads:
                thread.start()
            watched = [
                update.SerializeToString() for update in tables.Watch(pb.WatchRequest(table_id=table_id), timeout=300)
            ]
            for thread in threads:
                thread.join(timeout=300)
            deals: dict[int, Deal] = {}
            seeds: dict[int, bytes] = {}
            seats: dict[int, list[int]] = {}
            for first in range(1, hands + 1, 100):
                for record in tables.ListHands(pb.ListHandsRequest(table_id=table_id, first_hand=first)).hands:
                    started = record.events[0].hand_started
                    seeds[record.hand_number] = bytes.fromhex(record.events[-1].hand_ended.seed)
                    seats[record.hand_number] = list(started.chairs)
                    deal = deal_of(decode_record(record))
                    assert isinstance(deal, DealRecord)
                    assert list(problems(deal, DECK)) == []
                    deals[record.hand_number] = revealed_deal(deal, DECK)
    assert len(seeds) == hands
    checked = 0
    for chair, recorder in enumerate(recorders):
        for data, seen in recorder.frames:
            number = seen.hand_number
            assert not [token for token in [*tokens, created.dealer_token] if token.encode() in data]
            if number in seeds and not any(event.HasField("hand_ended") for event in seen.events):
                checked += 1
                assert seeds[number].hex().encode() not in data
                dealt = deals[number]
                seat = seats[number].index(chair) if chair in seats[number] else -1
                plain = without_hashes(data)
                shown = [event.shown.seat for event in seen.events if event.HasField("shown")]
                for other, holding in enumerate(dealt.holdings):
                    if other != seat and other not in shown:
                        assert format_cards(holding).encode() not in plain
                hidden = dealt.board[len(seen.state.board) // 2 :]
                assert not {format_cards([card]) for card in hidden} & set(cards_in(seen))
                assert set(cards_in(seen)) <= {
                    *pairs(seen.state.board), *pairs(seen.holding), *(c for s in shown for c in cards_of(dealt, s))
                }  # fmt: skip
    check_spectator(watched, seeds, deals, [*tokens, created.dealer_token])
    assert checked > 2 * hands


def check_spectator(watched: list[bytes], seeds: dict[int, bytes], deals: dict[int, Deal], tokens: list[str]) -> None:
    """Check that a spectator receives the board so far, shown cards, and the seeds of finished hands."""
    number, over, shown, frames = 0, True, set[int](), 0
    for data in watched:
        update = pb.WatchResponse.FromString(data)
        assert not update.holdings
        assert not [token for token in tokens if token.encode() in data]
        for event in update.events:
            if event.HasField("hand_started"):
                number, over, shown = event.hand_started.hand_number, False, set()
            over = over or event.HasField("hand_ended")
            shown |= {event.shown.seat} if event.HasField("shown") else set()
        if over or number not in seeds:
            continue
        frames += 1
        assert seeds[number].hex().encode() not in data
        dealt, data = deals[number], without_hashes(data)
        last = max((i for i, event in enumerate(update.events) if event.HasField("hand_started")), default=-1)
        now = [event for i, event in enumerate(update.events) if i > last]
        cards = {card for event in now for card in pairs(event.board_dealt.cards) + pairs(event.shown.cards)}
        hidden = dealt.board[len(update.state.board) // 2 :]
        assert not {format_cards([card]) for card in hidden} & (cards | set(pairs(update.state.board)))
        if last == -1 or not update.events[:last]:  # it contains nothing of an earlier hand
            for seat, holding in enumerate(dealt.holdings):
                assert seat in shown or format_cards(holding).encode() not in data
    assert frames > 1000


def without_hashes(data: bytes) -> bytes:
    """Return a frame without hexadecimal digits, which may look like cards by chance."""
    return re.sub(rb"[0-9a-f]{12,}", b"", data)


def pairs(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def cards_of(dealt: Any, seat: int) -> list[str]:
    return pairs(format_cards(dealt.holdings[seat]))


def cards_in(seen: pb.View) -> list[str]:
    """Return every card in a view."""
    cards = pairs(seen.state.board) + pairs(seen.holding)
    for event in seen.events:
        cards += pairs(event.board_dealt.cards) + pairs(event.shown.cards)
    return cards


def test_a_player_who_comes_back_goes_on(tmp_path: Path) -> None:
    """The clock acts for a vanished player, who plays again later with the same token."""
    with running("gamemanager", tmp_path, journal=str(tmp_path / "journal.jsonl")) as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            tables = TablesStub(channel)
            created = tables.CreateTable(pb.CreateTableRequest(config=config(pause_ms=0, clock_ms=300)))
            tokens = [join(tables, created.table.table_id, name) for name in ("ann", "bob")]
            time.sleep(2)  # both are away
            seen = view(tables, tokens[0])
            assert seen.hand_number > 2
            token, seen = wait_for_turn(tables, tokens)
            tables.TakeAction(pb.TakeActionRequest(token=token, decision=decide(seen, CALL)))
            history = tables.ListHands(pb.ListHandsRequest(table_id=created.table.table_id)).hands
            moves = [event.moved for record in history for event in record.events if event.HasField("moved")]
            assert any(move.timed_out for move in moves)
    assert json.loads(process.log_lines()[0])["event"] == "listening"


def test_streams_leave_room_for_short_calls_and_hang_ups_for_others(tmp_path: Path) -> None:
    with running("gamemanager", tmp_path, journal=str(tmp_path / "journal.jsonl"), calls="20") as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            tables = TablesStub(channel)
            table_id = tables.CreateTable(pb.CreateTableRequest(config=config())).table.table_id
            token = join(tables, table_id, "ann")
            request = pb.WatchRequest(table_id=table_id)
            watching = [tables.Watch(request, timeout=120) for _ in range(30)]
            kept = 0
            for stream in watching:
                try:
                    next(stream)
                    kept += 1
                except grpc.RpcError as error:
                    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED  # noqa: PT017
            assert kept == 18
            assert view(tables, token).chair == 0, "another client is served"
            for stream in watching:
                stream.cancel()
            for _ in range(100):  # far above the limit
                playing = tables.Play(iter([pb.PlayRequest(token=token)]), timeout=60)
                next(playing)
                playing.cancel()
            assert view(tables, token).chair == 0
