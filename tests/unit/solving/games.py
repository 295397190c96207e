"""Subgames for tests."""

import numpy as np

from benchmarks.golden_spots import GOLDEN as GOLDEN
from benchmarks.golden_spots import golden as golden
from riverboat.cards import find_deck, parse_cards
from riverboat.holdings import holdings_of
from riverboat.ranges import parse_range
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.variant import KUHN, LEDUC
from riverboat.solving.capture import captured
from riverboat.solving.cfr import Algorithm, Solver, new_solver
from riverboat.solving.memory import Precision
from riverboat.solving.subgame import F64
from riverboat.spots.spot import BuiltSpot, Spot, build, street_start, whole_game

ALL_IN = parse_bet_sizes("all-in")


def kuhn() -> BuiltSpot:
    return build(whole_game(KUHN, 2, ALL_IN))


def leduc(isomorphic: bool = True) -> BuiltSpot:
    return build(whole_game(LEDUC, 13, ALL_IN), isomorphic=isomorphic)


def spot(board: str, pot: int, stack: int, sizes: str, deck: str = "52", ranges: tuple[str, str] | None = None) -> Spot:
    cards = find_deck(deck)
    weights = np.ones((2, holdings_of(cards).count), np.float32)
    if ranges is not None:
        weights = np.array([parse_range(text, cards) for text in ranges], np.float32)
    return Spot(street_start(tuple(parse_cards(board)), pot, stack, deck), weights, parse_bet_sizes(sizes))


def solver(built: BuiltSpot, algorithm: Algorithm, precision: Precision = Precision.SINGLE, threads: int = 1) -> Solver:
    return new_solver(built.subgame, algorithm, precision=precision, threads=threads)


def values_on(solved: Solver, player: int, purpose: int, board: int = 0) -> F64:
    """Return a player's counterfactual values at all lines of one board [lines of its level, H]."""
    live = captured(solved, player, purpose, board)
    every = np.zeros((len(live.rows), live.holding_count))
    every[:, live.holdings] = live.rows
    return every
