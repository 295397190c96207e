"""Effective hand strength: tables and rollouts against enumeration, and against each other."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from riverboat.equity.effective_strength import (
    StrengthTables,
    board_kinds,
    board_place,
    strength_tables,
    suit_exchanges,
    table_strength,
)
from riverboat.equity.river_strength import river_strength, rolled_strength
from riverboat.strength.single_hand import strength_of_seven


@pytest.fixture(scope="module")
def tables() -> StrengthTables:
    return strength_tables()


def cards(seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).permutation(52)[:7].astype(np.int64)


@pytest.mark.parametrize("seed", range(4))
def test_on_the_river_one_and_two_opponents_are_exact(seed: int) -> None:
    dealt = cards(seed)
    first, second, board = int(dealt[0]), int(dealt[1]), dealt[2:]
    rest = [card for card in range(52) if card not in dealt]
    mine = strength_of_seven(first, second, *board)
    theirs = {pair: strength_of_seven(*pair, *board) for pair in combinations(rest, 2)}
    share = np.mean([(mine > other) + 0.5 * (mine == other) for other in theirs.values()])
    assert river_strength(first, second, board, 1) == pytest.approx(share)
    weaker, up_to = ([set(pair) for pair, other in theirs.items() if other < limit] for limit in (mine, mine + 1))
    disjoint = [sum(not a & b for a in some for b in some) / (990 * 903) for some in (weaker, up_to)]
    assert river_strength(first, second, board, 2) == pytest.approx(sum(disjoint) / 2)


@pytest.mark.parametrize("size", [0, 3, 4, 5])
def test_tables_are_closer_than_a_thousand_rollouts(tables: StrengthTables, size: int) -> None:
    state, by_table, by_rollouts = np.array([size], np.uint64), [], []
    for seed, opponents in enumerate((1, 2, 4, 8)):
        dealt = cards(10 + seed)
        first, second, board = int(dealt[0]), int(dealt[1]), dealt[2:]
        truth = rolled_strength(first, second, board, size, opponents, 40_000, state)
        by_table.append(table_strength(tables, first, second, board, size, opponents) - truth)
        by_rollouts.append(rolled_strength(first, second, board, size, opponents, 1000, state) - truth)
    assert max(map(abs, by_table)) < 0.012  # four standard errors of the truth itself are 0.01
    assert max(map(abs, by_rollouts)) < 0.08


def test_against_one_opponent_a_turn_is_the_equity(tables: StrengthTables) -> None:
    dealt = cards(3)
    holding, board = tuple(dealt[:2].tolist()), tuple(dealt[2:6].tolist())
    first, second = holding
    rest = [card for card in range(52) if card not in dealt[:6]]
    shares = [river_strength(first, second, np.array([*board, river], np.int64), 1) for river in rest]
    assert table_strength(tables, first, second, dealt[2:], 4, 1) == pytest.approx(np.mean(shares), abs=0.5 / 255)


def test_names_of_suits_do_not_matter(tables: StrengthTables) -> None:
    dealt = cards(5)
    turned = dealt - dealt % 4 + (dealt % 4 + 1) % 4
    for size in (0, 3, 4):
        here = table_strength(tables, int(dealt[0]), int(dealt[1]), dealt[2:], size, 3)
        board = np.sort(turned[2 : 2 + size])[::-1].copy()
        assert here == table_strength(tables, int(turned[1]), int(turned[0]), board, size, 3)


def test_places_of_boards_are_all_different() -> None:
    boards = [np.array(board, np.int64) for board in combinations(range(52), 3)]
    assert sorted(board_place(board[::-1].copy(), 3) for board in boards) == list(range(22100))
    assert len(np.unique(board_kinds(3).kinds)) == 1755
    assert suit_exchanges().shape == (24, 1326)
