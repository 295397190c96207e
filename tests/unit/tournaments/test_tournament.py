"""A tournament as a value: tables end hands in any order, and the rules hold after every one."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.errors import IllegalAction, InvalidInput, NotYours
from riverboat.tables.events import dumps
from riverboat.tables.players import hash_of
from riverboat.tournaments.entries import LevelBegan, PlayerEliminated, PlayerMoved, TableBroken
from riverboat.tournaments.events import (
    HandCounted,
    TournamentChange,
    TournamentCreated,
    decode_change,
    encode_change,
    is_of_tournament,
)
from riverboat.tournaments.report import report_of
from riverboat.tournaments.seating import EMPTY, NO_BUTTON
from riverboat.tournaments.structures import SNG_9, TournamentStructure, with_entrants
from riverboat.tournaments.tournament import HandResult, Tournament, TournamentStatus


def new_tournament(
    entrant_count: int, seats: int = 3, agent_count: int | None = None, structure: TournamentStructure = SNG_9
) -> tuple[Tournament, list[TournamentChange]]:
    """Return a tournament and its journal."""
    agents = ("rollout",) * (entrant_count if agent_count is None else agent_count)
    created = TournamentCreated(
        name="a tournament",
        structure=replace(with_entrants(structure, entrant_count), seats_per_table=seats),
        agents=agents,
        clock_ms=1000,
        pause_ms=0,
        dealer_hash=hash_of("dealer"),
        secret="ab" * 32,
    )
    return Tournament("t1", created), [created]


def do(tournament: Tournament, journal: list[TournamentChange], events: list[TournamentChange]) -> None:
    for event in events:
        tournament.apply(event)
    journal += events


def random_hand(tournament: Tournament, table: int, rng: np.random.Generator) -> HandResult:
    """Return a hand in which chips go anywhere, often all to one player."""
    chairs = np.flatnonzero(tournament.seats[table] != EMPTY)
    entrants = tuple(np.roll(tournament.seats[table][chairs], rng.integers(len(chairs))).tolist())
    before = tuple(tournament.entrants[entrant].chips for entrant in entrants)
    shares = rng.multinomial(sum(before), rng.dirichlet([0.2] * len(before)))
    after = tuple(int(share) for share in shares)
    return HandResult(table, tournament.hand_counts[table] + 1, entrants, before, after)


def play(tournament: Tournament, journal: list[TournamentChange], rng: np.random.Generator) -> None:
    """Play to the end: the next hand ends at a table by lot."""
    while tournament.status is TournamentStatus.PLAYING:
        able = [table for table in tournament.open_tables if tournament.player_counts[table] > 1]
        assert able, "nobody can play on"
        result = random_hand(tournament, int(rng.choice(able)), rng)
        before, had = tournament.player_counts, set(tournament.open_tables)
        buttons = [NO_BUTTON] * len(tournament.seats)
        do(tournament, journal, tournament.count_hand(result, buttons, 0, rng))
        assert not tournament.count_hand(result, buttons, 0, rng)  # never twice
        check(tournament)
        assert set(tournament.open_tables) <= had
        counted = journal[-1]
        assert isinstance(counted, HandCounted)
        for table, count in enumerate(tournament.player_counts):
            # Only the table that ended a hand, and tables where nobody could, lose players.
            assert count >= before[table] or table == result.table or before[table] == 1


def check(tournament: Tournament) -> None:
    """Check what holds after every hand."""
    assert sum(entrant.chips for entrant in tournament.entrants) == tournament.structure.chip_count
    ranks = sorted(entrant.rank for entrant in tournament.entrants if entrant.rank)
    assert ranks == list(range(len(tournament.entrants) - len(ranks) + 1, len(tournament.entrants) + 1))
    assert all((entrant.chips == 0) == (entrant.rank > 1) for entrant in tournament.entrants)
    seated = sorted(tournament.seats[tournament.seats != EMPTY].tolist())
    assert seated == [number for number, entrant in enumerate(tournament.entrants) if entrant.rank <= 1]
    if tournament.status is TournamentStatus.OVER:
        prizes = [standing.prize for standing in report_of(tournament, 0, 0).standings]
        assert sum(prizes) == tournament.structure.prize_pool
        assert prizes == sorted(prizes, reverse=True)


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 25), st.integers(2, 6), st.integers(0, 2**32))
def test_every_tournament_ends_with_each_entrant_ranked_once(entrant_count: int, seats: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    tournament, journal = new_tournament(entrant_count, seats)
    do(tournament, journal, tournament.draw(rng))
    assert max(tournament.player_counts) - min(tournament.player_counts) <= 1
    play(tournament, journal, rng)
    assert tournament.status is TournamentStatus.OVER
    # The journal leads to the same tournament again.
    again, *events = [decode_change(json.loads(dumps(encode_change(event)))) for event in journal]
    assert [again, *events] == journal
    assert isinstance(again, TournamentCreated)
    copy = Tournament("t1", again)
    for event in events:
        copy.apply(event)
    assert report_of(copy, 0, 10**6) == report_of(tournament, 0, 10**6)


def test_the_same_lots_make_the_same_tournament() -> None:
    journals = []
    for _ in range(2):
        rng = np.random.default_rng(7)
        tournament, journal = new_tournament(20, 5)
        do(tournament, journal, tournament.draw(rng))
        play(tournament, journal, rng)
        journals.append(journal)
    assert journals[0] == journals[1]


def test_after_a_table_has_ended_a_hand_no_table_has_two_players_fewer_than_it() -> None:
    rng = np.random.default_rng(3)
    tournament, journal = new_tournament(24, 6)
    do(tournament, journal, tournament.draw(rng))
    while tournament.status is TournamentStatus.PLAYING:
        able = [table for table in tournament.open_tables if tournament.player_counts[table] > 1]
        table = int(rng.choice(able))
        result = random_hand(tournament, table, rng)
        do(tournament, journal, tournament.count_hand(result, [NO_BUTTON] * len(tournament.seats), 0, rng))
        counts = [tournament.player_counts[place] for place in tournament.open_tables]
        if table in tournament.open_tables:
            assert tournament.player_counts[table] - min(counts) <= 1


def test_two_who_go_out_in_one_hand_are_ranked_by_their_chips_before() -> None:
    rng = np.random.default_rng(0)
    tournament, journal = new_tournament(4, 4)
    do(tournament, journal, tournament.draw(rng))
    a, b, c, d = tournament.seats[0].tolist()
    first = HandResult(0, 1, (a, b, c, d), (1500,) * 4, (500, 1500, 1000, 3000))
    do(tournament, journal, tournament.count_hand(first, [0], 0, rng))
    second = HandResult(0, 2, (b, c, d, a), (1500, 1000, 3000, 500), (0, 0, 6000, 0))
    do(tournament, journal, tournament.count_hand(second, [0], 0, rng))
    assert [tournament.entrants[entrant].rank for entrant in (a, b, c, d)] == [4, 2, 3, 1]
    assert tournament.status is TournamentStatus.OVER
    out = [news for news in tournament.news if isinstance(news, PlayerEliminated)]
    assert [news.rank for news in out] == [4, 3, 2]


def test_a_lonely_last_table_breaks_when_another_table_ends_a_hand() -> None:
    rng = np.random.default_rng(0)
    tournament, journal = new_tournament(5, 3)  # tables of three and two
    do(tournament, journal, tournament.draw(rng))
    e, f = tournament.seats[1][:2].tolist()
    do(
        tournament,
        journal,
        tournament.count_hand(HandResult(1, 1, (e, f), (1500, 1500), (3000, 0)), [0, 0], 0, rng),
    )
    assert tournament.player_counts == [3, 1]  # four do not fit one table
    a, b, c = tournament.seats[0].tolist()
    result = HandResult(0, 1, (a, b, c), (1500,) * 3, (0, 1500, 3000))
    do(tournament, journal, tournament.count_hand(result, [0, 0], 0, rng))
    assert tournament.player_counts == [3, 0]
    assert tournament.seat_of(e) == (0, tournament.seats[0].tolist().index(e))
    assert [type(news) for news in tournament.news[-2:]] == [PlayerMoved, TableBroken]


@pytest.mark.parametrize(
    ("hands", "minutes", "elapsed_ms", "level"), [(1, 0, 0, 1), (0, 2, 119_999, 0), (0, 2, 240_000, 2)]
)
def test_levels_rise_by_hands_or_minutes(hands: int, minutes: int, elapsed_ms: int, level: int) -> None:
    rng = np.random.default_rng(0)
    structure = replace(SNG_9, level_hands=hands, level_minutes=minutes)
    tournament, journal = new_tournament(3, 3, structure=structure)
    do(tournament, journal, tournament.draw(rng))
    entrants = tuple(tournament.seats[0].tolist())
    result = HandResult(0, 1, entrants, (1500,) * 3, (1500,) * 3)
    do(tournament, journal, tournament.count_hand(result, [0], elapsed_ms, rng))
    assert tournament.level == level
    began = [news for news in tournament.news if isinstance(news, LevelBegan)]
    assert began == ([LevelBegan(level, structure.level_at(level))] if level else [])


def test_people_register_once_and_may_withdraw_before_the_draw() -> None:
    tournament, journal = new_tournament(3, 3, agent_count=1)
    token = tournament.token_for("player aaaa")
    do(tournament, journal, tournament.register("Anna", "player aaaa", hash_of(token), True))
    assert tournament.register("Anna", "player aaaa", hash_of(token), True) == []
    assert tournament.entrant_of(token) == 1
    with pytest.raises(IllegalAction, match="Anna has already"):
        tournament.register("Anna", "player bbbb", "", False)
    with pytest.raises(IllegalAction, match="rollout has already"):
        tournament.register("rollout", "player bbbb", "", False)
    assert tournament.draw(np.random.default_rng(0)) == []
    do(tournament, journal, tournament.withdraw(1))
    with pytest.raises(NotYours):
        tournament.entrant_of(token)
    for name in ("Bert", "Carl"):
        do(tournament, journal, tournament.register(name, f"player {name}", hash_of(name), False))
    with pytest.raises(IllegalAction, match="is over"):
        tournament.register("Dora", "player dddd", "", False)
    do(tournament, journal, tournament.draw(np.random.default_rng(0)))
    with pytest.raises(IllegalAction, match="drawn"):
        tournament.withdraw(1)


def test_agents_have_numbers_and_their_tokens_expire() -> None:
    tournament, journal = new_tournament(2, 2)
    assert [entrant.name for entrant in tournament.entrants] == ["rollout", "rollout 2"]
    with pytest.raises(NotYours):
        tournament.entrant_of("")  # no host has the agent yet
    for token in ("one", "two"):
        do(tournament, journal, tournament.issue_token(1, hash_of(token)))
    assert tournament.entrant_of("two") == 1
    with pytest.raises(NotYours):
        tournament.entrant_of("one")


def test_a_cancelled_tournament_pays_nobody_and_counts_no_more_hands() -> None:
    rng = np.random.default_rng(0)
    tournament, journal = new_tournament(3, 3)
    do(tournament, journal, tournament.draw(rng))
    do(tournament, journal, tournament.cancel("the dealer cancelled it"))
    assert tournament.cancel("again") == []
    entrants = tuple(tournament.seats[0].tolist())
    assert tournament.count_hand(HandResult(0, 1, entrants, (1500,) * 3, (4500, 0, 0)), [0], 0, rng) == []
    assert not any(standing.prize for standing in report_of(tournament, 0, 0).standings)
    with pytest.raises(IllegalAction):
        tournament.issue_token(0, "x")


@pytest.mark.parametrize(
    ("number", "before", "after"),
    [(2, (1500,) * 3, (1500,) * 3), (1, (1500,) * 3, (1500, 1500, 1501)), (1, (1400, 1600, 1500), (1500,) * 3)],
)
def test_a_hand_that_does_not_fit_is_an_error(number: int, before: tuple[int, ...], after: tuple[int, ...]) -> None:
    tournament, journal = new_tournament(3, 3)
    do(tournament, journal, tournament.draw(np.random.default_rng(0)))
    result = HandResult(0, number, tuple(tournament.seats[0].tolist()), before, after)
    with pytest.raises(ValueError):  # noqa: PT011  # several texts
        tournament.count_hand(result, [0], 0, np.random.default_rng(0))


def test_events_of_tables_are_told_apart_and_damage_is_noticed() -> None:
    assert not is_of_tournament({"kind": "Moved"})
    assert is_of_tournament({"kind": "SeatsDrawn"})
    with pytest.raises(TypeError):
        decode_change({"kind": "SeatsDrawn", "entrants": "0"})
    _, journal = new_tournament(3)
    document = encode_change(journal[0])
    document["structure"]["payouts"] = [1]
    with pytest.raises(InvalidInput):
        decode_change(document)
