"""Duplicate matches: what one process of an agent can recognise, and what others are told."""

import json
from dataclasses import replace

import numpy as np
import pytest

from riverboat.marks import fallback
from riverboat.rules.variant import no_limit
from riverboat.tables.config import TableConfig
from riverboat.tables.entries import HandFinished
from riverboat.tables.events import Closing, Created, JournalEvent, decode, dumps, encode
from riverboat.tables.match import score_of
from riverboat.tables.records import hand_records
from riverboat.tables.schedule import Schedule
from riverboat.tables.sides import AllSides
from riverboat.tables.table import Table, hash_of
from riverboat.tables.view import info_of, update_of, view_of

DEALS = 500
SECRET, DEAL_SECRET = "ab" * 32, "cd" * 32


def config(deal_count: int, player_count: int = 2, side_count: int = 0, side: int = 0) -> TableConfig:
    agents = tuple(f"agent {i}" for i in range(player_count))
    hands = deal_count if side_count else deal_count * player_count
    plain = TableConfig(
        name="m",
        variant=no_limit(50, 100),
        chair_count=player_count,
        buy_in=10_000,
        hand_limit=hands,
        agents=agents,
        agents_only=True,
        deal_count=deal_count,
        is_duplicate=True,
    )
    return replace(plain, match_id="m", side=side, side_count=side_count) if side_count else plain


def sides(deal_count: int, count: int = 2) -> list[Table]:
    """Return the tables of a match, with everybody seated."""
    shared = AllSides()
    tables = []
    for side in range(count):
        setup = config(deal_count, count, count, side)
        created = Created(setup, hash_of("dealer"), SECRET, deal_secret=DEAL_SECRET)
        tables.append(Table(f"side{side}", created, None, shared.of(setup)))
        seat(tables[-1])
    return tables


def seat(table: Table) -> None:
    for i, name in enumerate(table.config.agents):
        apply(table, table.join(name, None, f"agent {i}", hash_of(name), is_agent=True))


def apply(table: Table, events: list[JournalEvent]) -> list[JournalEvent]:
    done = []
    while events:
        for event in events:
            table.apply(event)
        done += events
        events = table.tidy()
    return done


def start(table: Table) -> list[JournalEvent]:
    return apply(table, table.start_hand(bytes(32)))


def act(table: Table, action: int) -> list[JournalEvent]:
    assert table.hand is not None
    assert table.actor is not None
    place = (table.hand.number, table.hand.action_count)
    return apply(table, table.act(table.actor, f"{place}", *place, action))


def play(table: Table, action: int = 0) -> list[JournalEvent]:
    """Play a hand in which everybody checks and calls."""
    events = start(table)
    while table.is_in_hand:
        events += act(table, action)
    return events


class Memory:
    """An agent that keeps every flop: when one returns, it knows the cards that others held there."""

    def __init__(self) -> None:
        self._deals: dict[tuple[int, ...], set[str]] = {}  # by flop
        self.recognised = 0  # flops that were seen in one deal only, which was this one

    def see(self, table: Table, chair: int) -> None:
        view = view_of(table, chair, 0)
        assert view.public is not None
        assert table.hand is not None
        remembered = self._deals.setdefault(tuple(sorted(view.public.board[:3])), set())
        self.recognised += remembered == {table.hand.seed}
        remembered.add(table.hand.seed)


def test_at_one_table_nearly_all_repeated_deals_were_recognised() -> None:
    """Why sides exist: with the schedule of older versions an agent knew the opponent's cards in every second hand."""
    table = Table("m", Created(config(DEALS), hash_of("dealer"), SECRET))
    seat(table)
    memory = Memory()
    for _ in range(2 * DEALS):
        play(table)
        memory.see(table, 0)
    assert DEALS - 20 < memory.recognised <= DEALS  # the others are flops that came in two deals


def test_an_instance_never_sees_a_deal_twice() -> None:
    tables = sides(DEALS)
    memories = {(table.id, chair): Memory() for table in tables for chair in (0, 1)}
    for _ in range(DEALS):
        for table in tables:
            play(table)
            for chair in (0, 1):
                memories[table.id, chair].see(table, chair)
    assert [memory.recognised for memory in memories.values()] == [0] * 4
    assert score_of(tables[0]).hand_count == 2 * DEALS
    assert score_of(tables[0]).is_over


@pytest.mark.parametrize("count", [2, 3, 6])
def test_every_side_has_the_same_deals_with_seats_exchanged(count: int) -> None:
    tables = sides(4, count)
    dealt = []
    for table in tables:
        hands = []
        for _ in range(4):
            play(table)
            assert table.hand is not None
            state = table.hand.state
            by_chair = {chair: state.holdings[seat] for seat, chair in enumerate(table.hand.chairs)}
            hands.append((state.whole_board, state.holdings, by_chair))
        dealt.append(hands)
    for deal in range(4):
        boards = {hands[deal][0] for hands in dealt}
        by_seat = {hands[deal][1] for hands in dealt}
        assert len(boards) == len(by_seat) == 1, "the same cards in the same seats"
        for chair in range(count):
            holdings = {hands[deal][2][chair] for hands in dealt}
            assert len(holdings) == count, "and every agent has each holding once"


