"""Spots from options or files, before they are solved.

A file holds a JSON object: the spot, or an object with the spot under "spot". docs/studying.md describes the fields.
"""

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from riverboat.cards import find_deck, parse_cards
from riverboat.clients.console.option_values import read_option, read_sizes
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import InvalidInput
from riverboat.ranges import parse_range
from riverboat.rules.bet_sizes import BetSizes
from riverboat.rules.state import PublicState
from riverboat.rules.variant import MOST_CHIPS
from riverboat.solving.subgame import F32
from riverboat.spots.spot import street_start
from riverboat.streets import STREETS, street_name


@dataclass(frozen=True, slots=True)
class SpotText:
    """A spot as people write it."""

    board: str
    pot: int
    stack: int  # behind for both: no more than the shorter of two unequal stacks can be lost
    oop: str
    ip: str
    sizes: str  # from the street of the board on
    deck: str = "52"
    names_streets: bool = False  # the sizes are those of every street, from preflop on


@dataclass(frozen=True, slots=True, eq=False)
class StudySpot:
    """A spot, ready to be solved."""

    public: PublicState
    ranges: F32  # [2, H]
    sizes: BetSizes


def read_spot(spot: SpotText) -> StudySpot:
    """Return a spot from its texts; a refusal names the option."""
    deck = read_option("--deck", lambda: find_deck(spot.deck))
    if not deck.is_holdem:
        raise Refused(f"--deck: {spot.deck} has no boards of 3 to 5 cards; docs/resolving.md solves the whole game")
    board = read_option("--board", lambda: tuple(parse_cards(spot.board)))
    ranges = [
        read_option(option, partial(parse_range, text, deck))
        for option, text in (("--oop", spot.oop), ("--ip", spot.ip))
    ]
    sizes = read_sizes("--sizes", spot.sizes)
    try:
        public = street_start(board, spot.pot, spot.stack, spot.deck)
    except InvalidInput as error:
        raise Refused(f"--{error.field}: {error.reason}" if error.field else str(error)) from None
    return StudySpot(public, np.array(ranges, np.float32), sizes if spot.names_streets else placed(sizes, public))


def placed(sizes: BetSizes, public: PublicState) -> BetSizes:
    """Return sizes that begin with the board's street as sizes of every street; one list is for all of them."""
    count, left = len(sizes.streets), public.streets_left + 1
    if count > left:
        name = street_name(public.street, len(public.variant.streets))
        follow = f"the {name} and the {left - 1} after it" if left > 1 else f"the {name} only"
        raise Refused(
            f"--sizes: {count} streets, but here they are for {follow}: sizes begin with the street of the board, no "
            "longer with preflop"
        )
    return BetSizes((sizes.streets[0],) * public.street + sizes.streets)


def read_stacks(text: str) -> tuple[int, ...]:
    """Return the chips behind: one number for both players, or those of the player out of position and in position."""
    parts = text.replace(" ", "").split(",")
    if len(parts) > 2 or not all(part.isdecimal() and 1 <= int(part) <= MOST_CHIPS for part in parts):
        raise Refused(f"--stack: {text[:20]!r} must be chips, like 900, or two stacks, like 900,1400")
    return tuple(map(int, parts))


def read_file(path: Path) -> SpotText:
    """Return the spot in a file."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Refused(f"--spot: {path}: {error.strerror or error}") from None
    except ValueError as error:
        raise Refused(f"--spot: {path}: not JSON: {error}") from None
    given = document.get("spot", document) if isinstance(document, dict) else document
    if not isinstance(given, dict):
        raise Refused(f"--spot: {path}: must be an object with a board, a pot and ranges")
    try:
        return SpotText(
            board=str(given["board"]),
            pot=_whole(given, "pot"),
            stack=_whole(given, "effective_stack"),
            oop=str(given["range_oop"]),
            ip=str(given["range_ip"]),
            sizes=_sizes(given),
            deck=str(given.get("deck", "52")),
            names_streets="sizes" not in given,
        )
    except KeyError as error:
        raise Refused(f"--spot: {path}: {error.args[0]!r} is missing") from None
    except (TypeError, ValueError) as error:
        raise Refused(f"--spot: {path}: {error}") from None


def _whole(given: dict[str, Any], name: str) -> int:
    chips = given[name]
    if not isinstance(chips, int) or isinstance(chips, bool):
        raise ValueError(f"{name!r} must be a whole number of chips, not {str(chips)[:20]!r}")
    return chips


def _sizes(given: dict[str, Any]) -> str:
    """Return sizes by street, or as in --sizes."""
    if "sizes" in given:
        return str(given["sizes"])
    if "streets" not in given:
        raise ValueError("'sizes' or 'streets' is missing")
    streets = given["streets"]
    if not isinstance(streets, dict) or not set(streets) <= set(STREETS):
        raise ValueError(f"'streets' must be an object with {', '.join(STREETS)}")
    return " / ".join(_street_sizes(streets[street]) if street in streets else "" for street in STREETS)


def _street_sizes(sizes: dict[str, Any]) -> str:
    all_in = " all-in" if sizes.get("allin") else ""
    parts = []
    for name in ("bet_fracs", "raise_fracs"):
        parts.append(" ".join(f"{float(size):.6g}p" for size in sizes.get(name, [])) + all_in)
    return "; ".join(parts)
