"""Subgames for tests."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from riverboat.cards import find_deck, parse_cards
from riverboat.holdings import holdings_of
from riverboat.ranges import parse_range
from riverboat.rules.bet_sizes import BetSizes, parse_bet_sizes
from riverboat.rules.variant import KUHN, LEDUC
from riverboat.solving.capture import captured
from riverboat.solving.cfr import Algorithm, Solver, new_solver
from riverboat.solving.memory import Precision
from riverboat.solving.subgame import F64
from riverboat.spots.spot import BuiltSpot, Spot, build, street_start, whole_game

GOLDEN = Path(__file__).parents[2] / "golden" / "spots"
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


def golden(name: str) -> tuple[Spot, dict[str, Any]]:
    """A spot that another program has solved, and its solution."""
    document = json.loads((GOLDEN / f"{name}.json").read_text())
    given = document["spot"]
    deck = find_deck("52")
    weights = np.array([parse_range(given[key], deck) for key in ("range_oop", "range_ip")], np.float32)
    public = street_start(tuple(parse_cards(given["board"])), given["pot"], given["effective_stack"])
    return Spot(public, weights, golden_sizes(given["streets"])), document["reference"]


def golden_sizes(streets: dict[str, Any]) -> BetSizes:
    parts = []
    for street in ("preflop", "flop", "turn", "river"):
        sizes = streets.get(street, {"bet_fracs": [], "raise_fracs": [], "allin": False})
        all_in = " all-in" if sizes["allin"] else ""
        bets, raises = (" ".join(f"{x}p" for x in sizes[key]) + all_in for key in ("bet_fracs", "raise_fracs"))
        parts.append(f"{bets}; {raises}")
    return parse_bet_sizes(" / ".join(parts))


def solver(built: BuiltSpot, algorithm: Algorithm, precision: Precision = Precision.SINGLE, threads: int = 1) -> Solver:
    return new_solver(built.subgame, algorithm, precision=precision, threads=threads)


def values_on(solved: Solver, player: int, purpose: int, board: int = 0) -> F64:
    """A player's counterfactual values at all lines of one board [lines of its level, H]."""
    live = captured(solved, player, purpose, board)
    every = np.zeros((len(live.rows), live.holding_count))
    every[:, live.holdings] = live.rows
    return every