def test_what_some_side_has_yet_to_play_is_withheld() -> None:
    first, second = sides(3)
    joined = first.log.end
    play(first)
    start(first)
    act(first, 200)
    assert hand_records(first, 1, 10) == []
    assert first.end_for(sees_all=False) == joined
    update = update_of(first, 0, first.end_for(sees_all=False), False, 1000)
    assert (update.public, update.holdings, update.time_left_ms) == (None, (), 0)
    assert {chair.stack for chair in info_of(first).chairs} == {10_000}
    assert update_of(first, 0, first.log.end, True, 1000).public is not None, "the dealer sees everything"
    play(second)
    assert len(hand_records(first, 1, 10)) == len(hand_records(second, 1, 10)) == 1
    assert first.end_for(sees_all=False) == first.log.hand(2)
    assert [record.hand_number for record in hand_records(second, 1, 10)] == [1]


def test_a_seed_is_told_when_all_sides_have_played_the_deal() -> None:
    first, second = sides(2)
    play(first)
    assert _seed_in_view(first) == ""
    play(second)
    assert first.hand is not None
    assert _seed_in_view(first) == _seed_in_view(second) == first.hand.seed
    ended = hand_records(first, 1, 1)[0].entries[-1]
    assert isinstance(ended, HandFinished)
    assert ended.seed == first.hand.seed


def _seed_in_view(table: Table) -> str:
    entry = view_of(table, 0, 0).entries[-1]
    assert isinstance(entry, HandFinished)
    return entry.seed


def test_a_match_that_ends_early_withholds_nothing_any_more() -> None:
    first, second = sides(5)
    play(first)
    play(first)
    for table in (first, second):
        assert hand_records(first, 1, 10) == []
        apply(table, [Closing()])
    assert score_of(first).is_over
    assert len(hand_records(first, 1, 10)) == 2
    assert score_of(first).scores == (), "no deal is complete"


def test_a_side_waits_for_the_others_when_it_is_far_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverboat.tables.table.MOST_AHEAD", 3)
    first, second = sides(10)
    for _ in range(3):
        assert first.can_start
        play(first)
    assert not first.can_start
    play(second)
    assert first.can_start


def test_results_are_by_deal_whichever_side_is_ahead() -> None:
    """The margin is that of whole deals: two agents that do the same are even, whatever the cards."""
    first, second = sides(20)
    for _ in range(20):
        play(first)
    assert score_of(first).scores == ()
    for _ in range(20):
        play(second)
    for table in (first, second):
        result = score_of(table)
        assert [(score.mbb, score.margin) for score in result.scores] == [(0.0, 0.0)] * 2
        assert (result.hand_count, result.wanted_count) == (40, 40)


def test_marks_are_counted_when_a_deal_is_complete() -> None:
    first, second = sides(2)
    play(first, fallback(0, "no idea"))
    assert [counts.decision_count for counts in score_of(first).decisions] == [0, 0]
    assert [chair.decisions.decision_count for chair in info_of(first).chairs] == [0, 0]
    play(second)
    decisions = score_of(second).decisions
    assert [(made.decision_count, made.fallback_count) for made in decisions] == [(8, 4), (8, 4)]
    assert [chair.decisions for chair in info_of(first).chairs] == list(decisions)


def test_a_match_goes_on_from_its_journal() -> None:
    """Journal lines of both sides, read in any order, give the same sums."""
    tables = sides(6)
    journals: dict[str, list[JournalEvent]] = {table.id: [] for table in tables}
    for table, hands in zip(tables, (5, 3), strict=True):
        for _ in range(hands):
            journals[table.id] += play(table)
    shared = AllSides()
    again = []
    for side, table in enumerate(tables):
        setup = config(6, 2, 2, side)
        created = decode(json.loads(dumps(encode(Created(setup, hash_of("dealer"), SECRET, deal_secret=DEAL_SECRET)))))
        assert isinstance(created, Created)
        restored = Table(table.id, created, None, shared.of(created.config))
        seat(restored)
        for event in journals[table.id]:
            restored.apply(decode(json.loads(dumps(encode(event)))))
        again.append(restored)
    assert score_of(again[0]) == score_of(tables[0])
    assert [table.public_hand_count for table in again] == [3, 3]
    for table in again:
        while not table.is_closed:
            play(table)
    assert score_of(again[1]).hand_count == 12
    assert np.allclose(score_of(again[1]).scores[0].mbb, 0)


def test_journals_of_older_versions_can_be_read() -> None:
    """Their duplicate matches played all rotations at one table, and moves had no marks."""
    table = Table("m", Created(config(60), hash_of("dealer"), SECRET))
    seat(table)
    line = encode(Created(config(60), hash_of("dealer"), SECRET))
    for name in ("match_id", "side", "side_count"):
        del line["config"][name]
    assert "deal_secret" not in line
    created = decode(line)
    assert isinstance(created, Created)
    old = Table("m", created)
    seat(old)
    schedule = Schedule(60, 2, SECRET)
    for hand in range(120):
        for event in play(table):
            kept = encode(event)
            assert "mark" not in kept
            old.apply(decode(json.loads(dumps(kept))))
        assert old.hand is not None
        assert old.hand.chairs[0] == schedule.place(hand)[1]
    assert score_of(old) == score_of(table)
    assert score_of(old).is_over
    assert len(hand_records(old, 1, 1000)) == 120


def test_stacks_do_not_tell_what_is_withheld() -> None:
    """Everybody may list tables, and the stacks of a side that is ahead would reveal the result of its deal."""
    ahead, _ = sides(3)
    play(ahead, -1)
    assert [chair.stack for chair in info_of(ahead).chairs] == [10_000, 10_000]
