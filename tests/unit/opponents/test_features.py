"""Features and classes of moves, beside the slow reference."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from riverboat.history.hand import History, replay
from riverboat.history.phh import read_phh
from riverboat.opponents.features import (
    FEATURE_COUNT,
    NAMES,
    record_move,
    record_size,
    situation_of,
    start_record,
    straight_share,
    write_features,
)
from riverboat.opponents.moves import FIRST_RAISE, SIZE_COUNT, class_of_move
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.events import Move
from riverboat.rules.state import PublicState, start
from riverboat.rules.variant import no_limit
from tests.reference import opponent_features as slow
from tests.unit.history.hands import histories

_SIZES = ("min", "1/4 pot", "1/2 pot", "3/4 pot", "pot", "3/2 pot", "2 pot")
MOVE_NAMES = ("fold", "check", "call", *(f"{kind} {size}" for kind in ("bet", "raise") for size in _SIZES))
REAL = Path(__file__).resolve().parents[2] / "golden" / "real-hands-60.phhs"


def compare(history: History) -> set[int]:
    """Compare all decisions of a hand; return the situations that came up."""
    states = list(replay(history))
    board = np.full(5, 255, np.uint8)
    board[: len(states[-1].board)] = states[-1].board
    record, out = np.empty(record_size(len(history.stacks)), np.int64), np.empty(FEATURE_COUNT)
    start_record(record)
    past: list[tuple[PublicState, int]] = []
    situations = set()
    for event, (before, after) in zip(history.events, pairwise(states), strict=True):
        if not isinstance(event, Move) or after is before:
            continue
        write_features(before.rules, before.flat, record, board, before.variant.big_blind, out)
        expected = slow.features(before, past)
        assert set(expected) == set(NAMES)
        np.testing.assert_allclose(out, [expected[name] for name in NAMES], rtol=1e-12, err_msg=str(NAMES))
        assert class_of_move(before.flat, event.action) == slow.move_class(before, event.action)
        record_move(before.rules, before.flat, record, event.action)
        past.append((before, event.action))
        situations.add(situation_of(before.street, before.to_call > 0))
    return situations


def test_real_hands() -> None:
    hands = list(read_phh(REAL.read_text()))
    assert set.union(*map(compare, hands)) == set(range(8))


@settings(max_examples=40, deadline=None)
@given(histories(codes=("NT", "FT"), step=1))
def test_random_hands(history: History) -> None:
    compare(history)


@pytest.mark.parametrize(
    ("to", "name"),
    [
        (100, "bet min"), (110, "bet min"), (140, "bet 1/4 pot"), (175, "bet 1/4 pot"), (213, "bet 1/2 pot"),
        (600, "bet pot"), (700, "bet pot"), (735, "bet 3/2 pot"), (1100, "bet 2 pot"), (5000, "bet 2 pot"),
    ],
)  # fmt: skip
def test_sizes_are_mapped_by_their_ratios(to: int, name: str) -> None:
    state = start(no_limit(50, 100), [10_000] * 2).play(300).play(CALL).deal((0, 5, 10))
    assert state.pot == 600
    assert MOVE_NAMES[class_of_move(state.flat, to)] == name


def test_the_other_classes() -> None:
    state = start(no_limit(50, 100), [10_000] * 2)
    assert len(MOVE_NAMES) == FIRST_RAISE + SIZE_COUNT == 17
    assert [MOVE_NAMES[class_of_move(state.flat, move)] for move in (FOLD, CALL, 200, 300)] == [
        "fold",
        "call",
        "raise min",
        "raise pot",
    ]
    assert MOVE_NAMES[class_of_move(state.play(CALL).flat, CALL)] == "check"


def test_straights_on_some_boards() -> None:
    for text in ((0, 5, 10), (48, 1, 6), (0, 1, 2, 3), (20, 25, 30, 35, 40), (12, 30, 51)):
        ranks = np.bincount(np.array(text) // 4, minlength=13)
        assert straight_share(ranks) == pytest.approx(slow.straight_share(text))


def test_no_private_card_is_used() -> None:
    hands = list(read_phh(REAL.read_text()))[:20]
    for hand in hands:
        compare(replace(hand, holdings=tuple(None for _ in hand.stacks)))
