"""Which raises are allowed besides what the rules allow: sizes from a list, for each street.

Sizes are written as players do, separated by commas or spaces, streets by slashes:

    0.5p  half the pot      2b  two big blinds      300  chips      all-in      "0.5p 1p / 1p all-in"

Sizes after a semicolon are for raises, those before it then only for bets: "0.5p 1p; 1p all-in".

Each is what a bet or raise adds to the bet it answers. "The pot" is what it would be after a call. A size
below the smallest legal raise becomes that, one above the largest becomes that, and equal ones are one.
The last street in the list is also for the streets after it; a street without sizes has no raises.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.kernels import kernel
from riverboat.rules.betting import BET, HIGH, LOW, POT, TO_CALL
from riverboat.rules.state import PublicState
from riverboat.rules.variant import Variant

I64 = NDArray[np.int64]
MOST_SIZES = 16  # on one street
LONGEST_TEXT = 2_000
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,6})?|\.\d{1,6})(p|b|)")


class Unit(IntEnum):
    """What a size is counted in."""

    CHIPS = 0
    BLINDS = 1
    POT = 2
    ALL_IN = 3


@dataclass(frozen=True, slots=True)
class BetSize:
    """How much a bet or raise adds."""

    unit: Unit
    value: float = 0.0

    def __str__(self) -> str:
        return "all-in" if self.unit is Unit.ALL_IN else f"{self.value:.15g}" + ("", "b", "p")[self.unit]


@dataclass(frozen=True, slots=True)
class BetSizes:
    """The sizes of each street: of bets, and of raises, which answer a bet (before the flop: or a blind)."""

    streets: tuple[tuple[tuple[BetSize, ...], tuple[BetSize, ...]], ...]

    def __str__(self) -> str:
        return " / ".join(_format_street(bets, raises) for bets, raises in self.streets)

    def on(self, street: int) -> tuple[tuple[BetSize, ...], tuple[BetSize, ...]]:
        """The sizes of one street, of bets and of raises."""
        return self.streets[min(street, len(self.streets) - 1)] if self.streets else ((), ())


def _format_street(bets: tuple[BetSize, ...], raises: tuple[BetSize, ...]) -> str:
    text = " ".join(map(str, bets))
    return text if bets == raises else f"{text}; {' '.join(map(str, raises))}"


def parse_bet_sizes(text: str) -> BetSizes:
    """Sizes from their notation."""
    if len(text) > LONGEST_TEXT:
        raise InvalidInput("", f"{len(text):,} characters are too many for a list of sizes ({LONGEST_TEXT:,})")
    streets = []
    for part in text.split("/"):
        bets, semicolon, raises = part.partition(";")
        streets.append((_parse_sizes(bets), _parse_sizes(raises if semicolon else bets)))
    return BetSizes(tuple(streets))


def _parse_sizes(text: str) -> tuple[BetSize, ...]:
    sizes = tuple(_parse_size(item) for item in text.replace(",", " ").split())
    if len(sizes) > MOST_SIZES:
        raise InvalidInput("", f"{len(sizes)} sizes are too many for a street ({MOST_SIZES})")
    return sizes


def _parse_size(text: str) -> BetSize:
    if text.lower() in ("all-in", "allin", "a"):
        return BetSize(Unit.ALL_IN)
    match = _SIZE.fullmatch(text.lower())
    if not match or float(match[1]) <= 0:
        ways = "0.5p (of the pot), 2b (blinds), 300 (chips) or all-in"
        raise InvalidInput("", f"{text[:20]!r} is not a size; write {ways}")
    return BetSize({"p": Unit.POT, "b": Unit.BLINDS, "": Unit.CHIPS}[match[2]], float(match[1]))


class SizeTable(NamedTuple):
    """Sizes as kernels read them: bets of street s are starts[2s] up to starts[2s + 1], then come its raises."""

    units: I64
    values: NDArray[np.float64]  # blinds already in chips
    starts: I64


def size_table(sizes: BetSizes, variant: Variant) -> SizeTable:
    """Sizes for the streets of a variant."""
    chosen = [part for street in range(len(variant.streets)) for part in sizes.on(street)]
    flat = [size for street in chosen for size in street]
    worth = [size.value * variant.big_blind if size.unit is Unit.BLINDS else size.value for size in flat]
    units = [int(Unit.CHIPS if size.unit is Unit.BLINDS else size.unit) for size in flat]
    starts = np.cumsum([0, *(len(street) for street in chosen)])
    return SizeTable(np.array(units, np.int64), np.array(worth, np.float64), starts.astype(np.int64))


_POT, _ALL_IN = int(Unit.POT), int(Unit.ALL_IN)


@kernel
def write_raises(state: I64, street: int, sizes: SizeTable, out: I64) -> int:
    """What the actor may raise to, in ascending order, into `out`; how many there are."""
    low, high = state[LOW], state[HIGH]
    if high == 0:
        return 0
    count = 0
    part = 2 * street + (state[BET] > 0)
    for i in range(sizes.starts[part], sizes.starts[part + 1]):
        by = sizes.values[i]
        if sizes.units[i] == _POT:
            by *= state[POT] + state[TO_CALL]
        to = high
        if sizes.units[i] != _ALL_IN and by < high:  # beyond that it is all chips, and may be too much for an integer
            to = min(high, max(low, state[BET] + np.int64(by + 0.5)))
        place = 0
        while place < count and out[place] < to:
            place += 1
        if place == count or out[place] != to:
            for j in range(count, place, -1):
                out[j] = out[j - 1]
            out[place] = to
            count += 1
    return count


def sized_raises(public: PublicState, sizes: BetSizes) -> tuple[int, ...]:
    """What the actor may raise to by these sizes, in ascending order."""
    out = np.empty(MOST_SIZES, np.int64)
    count = write_raises(public.flat, public.street, size_table(sizes, public.variant), out)
    return tuple(out[:count].tolist())


def restricted_actions(public: PublicState, sizes: BetSizes) -> tuple[int, ...]:
    """All actions of the actor by these sizes: fold (where there is something to call), call, raises."""
    actions: Sequence[int] = (-1, 0) if public.can_play(-1) else (0,)
    return (*actions, *sized_raises(public, sizes)) if public.actor is not None else ()
