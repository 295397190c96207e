"""Spots that another program has solved, for benchmarks and tests."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from riverboat.cards import find_deck, parse_cards
from riverboat.ranges import parse_range
from riverboat.rules.bet_sizes import BetSizes, parse_bet_sizes
from riverboat.spots.spot import Spot, street_start
from riverboat.streets import STREETS

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "spots"


def golden(name: str) -> tuple[Spot, dict[str, Any]]:
    """Return a spot, and another program's solution of it."""
    solved = json.loads((GOLDEN / f"{name}.json").read_text())
    given = solved["spot"]
    deck = find_deck("52")
    weights = np.array([parse_range(given[key], deck) for key in ("range_oop", "range_ip")], np.float32)
    public = street_start(tuple(parse_cards(given["board"])), given["pot"], given["effective_stack"])
    return Spot(public, weights, golden_sizes(given["streets"])), solved["reference"]


def golden_sizes(streets: dict[str, Any]) -> BetSizes:
    """Return the bet sizes of a golden spot."""
    parts = []
    for street in STREETS:
        sizes = streets.get(street, {"bet_fracs": [], "raise_fracs": [], "allin": False})
        all_in = " all-in" if sizes["allin"] else ""
        bets, raises = (" ".join(f"{x}p" for x in sizes[key]) + all_in for key in ("bet_fracs", "raise_fracs"))
        parts.append(f"{bets}; {raises}")
    return parse_bet_sizes(" / ".join(parts))
