"""A table as a value that events change: random histories, and every refusal."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.dealing import commitment
from riverboat.dealing.memory import Contribution
from riverboat.dealing.mix import seat_commitment
from riverboat.errors import IllegalAction, InvalidInput, NotYours, RiverboatError, Stale
from riverboat.history.hand import outcome
from riverboat.history.phh import read_phh
from riverboat.marks import DecisionCounts, Mark, MarkedAction
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.betting import CALL
from riverboat.rules.variant import KUHN, no_limit
from riverboat.tables.config import TableConfig, check_config, check_player_name
from riverboat.tables.contributions import contribute, line_up, may_contribute, needs_offer, offer_deal, void_deal
from riverboat.tables.entries import HandFinished, HoldingShown, SeatMoved
from riverboat.tables.events import (
    Closing,
    Created,
    HandStarted,
    Joined,
    JournalEvent,
    Left,
    Rebought,
    decode,
    dumps,
    encode,
)
from riverboat.tables.log import Shelf
from riverboat.tables.records import hand_records
from riverboat.tables.table import Table, hash_of
from riverboat.tables.view import info_of, update_of, view_of

CONFIG = TableConfig(name="a table", variant=no_limit(50, 100), chair_count=4, buy_in=1000)
SECRET = "ab" * 32


def new_table(config: TableConfig = CONFIG) -> tuple[Table, list[JournalEvent]]:
    created = Created(config, hash_of("dealer"), SECRET)
    return Table("t1", created), [created]


def do(table: Table, journal: list[JournalEvent], events: list[JournalEvent]) -> None:
    """Apply events, and what follows from them, as the manager does."""
    while events:
        for event in events:
            table.apply(event)
        journal += events
        events = table.tidy()


def sit(table: Table, journal: list[JournalEvent], *names: str) -> None:
    for name in names:
        do(table, journal, table.join(name, None, name * 20, hash_of(table.token_for(name * 20)), False))


def deal_in(table: Table, journal: list[JournalEvent], rng: random.Random) -> None:
    """Play a hand to which some players contribute; some do not reveal, or get up before the deal."""
    secrets = {chair: rng.randbytes(32).hex() for chair in table.next_chairs if rng.random() < 0.5}
    if deal := table.next_deal:
        place = (deal.offer.hand_number, deal.offer.attempt)
        for chair, secret in secrets.items():
            if may_contribute(table, chair):
                own = seat_commitment(deal.commitment, chair, secret)
                contribute(table, chair, Contribution(*place, commitment=own))
        if any(chair in deal.commitments for chair in table.next_chairs):
            do(table, journal, line_up(table, rng.randbytes(32)))
            for chair in list(deal.missing):
                if rng.random() < 0.8:
                    contribute(table, chair, Contribution(*place, secret=secrets[chair]))
                elif rng.random() < 0.3:
                    do(table, journal, table.leave(chair))
            if deal.missing:
                do(table, journal, void_deal(table, rng.randbytes(32)))
                return
    do(table, journal, table.start_hand(rng.randbytes(32)))


def live(seed: int) -> tuple[Table, list[JournalEvent]]:
    """Return a table after a random history, and its journal."""
    rng = random.Random(seed)  # noqa: S311
    config = replace(CONFIG, variant=rng.choice((no_limit(50, 100), no_limit(5, 10, ante=1))), chair_count=4)
    table, journal = new_table(replace(config, newcomers_post=bool(seed % 2)))
    sit(table, journal, "ann", "bob")
    for step in range(200):
        wish = rng.random()
        try:
            if wish < 0.05:
                do(table, journal, table.join(f"p{step}", None, f"{step:016d}", hash_of(f"k{step}"), False))
            elif wish < 0.08:
                do(table, journal, table.leave(rng.choice([i for i, p in enumerate(table.players) if p])))
            elif wish < 0.12:
                chair = rng.choice([i for i, p in enumerate(table.players) if p])
                do(table, journal, table.rebuy(chair, rng.randint(1, 1000)))
            elif table.actor is not None and table.hand:
                public = table.hand.state.public
                choices = [0, *([-1] if public.to_call else []), *(public.raise_limits or ())]
                place = (table.hand.number, table.hand.action_count)
                if rng.random() < 0.1:
                    do(table, journal, table.time_out())
                else:
                    mark = rng.choice((Mark.AS_INTENDED, Mark.AS_INTENDED, *Mark))
                    action = MarkedAction(rng.choice(choices), mark, "a reason" if mark else "")
                    do(table, journal, table.act(table.actor, f"r{step}", *place, action))
            elif table.can_start:
                deal_in(table, journal, rng)
        except (RiverboatError, IndexError):
            pass
    return table, journal


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_a_table_is_what_its_journal_says(seed: int) -> None:
    """Events that are written, read back and applied again give the same table, as at a restart."""
    table, journal = live(seed)
    again: Table | None = None
    for event in journal:
        event = decode(json.loads(dumps(encode(event))))
        if isinstance(event, Created):
            again = Table("t1", event)
        else:
            assert again is not None
            again.apply(event)
    assert again is not None
    assert again.log.since(0) == table.log.since(0)
    assert again.players == table.players
    assert info_of(again) == info_of(table)
    if table.hand:
        assert again.hand is not None
        assert again.hand.state.public == table.hand.state.public
        assert again.hand.state.holdings == table.hand.state.holdings
    if table.next_deal:
        assert again.next_deal is not None
        assert (again.next_deal.offer, again.next_deal.lineup) == (table.next_deal.offer, table.next_deal.lineup)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_chips_are_conserved_between_those_who_sit(seed: int) -> None:
    journal = live(seed)[1]
    probe, _ = new_table()
    bought = taken = 0
    for event in journal:
        match event:
            case Created():
                probe = Table("t1", event)
                continue
            case Joined():
                bought += probe.config.buy_in
            case Rebought():
                bought += event.chips
            case Left():
                taken += probe.player(event.chair).stack
        probe.apply(event)
        assert sum(probe.stacks) + taken == bought  # stacks include the chips in the pot until it is won


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_no_view_has_another_s_cards(seed: int) -> None:
    """Cards in a view are its own, on the board, or shown; before the end of a hand there is no seed."""
    table, _ = live(seed)
    if table.hand is None:
        return
    hand = table.hand
    for chair in range(4):
        view = view_of(table, chair, 0)
        seat = table.seat_of(chair)
        assert view.holding == (hand.state.holdings[seat] if seat is not None else ())
        shown = {entry.seat for entry in view.entries if isinstance(entry, HoldingShown)}
        if not hand.state.is_over:
            assert not shown
            assert hand.seed not in repr(view)
            assert not any(isinstance(entry, HandFinished) for entry in view.entries)
            assert "a reason" not in repr(view), "marks say something about who made them"
    update = update_of(table, 0, table.log.end, False, 0)
    assert update.holdings == ()
    if not hand.state.is_over:
        assert hand.seed not in repr(update)
        assert "a reason" not in repr(update_of(table, hand.first_entry, table.log.end, False, 0))


def test_a_hand_from_start_to_end() -> None:
    table, journal = new_table()
    sit(table, journal, "ann", "bob")
    assert table.can_start
    do(table, journal, table.start_hand(bytes(32)))
    assert table.hand is not None
    first = table.hand.chairs[-1]  # heads-up the button acts first
    assert table.actor == first
    do(table, journal, table.act(first, "a1", 1, 0, 300))
    other = table.actor
    assert other is not None
    assert other != first
    do(table, journal, table.act(other, "b1", 1, 1, -1))
    assert not table.is_in_hand
    assert sorted(table.stacks) == [0, 0, 900, 1100]
    do(table, journal, table.start_hand(bytes(32)))
    assert table.hand.chairs[-1] == other, "the button moves"


def test_what_is_refused() -> None:
    table, journal = new_table()
    sit(table, journal, "ann", "bob")
    do(table, journal, table.start_hand(bytes(32)))
    actor = table.actor
    assert actor is not None
    other = 1 - actor
    with pytest.raises(IllegalAction, match=f"it is not chair {other}'s turn: chair {actor} is to act"):
        table.act(other, "x", 1, 0, 0)
    for place in ((1, 1), (2, 0), (0, 0)):
        with pytest.raises(Stale, match="it is hand 1, action 0 now"):
            table.act(actor, "x", *place, 0)
    with pytest.raises(IllegalAction, match="may raise to between"):
        table.act(actor, "x", 1, 0, 101)
    with pytest.raises(IllegalAction, match="chips are bought between hands"):
        table.rebuy(actor, 5)
    with pytest.raises(NotYours):
        table.chair_of("t1.nonsense")
    with pytest.raises(IllegalAction, match="a player called ann already sits here"):
        table.join("ann", None, "z" * 20, "h", False)
    with pytest.raises(IllegalAction, match="chair 0 is taken"):
        table.join("eve", 0, "z" * 20, "h", False)
    with pytest.raises(InvalidInput, match="chairs are 0 to 3"):
        table.join("eve", 9, "z" * 20, "h", False)
    sit(table, journal, "cat", "dog")
    with pytest.raises(IllegalAction, match="the table is full"):
        table.join("eve", None, "z" * 20, "h", False)
    do(table, journal, [Closing()])
    with pytest.raises(IllegalAction, match="closed"):
        table.join("eve", None, "z" * 20, "h", False)


def test_retries_change_nothing() -> None:
    table, journal = new_table()
    sit(table, journal, "ann", "bob")
    assert table.join("ann", None, "ann" * 20, "other", False) == []
    do(table, journal, table.start_hand(bytes(32)))
    actor = table.actor
    assert actor is not None
    do(table, journal, table.act(actor, "same", 1, 0, 0))
    assert table.act(actor, "same", 1, 0, 0) == []
    assert sum(isinstance(entry, SeatMoved) for entry in table.log.since(0)) == 1


def test_the_clock_checks_or_folds() -> None:
    table, journal = new_table()
    sit(table, journal, "ann", "bob")
    do(table, journal, table.start_hand(bytes(32)))
    do(table, journal, table.time_out())  # the small blind owes 50
    assert not table.is_in_hand
    do(table, journal, table.start_hand(bytes(32)))
    assert table.actor is not None
    do(table, journal, table.act(table.actor, "c", 2, 0, 0))
    do(table, journal, table.time_out())  # the big blind may check
    assert table.is_in_hand


def test_a_bot_sees_what_is_left_on_its_clock() -> None:
    table, journal = new_table()
    sit(table, journal, "ann", "bob")
    do(table, journal, table.start_hand(bytes(32)))
    assert table.actor is not None
    assert view_of(table, table.actor, 7_500).hand_view().seconds_left == 7.5


def test_leaving_in_a_hand_waits_for_its_end() -> None:
    table, journal = new_table()
    sit(table, journal, "ann", "bob")
    do(table, journal, table.start_hand(bytes(32)))
    do(table, journal, table.leave(0))
    assert table.player(0).is_leaving
    assert table.leave(0) == []
    do(table, journal, table.time_out())
    assert table.players[0] is None
    assert not table.can_start


def test_a_table_ends_after_its_last_hand() -> None:
    table, journal = new_table(replace(CONFIG, hand_limit=1))
    sit(table, journal, "ann", "bob")
    do(table, journal, table.start_hand(bytes(32)))
    do(table, journal, table.time_out())
    assert table.is_closed


def test_records_of_a_restricted_table_say_so() -> None:
    variant = replace(no_limit(50, 100), pot_cap=2_000, all_in=False, bet_sizes=parse_bet_sizes("0.5p 300"))
    table, journal = new_table(replace(CONFIG, variant=variant))
    sit(table, journal, "ann", "bob")
    do(table, journal, table.start_hand(bytes(32)))
    do(table, journal, table.time_out())
    (history,) = read_phh(hand_records(table, 1, 1)[0].phh)
    assert history.variant == replace(variant, free_folds=True)


def test_records_replay() -> None:
    table, _ = live(3)
    records = hand_records(table, 1, 1000)
    assert len(records) > 5
    for record in records:
        (history,) = read_phh(record.phh)
        assert outcome(history).stacks == history.finishing_stacks or outcome(history).stacks is None
        assert record.entries[-1].seed in record.phh  # type: ignore[union-attr]
    with pytest.raises(InvalidInput):
        hand_records(table, 0, 1)
    with pytest.raises(InvalidInput):
        hand_records(table, 1, 5000)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": "x" * 61}, "name"),
        ({"chair_count": 1}, "chair_count"),
        ({"chair_count": 11}, "chair_count"),
        ({"variant": KUHN, "chair_count": 4}, "chair_count"),
        ({"buy_in": 0}, "buy_in"),
        ({"buy_in": 10**15}, "stacks"),
        ({"clock_ms": 5}, "clock_ms"),
        ({"pause_ms": -1}, "pause_ms"),
        ({"hand_limit": -1}, "hand_limit"),
        ({"agents": ("a",) * 5}, "agents"),
        ({"variant": replace(no_limit(50, 100), posts=(0, 0, 100))}, r"variant\.posts"),
    ],
)
def test_impossible_tables(change: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{field}: "):
        check_config(replace(CONFIG, **change))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", "x" * 31, "a\nb", " a", "\x1b[31m"])
def test_impossible_names(name: str) -> None:
    with pytest.raises(InvalidInput):
        check_player_name(name)


def test_old_hands_are_dropped_from_memory() -> None:
    created = Created(CONFIG, hash_of("dealer"), "ab" * 32)
    table, journal = Table("t1", created, Shelf(5)), list[JournalEvent]([created])
    sit(table, journal, "ann", "bob")
    for _ in range(10):
        do(table, journal, table.start_hand(bytes(32)))
        do(table, journal, table.time_out())
    first = table.log.first_hand
    assert table.hand_count == 10
    assert 5 < first < 9
    assert [record.hand_number for record in hand_records(table, 1, 100)] == list(range(first, 11))
    update = update_of(table, 0, table.log.end, False, 0)
    assert update.first_entry == table.log.first > 0
    assert len(update.entries) == table.log.end - table.log.first


def seat_agents(table: Table, journal: list[JournalEvent], count: int) -> None:
    for i in range(count):
        do(table, journal, table.join(f"agent {i}", None, f"agent {i}", hash_of(f"a{i}"), True))


def all_in(table: Table, journal: list[JournalEvent]) -> None:
    """Play a hand in which everybody goes all-in."""
    do(table, journal, table.start_hand(bytes(31) + bytes([table.hand_count])))
    while table.hand and table.actor is not None:
        public = table.hand.state.public
        action = public.raise_limits[1] if public.raise_limits else CALL
        number = table.hand.action_count
        do(table, journal, table.act(table.actor, f"{table.hand.number}.{number}", table.hand.number, number, action))


def test_the_first_hand_waits_for_who_is_expected() -> None:
    table, journal = new_table(replace(CONFIG, players_to_start=3))
    sit(table, journal, "ann", "bob")
    assert not table.can_start
    sit(table, journal, "cay")
    assert table.can_start
    do(table, journal, table.start_hand(bytes(32)))
    while table.is_in_hand:
        do(table, journal, table.time_out())
    do(table, journal, table.leave(2))
    assert table.can_start, "later two are enough"


def test_agents_that_are_bust_get_up_and_do_not_come_back() -> None:
    table, journal = new_table(replace(CONFIG, chair_count=3))
    seat_agents(table, journal, 3)
    while sum(stack > 0 for stack in table.stacks) == 3:
        all_in(table, journal)
    gone = [chair for chair, player in enumerate(table.players) if player is None]
    assert len(gone) >= 1
    assert not table.is_closed, "others may sit down"
    with pytest.raises(IllegalAction, match="got up"):
        table.join("again", None, f"agent {gone[0]}", hash_of("x"), True)


def test_agents_may_buy_in_again() -> None:
    table, journal = new_table(replace(CONFIG, chair_count=2, agents_rebuy=True, agents_only=True))
    seat_agents(table, journal, 2)
    for _ in range(20):
        all_in(table, journal)
    assert table.hand_count == 20
    assert all(table.stacks)
    assert any(isinstance(event, Rebought) for event in journal)


def test_a_table_for_agents_ends_when_one_has_all_the_chips() -> None:
    table, journal = new_table(replace(CONFIG, chair_count=3, agents_only=True))
    seat_agents(table, journal, 3)
    while table.can_start:
        all_in(table, journal)
    assert table.is_closed
    assert sorted(table.stacks)[-1] == 3 * CONFIG.buy_in


def test_a_bust_person_keeps_the_chair_for_a_while() -> None:
    table, journal = new_table(replace(CONFIG, chair_count=2))
    sit(table, journal, "ann", "bob")
    while all(table.stacks):
        all_in(table, journal)
    chair = table.stacks.index(0)
    assert table.players[chair] is not None
    assert table.is_bust(chair)
    do(table, journal, table.rebuy(chair, 500))
    assert not table.is_bust(chair)


def test_a_match_goes_on_when_somebody_loses_everything() -> None:
    config = replace(CONFIG, chair_count=2, agents=("a", "b"), agents_only=True, hand_limit=20, deal_count=20)
    table, journal = new_table(config)
    seat_agents(table, journal, 2)
    while table.can_start:
        all_in(table, journal)
    assert table.is_closed
    assert table.hand_count == 20


def test_a_deserted_table_ends() -> None:
    table, journal = new_table(replace(CONFIG, chair_count=2))
    sit(table, journal, "ann", "bob")
    while table.can_start:
        do(table, journal, table.start_hand(bytes(32)))
        while table.is_in_hand:
            do(table, journal, table.time_out())
        assert table.hand_count < 20
    assert table.is_closed
    assert table.hand_count == 10


def test_too_few_for_the_blinds_means_waiting() -> None:
    """The journal contains no hand that cannot be dealt again."""
    straddled = replace(no_limit(50, 100), blinds=(50, 100, 200))
    table, journal = new_table(replace(CONFIG, variant=straddled, players_to_start=3, chair_count=4))
    sit(table, journal, "ann", "bob", "cay")
    assert table.can_start
    do(table, journal, table.start_hand(bytes(32)))
    do(table, journal, table.leave(0))
    while table.is_in_hand:
        do(table, journal, table.time_out())
    assert [player is None for player in table.players] == [True, False, False, True]
    assert not table.can_start


def play_on(table: Table, journal: list[JournalEvent]) -> None:
    do(table, journal, table.start_hand(bytes(32)))
    while table.is_in_hand:
        do(table, journal, table.time_out())


def test_a_newcomer_posts_once() -> None:
    table, journal = new_table(replace(CONFIG, newcomers_post=True, chair_count=5, players_to_start=3))
    sit(table, journal, "ann", "bob", "cay")
    play_on(table, journal)  # nobody is a newcomer in the first hand
    sit(table, journal, "dan", "eve")  # bob gets the button, so that dan is the big blind
    do(table, journal, table.start_hand(bytes(32)))
    hand = table.hand
    assert hand is not None
    assert [hand.chairs[seat] for seat, post in enumerate(hand.state.public.variant.posts) if post] == [4]
    assert hand.state.public.bets == (50, 100, 100, 0, 0)
    while table.is_in_hand:
        do(table, journal, table.time_out())
    play_on(table, journal)
    records = hand_records(table, 1, 10)
    assert [any(record.variant.posts) for record in records] == [False, True, False]
    (history,) = read_phh(records[1].phh)
    assert outcome(history).stacks == history.finishing_stacks
    assert history.variant.posts == (0, 0, 100)
    again = Table("t1", journal[0]) if isinstance(journal[0], Created) else table
    for event in journal[1:]:
        again.apply(decode(encode(event)))
    assert again.stacks == table.stacks


def test_nobody_posts_where_the_table_does_not_ask_for_it_or_two_play() -> None:
    for newcomers_post in (False, True):
        table, journal = new_table(replace(CONFIG, newcomers_post=newcomers_post))
        sit(table, journal, "ann", "bob")
        play_on(table, journal)
        do(table, journal, table.leave(0))
        sit(table, journal, "cay")
        play_on(table, journal)
        assert table.hand is not None
        assert table.hand.state.public.variant.posts == ()


def test_who_takes_a_chair_sees_nothing_of_the_hand_before() -> None:
    table, journal = new_table(replace(CONFIG, chair_count=2))
    sit(table, journal, "ann", "bob")
    do(table, journal, table.start_hand(bytes(32)))
    do(table, journal, table.leave(0))
    while table.is_in_hand:
        do(table, journal, table.time_out())
    assert view_of(table, 0, 0).holding, "the last view of a player who has left"
    sit(table, journal, "cay")
    assert view_of(table, 0, 0).holding == ()
    assert view_of(table, 0, 0).seat is None


def test_a_chair_that_is_handed_over_has_a_new_token() -> None:
    table, journal = new_table()
    seat_agents(table, journal, 2)
    assert table.chair_of("a1") == 1
    do(table, journal, table.hand_over("agent 1", hash_of("new")))
    assert table.chair_of("new") == 1
    with pytest.raises(NotYours):
        table.chair_of("a1")
    assert table.hand_over("agent 7", hash_of("x")) == []


def test_who_gives_up_is_acted_for_at_once() -> None:
    table, journal = new_table(replace(CONFIG, chair_count=3))
    sit(table, journal, "ann", "bob", "cay")
    do(table, journal, table.start_hand(bytes(32)))
    chair = table.actor
    assert chair is not None
    do(table, journal, table.leave(chair))
    assert table.actor == chair, "it may play the hand to its end"
    do(table, journal, table.leave(chair, gives_up=True))
    assert table.actor != chair
    assert table.leave(chair, gives_up=True) == []
    while table.is_in_hand:
        assert table.actor != chair
        do(table, journal, table.time_out())
    assert table.players[chair] is None


def test_an_old_journal_goes_on_with_deals_of_today() -> None:
    """Tables of version 0.1: hands were dealt from a seed that their end reveals, and configs had no `reveal`."""
    table, journal = new_table()
    sit(table, journal, "ann", "bob")
    chairs = table.next_chairs
    do(table, journal, [HandStarted(hand_number=1, chairs=chairs, stacks=(1000, 1000), seed="ab" * 32)])
    old = [encode(event) for event in journal]
    for event in old:
        event.pop("secrets", None)
        event.pop("contributes", None)
        event.get("config", {}).pop("reveal", None)
    restored, again = None, list[JournalEvent]()
    for change in map(decode, old):
        if isinstance(change, Created):
            restored = Table("t1", change)
        else:
            assert restored
            restored.apply(change)
    assert restored
    assert needs_offer(restored)
    do(restored, again, offer_deal(restored, bytes(32)))
    do(restored, again, restored.time_out())
    do(restored, again, restored.start_hand(bytes(32)))
    do(restored, again, restored.time_out())
    first, second = hand_records(restored, 1, 2)
    assert first.entries[-1] == HandFinished((50, -50), "ab" * 32)
    assert second.entries[-1] == HandFinished((50, -50), "")
    began: list[Any] = [record.entries[0] for record in (first, second)]
    assert [(entry.attempt, entry.commitment == commitment(bytes.fromhex("ab" * 32))) for entry in began] == [
        (0, True),
        (1, False),
    ]


def test_marks_are_told_with_the_hand_and_kept_in_its_record() -> None:
    table, journal = new_table(replace(CONFIG, chair_count=2))
    sit(table, journal, "ann", "bob")
    do(table, journal, table.start_hand(bytes(32)))
    assert table.actor is not None
    do(table, journal, table.act(table.actor, "r1", 1, 0, MarkedAction(0, Mark.FALLBACK, "no resolver")))
    assert [chair.decisions.decision_count for chair in info_of(table).chairs] == [0, 0], "not before the end"
    do(table, journal, table.act(table.actor, "r2", 1, 1, MarkedAction(300, Mark.PARTIAL)))
    do(table, journal, table.time_out())
    ended = table.log.since(0)[-1]
    assert isinstance(ended, HandFinished)
    assert ended.marks == ((0, 1, Mark.FALLBACK, "no resolver"), (1, 0, Mark.PARTIAL, ""))
    assert table.hand is not None
    by_seat = [info_of(table).chairs[chair].decisions for chair in table.hand.chairs]
    assert by_seat == [DecisionCounts(1, 1, 0, 0), DecisionCounts(2, 0, 1, 1)]
    (record,) = hand_records(table, 1, 1)
    (history,) = read_phh(record.phh)
    assert history.extra["_marks"] == [
        {"action": 1, "player": "p2", "mark": "fallback", "reason": "no resolver"},
        {"action": 2, "player": "p1", "mark": "partial", "reason": ""},
    ]


def test_every_hand_starts_with_equal_stacks_where_the_table_says_so() -> None:
    table, journal = new_table(replace(CONFIG, chair_count=2, equal_stacks=True))
    sit(table, journal, "ann", "bob")
    won = []
    for hand in range(1, 4):
        do(table, journal, table.start_hand(bytes([hand]) * 32))
        began = next(event for event in reversed(journal) if isinstance(event, HandStarted))
        assert began.stacks == (1000, 1000)
        place = (table.hand.number, table.hand.action_count) if table.hand else (0, 0)
        assert table.actor is not None
        do(table, journal, table.act(table.actor, f"r{hand}", *place, -1))  # the small blind folds
        won.append(next(e.payoffs for e in reversed(table.log.since(0)) if isinstance(e, HandFinished)))
        assert [player.stack for player in table.players if player] == [1000, 1000]
    assert won == [won[0]] * 3
    with pytest.raises(InvalidInput):
        table.rebuy(0, 1)
    assert decode(json.loads(dumps(encode(journal[0])))) == journal[0]
