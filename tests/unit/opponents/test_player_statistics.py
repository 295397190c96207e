"""Statistics of players, beside the slow reference."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.history.hand import History
from riverboat.history.phh import read_phh
from riverboat.history.store.columns import HandColumns
from riverboat.history.store.histories import columns_of
from riverboat.history.store.reading import read_text
from riverboat.opponents.player_statistics import PlayerStatistics, PlayerTally
from tests.reference.players import statistics_of
from tests.unit.history.hands import histories

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
KINDS = ("fold", "check", "call", "bet", "raise")
# Ann calls and wins at showdown, then has no decision as the big blind, then raises and is called.
EXAMPLE = "\n".join(
    f"""\
[{number}]
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', {actions}]
players = {players}
"""
    for number, actions, players in (
        (
            1,
            "'p3 cc', 'p1 f', 'p2 cc', 'd db 2c3d9h', 'p2 cc', 'p3 cc', 'd db 4s', 'p2 cc', 'p3 cbr 200', 'p2 cc', "
            "'d db 5h', 'p2 cc', 'p3 cc', 'p2 sm 7c8c', 'p3 sm AhAd'",
            "['Bob', 'Cy', 'Ann']",
        ),
        (2, "'p3 f', 'p1 f'", "['Bob', 'Ann', 'Cy']"),
        (3, "'p3 f', 'p1 cbr 300', 'p2 cc', 'd db 2c3d9h', 'p1 cbr 300', 'p2 f'", "['Ann', 'Cy', 'Bob']"),
    )
)

_SHARES = ("vpip", "pfr", "aggression", "went_to_showdown", "won_at_showdown", "win_rate", "win_rate_error")


def tally_of(columns: HandColumns) -> PlayerTally:
    tally = PlayerTally()
    tally.add(columns)
    return tally


def shares(player: PlayerStatistics) -> tuple[float, ...]:
    return tuple(getattr(player, name) for name in _SHARES)


def test_the_example_of_the_docs() -> None:
    (ann,) = (player for player in tally_of(read_text(EXAMPLE.encode())[0]).players() if player.name == "Ann")
    assert ann.hand_count == 3
    assert (ann.vpip, ann.pfr, ann.aggression) == (1.0, 0.5, 3.0)
    assert (ann.went_to_showdown, ann.won_at_showdown) == (0.5, 1.0)
    assert ann.win_rate == pytest.approx(100 * (3.5 + 0.5 + 3) / 3)


def compare(hands: list[History]) -> None:
    for player in tally_of(columns_of(hands)).players():
        slow = statistics_of(hands, player.name)
        assert player.hand_count == slow.counts["hands"]
        np.testing.assert_allclose(shares(player), slow.shares, rtol=1e-9, atol=1e-9)
        moves = {
            (street, bool(facing), kind): times
            for street in range(4)
            for facing in range(2)
            for kind, times in zip(KINDS, player.moves[street, facing].tolist(), strict=True)
            if times
        }
        assert moves == dict(slow.moves)


def test_real_hands_are_counted_as_by_the_reference() -> None:
    compare(list(read_phh((GOLDEN / "real-hands-60.phhs").read_text())))


@pytest.mark.slow
def test_golden_hands_are_counted_as_by_the_reference() -> None:
    compare(list(read_phh((GOLDEN / "pluribus-5000.phhs").read_text()))[:1500])


@settings(max_examples=40, deadline=None)
@given(st.lists(histories(), min_size=1, max_size=4))
def test_random_hands_are_counted_as_by_the_reference(hands: list[History]) -> None:
    compare([replace(hand, names=tuple("ABCDEF"[: len(hand.stacks)])) for hand in hands])


def test_an_unknown_stack_that_was_all_in() -> None:
    text = EXAMPLE.partition("[2]")[0].replace("[10000, 10000, 10000]", "[inf, 10000, 10000]")
    text = text.replace("'p1 f', 'p2 cc'", "'p1 cc', 'p2 cc'").replace("'p2 sm 7c8c'", "'p1 sm', 'p2 sm 7c8c'")
    hands = list(read_phh(text))
    assert hands[0].unknown_stacks == (0,)
    compare(hands)


def test_hands_may_come_in_parts_and_at_tables_of_several_sizes() -> None:
    hands = list(read_phh((GOLDEN / "real-hands-60.phhs").read_text()))
    renamed = [replace(hand, names=tuple(f"player {seat}" for seat in range(len(hand.stacks)))) for hand in hands]
    whole, parts = tally_of(columns_of(renamed)), PlayerTally()
    for begin in range(0, 60, 7):
        parts.add(columns_of(renamed[begin : begin + 7]))
    for one, other in zip(whole.players(), parts.players(), strict=True):
        assert (one.name, one.player_counts) == (other.name, other.player_counts)
        np.testing.assert_allclose(shares(one), shares(other))
    *sizes, everything = whole.player("player 0")
    assert [row.player_counts for row in sizes] == [(2,), (6,), (9,)]
    assert sum(row.hand_count for row in sizes) == everything.hand_count == 60
    assert {player.name for player in whole.players([6])} == {f"player {seat}" for seat in range(6)}
    assert whole.player("nobody") == []


def test_players_without_names_are_not_counted() -> None:
    columns, _ = read_text(EXAMPLE.replace("players = ['Bob', 'Ann', 'Cy']\n", "").encode())
    tally = tally_of(columns)
    assert tally.hand_count == 3
    assert {player.name: player.hand_count for player in tally.players()} == {"Ann": 2, "Bob": 2, "Cy": 2}
