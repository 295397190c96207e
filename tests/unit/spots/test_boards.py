"""Boards that differ only in the names of suits, and how likely they are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from riverboat.cards import find_deck, parse_cards
from riverboat.errors import TooLarge
from riverboat.holdings import holdings_of
from riverboat.ranges import parse_range
from riverboat.solving.best_response import exploitability, worth
from riverboat.solving.cfr import RECENT
from riverboat.solving.memory import Precision
from riverboat.solving.sampling import BoardSampler
from riverboat.solving.subgame import F64
from riverboat.spots.boards import Deals, deal_all, exchanges
from riverboat.spots.spot import build, street_start
from riverboat.utility import board_utility, runout_utility
from tests.unit.solving.games import solver, spot

DECK = find_deck("52")
EVERYTHING = np.ones((2, 1326), np.float32)


@pytest.mark.parametrize(
    ("board", "ranges", "count"),
    [
        ("QsJh2h", None, 36),  # clubs and diamonds are equivalent: 49 - 13
        ("QsJs2s", None, 23),  # three suits are equivalent: 10 spades and 13 others
        ("QsJh2d", None, 49),  # all suits differ, and so do the cards
        ("2s2h2d", None, 25),  # twelve other ranks in clubs or in one of three equal suits, and the two of clubs
        ("QsJh2h", "AcKc", 49),  # a range distinguishes clubs from diamonds
    ],
)
def test_how_many_turns_are_different(board: str, ranges: str | None, count: int) -> None:
    weights = EVERYTHING
    if ranges:
        weights = np.array([parse_range(ranges, DECK), EVERYTHING[1]], np.float32)
    deals = deal_all(DECK, parse_cards(board), 1, weights)
    assert deals.boards.count - 1 == count
    unseen = 52 - len(parse_cards(board))
    assert sum(1 + len(mirrors) for mirrors in deals.boards.mirrors[1:]) == unseen


def test_flops_before_any_card() -> None:
    deals = deal_all(DECK, (), 1, EVERYTHING)
    assert deals.boards.count - 1 == 1755
    assert sum(1 + len(mirrors) for mirrors in deals.boards.mirrors[1:]) == 22100


@settings(max_examples=10)
@given(st.lists(st.sampled_from(DECK.cards), min_size=3, max_size=4, unique=True))
def test_exchanges_form_a_group_that_leaves_the_board(board: list[int]) -> None:
    allowed = exchanges(DECK, board, EVERYTHING)
    keys = {exchange.cards for exchange in allowed}
    masks = holdings_of(DECK).masks
    for a in allowed:
        assert a.of(board) == tuple(sorted(board))
        assert sorted(a.holdings.tolist()) == list(range(1326))
        assert len(set(masks[a.holdings].tolist())) == 1326
        for b in allowed:
            assert tuple(a.cards[b.cards[card]] for card in range(52)) in keys


@pytest.mark.slow
@pytest.mark.parametrize("deck", ["24", "36"])
def test_the_same_result_with_and_without_mirrors(deck: str) -> None:
    where = spot("TsTh9c", 60, 120, "/ all-in / 1p / all-in", deck=deck, ranges=("AA-99,AKs,JTs", "AA-99,KQs,KQo"))
    mirrored, whole = (solver(build(where, isomorphic=flag), RECENT, Precision.DOUBLE) for flag in (True, False))
    assert mirrored.memory.layout.row_count < 0.8 * whole.memory.layout.row_count
    # Where two actions are worth the same, the last bit of a sum decides, and from then on they are different runs.
    mirrored.run(4)
    whole.run(4)
    assert worth(mirrored).cfvs == pytest.approx(worth(whole).cfvs, rel=1e-9, abs=1e-9)
    mirrored.run(250)
    whole.run(250)
    assert worth(mirrored).means == pytest.approx(worth(whole).means, abs=0.06)
    assert exploitability(mirrored) < 0.06


def test_isomorphic_boards_give_permuted_results() -> None:
    ranges = ("AA-99,AKs,JTs", "AA-99,KQs,KQo")
    one = spot("TsKh9sJc", 60, 120, "/ / 1p / 1p", deck="24", ranges=ranges)
    two = spot("ThKs9hJd", 60, 120, "/ / 1p / 1p", deck="24", ranges=ranges)  # s to h, h to s, c to d
    results = []
    for where in (one, two):
        solved = solver(build(where), RECENT, Precision.DOUBLE)
        solved.run(4)
        results.append(worth(solved).cfvs)
    deck = find_deck("24")
    masks = holdings_of(deck).masks.tolist()
    names = {0: 1, 1: 0, 2: 3, 3: 2}  # clubs, diamonds, hearts, spades
    for h, cards in enumerate(holdings_of(deck).cards.tolist()):
        there = masks.index(sum(1 << (card - card % 4 + names[card % 4]) for card in cards))
        assert results[0][:, h] == pytest.approx(results[1][:, there], rel=1e-6, abs=1e-6)


def pair_chances(deals: Deals, after: int, chance: F64) -> F64:
    """Return for each pair of holdings the sum of chances of the boards that allow both, mirrors included [H, H]."""
    boards = deals.boards
    chances = np.zeros((boards.live.shape[1],) * 2)
    for board in np.flatnonzero(boards.parent == after):
        for exchange in (np.arange(len(chances)), *boards.mirrors[board]):
            live = np.zeros(len(chances))
            live[exchange[boards.live[board]]] = chance[board]
            chances += np.outer(live > 0, live)
    return chances


def possible_pairs(deals: Deals, board: int) -> NDArray[np.bool_]:
    """Return which pairs of holdings are possible on a board [H, H]."""
    masks = holdings_of(find_deck("24")).masks
    live = deals.boards.live[board]
    possible: NDArray[np.bool_] = ((masks[:, None] & masks[None, :]) == 0) & live[:, None] & live[None, :]
    return possible


@pytest.mark.parametrize(("board", "deal_count"), [("TsTh9sKd", 1), ("TsTh9s", 2), ("", 1)])
def test_chances_add_up_to_one_for_every_two_holdings(board: str, deal_count: int) -> None:
    deals = deal_all(find_deck("24"), parse_cards(board), deal_count, np.ones((2, 276), np.float32))
    for after in {0, int(deals.boards.parent[-1])}:
        pairs = possible_pairs(deals, after)
        assert pair_chances(deals, after, deals.boards.chance)[pairs] == pytest.approx(1)


@pytest.mark.parametrize("count", [1, 4, 7])
def test_chances_of_samples_add_up_to_one_once_all_boards_have_had_their_turns(count: int) -> None:
    deals = deal_all(find_deck("24"), parse_cards("TsTh9sKd"), 1, np.ones((2, 276), np.float32))
    sampler = BoardSampler(deals.boards, count, np.random.default_rng(3))
    turns = deals.boards.count - 1
    for _ in range(2):
        total = np.zeros(deals.boards.count)
        for _ in range(turns):
            sample = sampler.next()
            assert len(sample.boards) == 1 + count
            total[sample.boards] += sample.chance[sample.boards]
        assert pair_chances(deals, 0, total / turns)[possible_pairs(deals, 0)] == pytest.approx(1)


@pytest.mark.parametrize("board", ["TsKh9sJc", "TsKh9s"])
def test_run_outs_as_the_oracle_counts_them(board: str) -> None:
    deck = find_deck("24")
    cards = tuple(parse_cards(board))
    matrix = board_utility(deck, cards).matrix()
    rows = np.arange(0, 276, 3, dtype=np.int32)
    columns = np.arange(1, 276, 5, dtype=np.int32)
    expected = np.nan_to_num(matrix[np.ix_(rows, columns)], nan=0.0)
    assert runout_utility(deck, cards, rows, columns) == pytest.approx(expected, abs=1e-6)


def test_street_starts() -> None:
    public = street_start(tuple(parse_cards("QsJh2h")), 100, 300)
    assert public.actor == 0
    assert public.pot == 100
    assert public.stacks == (300, 300)


def test_more_boards_than_anybody_can_solve_are_refused() -> None:
    with pytest.raises(TooLarge, match="51,979,200 boards"):
        deal_all(DECK, (), 3, EVERYTHING)
    with pytest.raises(TooLarge, match="2,598,960 run-outs"):
        runout_utility(DECK, (), np.arange(3, dtype=np.int32), np.arange(3, dtype=np.int32))
