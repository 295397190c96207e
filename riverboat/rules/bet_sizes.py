"""Sizes of bets and raises, as a list for each street: those that a game allows, or those that a tree has.

Sizes are written as players do, separated by commas or spaces, streets by slashes:

    0.5p  half the pot      2b  two big blinds      300  chips      all-in      "0.5p 1p / 1p all-in"

Sizes after a semicolon are for raises, those before it then only for bets: "0.5p 1p; 1p all-in".

A size is the number of chips that a bet or raise adds to the bet it answers; "the pot" is the pot after a
call. A size below the smallest legal raise becomes that raise, a size above the largest becomes the largest,
and equal sizes count once. Streets after the last one in the list have its sizes; a street without sizes has
no raises.
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate

from riverboat.errors import InvalidInput

MOST_SIZES = 16  # on one street
LONGEST_TEXT = 2_000
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,6})?|\.\d{1,6})(p|b|)")


class Unit(IntEnum):
    """The unit of a bet size."""

    CHIPS = 0
    BLINDS = 1
    POT = 2
    ALL_IN = 3


@dataclass(frozen=True, slots=True)
class BetSize:
    """The size of a bet or raise: what it adds to the bet it answers."""

    unit: Unit
    value: float = 0.0

    def __str__(self) -> str:
        if self.unit is Unit.ALL_IN:
            return "all-in"
        # The notation has six decimals and no exponents such as 1e-05.
        return f"{self.value:.6f}".rstrip("0").rstrip(".") + ("", "b", "p")[self.unit]


@dataclass(frozen=True, slots=True)
class BetSizes:
    """The sizes of each street: of bets, and of raises, which answer a bet (before the flop also a blind)."""

    streets: tuple[tuple[tuple[BetSize, ...], tuple[BetSize, ...]], ...]

    def __str__(self) -> str:
        return " / ".join(_format_street(bets, raises) for bets, raises in self.streets)

    def on(self, street: int) -> tuple[tuple[BetSize, ...], tuple[BetSize, ...]]:
        """Return the sizes of one street, of bets and of raises."""
        return self.streets[min(street, len(self.streets) - 1)] if self.streets else ((), ())


def _format_street(bets: tuple[BetSize, ...], raises: tuple[BetSize, ...]) -> str:
    text = " ".join(map(str, bets))
    return text if bets == raises else f"{text}; {' '.join(map(str, raises))}"


def parse_bet_sizes(text: str) -> BetSizes:
    """Return sizes from their notation."""
    if len(text) > LONGEST_TEXT:
        raise InvalidInput(
            "", f"{len(text):,} characters are too many for a list of sizes; the limit is {LONGEST_TEXT:,}"
        )
    streets = []
    for part in text.split("/"):
        bets, semicolon, raises = part.partition(";")
        streets.append((_parse_sizes(bets), _parse_sizes(raises if semicolon else bets)))
    return BetSizes(tuple(streets))


def _parse_sizes(text: str) -> tuple[BetSize, ...]:
    sizes = tuple(_parse_size(item) for item in text.replace(",", " ").split())
    if len(sizes) > MOST_SIZES:
        raise InvalidInput("", f"{len(sizes)} sizes are too many for a street; the limit is {MOST_SIZES}")
    return sizes


def _parse_size(text: str) -> BetSize:
    if text.lower() in ("all-in", "allin", "a"):
        return BetSize(Unit.ALL_IN)
    match = _SIZE.fullmatch(text.lower())
    if not match or float(match[1]) <= 0:
        ways = "0.5p (of the pot), 2b (blinds), 300 (chips) or all-in"
        raise InvalidInput("", f"{text[:20]!r} is not a size; write {ways}")
    return BetSize({"p": Unit.POT, "b": Unit.BLINDS, "": Unit.CHIPS}[match[2]], float(match[1]))


# Sizes as kernels read them, in one array: the place of the first size of each part, and the number of sizes (the bets
# of street s are part 2s, its raises part 2s + 1); then the unit of each size; then its value: chips (blinds already in
# chips), or millionths of the pot.
POT_SHARES = 1_000_000
_MOST_VALUE = 2**62


def flat_sizes(sizes: BetSizes, street_count: int, big_blind: int) -> list[int]:
    """Return sizes for the streets of a game as kernels read them."""
    parts = [part for street in range(street_count) for part in sizes.on(street)]
    sizes_in_order = [size for part in parts for size in part]
    starts = accumulate((len(part) for part in parts), initial=0)
    units = (int(Unit.CHIPS if size.unit is Unit.BLINDS else size.unit) for size in sizes_in_order)
    return [*starts, *units, *(_flat_value(size, big_blind) for size in sizes_in_order)]


def _flat_value(size: BetSize, big_blind: int) -> int:
    scale = {Unit.BLINDS: big_blind, Unit.POT: POT_SHARES}.get(size.unit, 1)
    return min(_MOST_VALUE, int(size.value * scale + 0.5))
