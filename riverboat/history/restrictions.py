"""A game's restrictions as fields of a PHH file, which other readers ignore.

    _raises_per_street = 2               # or one number for each street; 0 for any number
    _pot_cap = 2000                      # in the file's unit, like all amounts
    _no_all_in = true
    _bet_sizes = '0.5p 300 / 1p all-in'  # the notation of rules.bet_sizes

The file has a field only if the game has that restriction.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from riverboat.errors import InvalidInput, in_field
from riverboat.history.notation import to_amount, to_chips
from riverboat.rules.bet_sizes import BetSize, BetSizes, Unit, parse_bet_sizes
from riverboat.rules.variant import Variant

RAISES_PER_STREET, POT_CAP, NO_ALL_IN, BET_SIZES = "_raises_per_street", "_pot_cap", "_no_all_in", "_bet_sizes"
IN_WORDS = "_restrictions"  # the field of earlier versions: "2 raises a street, no all-in"
_FIELDS = (RAISES_PER_STREET, POT_CAP, NO_ALL_IN, BET_SIZES)
RESTRICTION_FIELDS = (*_FIELDS, IN_WORDS)
_MOST_RAISES = 2**31 - 1

_CAP_WORDS = re.compile(r"((?:any|\d{1,10})(?:/(?:any|\d{1,10}))*) raises? a street", re.ASCII)
_POT_WORDS = re.compile(r"bets until the pot is (\d[\d,]{0,20})", re.ASCII)
_SIZE_WORDS = re.compile(r"bets of (.+)")
_PERCENT = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)%", re.ASCII)


@dataclass(frozen=True, slots=True)
class GameRestrictions:
    """The restrictions of a file's game beyond those in the code of the game."""

    raise_caps: tuple[int, ...] | None = None  # by street; None for the usual caps
    pot_cap: int = 0
    all_in: bool = True
    bet_sizes: BetSizes | None = None


def read_restrictions(table: Mapping[str, Any], decimals: int, street_count: int) -> GameRestrictions:
    """Return the restrictions among the entries of a hand; an error names the field."""
    if IN_WORDS in table:
        if any(key in table for key in _FIELDS):
            raise InvalidInput(IN_WORDS, f"repeats what other fields say; {', '.join(_FIELDS)} are enough")
        with in_field(IN_WORDS):
            return _from_words(table[IN_WORDS], decimals, street_count)
    sizes = table.get(BET_SIZES)
    if sizes is not None and not isinstance(sizes, str):
        raise InvalidInput(BET_SIZES, "must be a text, like '0.5p 1p / 1p all-in'")
    forbidden = table.get(NO_ALL_IN, False)
    if not isinstance(forbidden, bool):
        raise InvalidInput(NO_ALL_IN, "must be true or false")
    with in_field(RAISES_PER_STREET):
        caps = _raise_caps(table.get(RAISES_PER_STREET), street_count)
    with in_field(POT_CAP):
        pot_cap = _pot_cap(table[POT_CAP], decimals) if POT_CAP in table else 0
    with in_field(BET_SIZES):
        return GameRestrictions(caps, pot_cap, not forbidden, None if sizes is None else _bet_sizes(sizes, decimals))


def _raise_caps(value: object, street_count: int) -> tuple[int, ...] | None:
    if value is None:
        return None
    caps = value if isinstance(value, list) else [value] * street_count
    if len(caps) != street_count:
        raise InvalidInput("", f"must be one number, or one for each of {street_count} streets, not {len(caps)}")
    for cap in caps:
        if isinstance(cap, bool) or not isinstance(cap, int) or not 0 <= cap <= _MOST_RAISES:
            raise InvalidInput("", f"{str(cap)[:20]!r} is not a number of raises; 0 is for any number")
    return tuple(caps)


def _pot_cap(value: object, decimals: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise InvalidInput("", f"{str(value)[:20]!r} is not a number of chips")
    return to_chips(value, decimals, 1)


def _bet_sizes(text: str, decimals: int) -> BetSizes:
    return _scaled(parse_bet_sizes(text), decimals)


def _scaled(sizes: BetSizes, places: int) -> BetSizes:
    """Return the same sizes in chips that are smaller by this many decimal places (larger if negative)."""

    def scaled(size: BetSize) -> BetSize:
        if size.unit is not Unit.CHIPS or not places:
            return size
        return replace(size, value=float(Decimal(repr(size.value)).scaleb(places)))

    streets = (tuple(tuple(map(scaled, part)) for part in street) for street in sizes.streets)
    return BetSizes(tuple((bets, raises) for bets, raises in streets))


def _from_words(words: object, decimals: int, street_count: int) -> GameRestrictions:
    """Return the restrictions that earlier versions wrote in words; amounts had no decimals then."""
    restrictions = GameRestrictions()
    for part in words.split(", ") if isinstance(words, str) else [""]:
        if caps := _CAP_WORDS.fullmatch(part):
            numbers = [0 if cap == "any" else int(cap) for cap in caps[1].split("/")]
            value = numbers if len(numbers) > 1 else numbers[0]
            restrictions = replace(restrictions, raise_caps=_raise_caps(value, street_count))
        elif pot := _POT_WORDS.fullmatch(part):
            restrictions = replace(restrictions, pot_cap=_pot_cap(int(pot[1].replace(",", "")), decimals))
        elif part == "no all-in":
            restrictions = replace(restrictions, all_in=False)
        elif sizes := _SIZE_WORDS.fullmatch(part):
            notation = sizes[1].replace("raises of ", "").replace("none", "")
            notation = _PERCENT.sub(lambda share: f"{Decimal(share[1]) / 100:f}p", notation)
            restrictions = replace(restrictions, bet_sizes=_bet_sizes(notation, decimals))
        else:
            why = f"cannot be read, so what the game allows is not known; write {', '.join(_FIELDS)} instead"
            raise InvalidInput("", f"{str(words)[:40]!r} {why}")
    return restrictions


def restriction_entries(variant: Variant, usual_cap: int, decimals: int) -> dict[str, Any]:
    """Return the fields for the restrictions of a game; `usual_cap` is the cap on raises that its code implies."""
    caps = [street.raise_cap for street in variant.streets]
    entries: dict[str, Any] = {}
    if any(cap != usual_cap for cap in caps):
        entries[RAISES_PER_STREET] = caps if len(set(caps)) > 1 else caps[0]
    if variant.pot_cap:
        entries[POT_CAP] = to_amount(variant.pot_cap, decimals)
    if not variant.all_in:
        entries[NO_ALL_IN] = True
    if variant.bet_sizes is not None:
        entries[BET_SIZES] = str(_scaled(variant.bet_sizes, -decimals))
    return entries
