"""Hands in the PHH format (Poker Hand History, phh.readthedocs.io): .phh with one hand, .phhs with many.

Players p1, p2 and so on are our seats 0, 1 and so on; with two players lists of blinds and antes are turned
around, as ours are. Where amounts have a fraction, a chip is the smallest of its decimals: `History.decimals`
says how many there are. Commentary inside of actions is not kept. What a game allows less than its code says is in
fields of our own (`history.restrictions`).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Any

from riverboat.cards import DECKS
from riverboat.errors import InvalidInput, in_field
from riverboat.history.hand import History, check_holdings
from riverboat.history.notation import format_actions, raises_with_a_point, read_actions, to_amount, to_chips
from riverboat.history.restrictions import (
    BET_SIZES,
    IN_WORDS,
    POT_CAP,
    RAISES_PER_STREET,
    RESTRICTION_FIELDS,
    GameRestrictions,
    read_restrictions,
    restriction_entries,
)
from riverboat.history.toml_sections import sections
from riverboat.history.toml_text import format_entry
from riverboat.rules.state import check_stacks
from riverboat.rules.variant import Street, Structure, Variant

# Code of a variant: its name here, its deck, its structure.
_VARIANTS = {
    "NT": ("no-limit hold'em", "52", Structure.NO_LIMIT),
    "NS": ("no-limit short-deck hold'em", "36", Structure.NO_LIMIT),
    "FT": ("fixed-limit hold'em", "52", Structure.FIXED_LIMIT),
}
_BOARD_COUNTS = (0, 3, 1, 1)
_FIXED_CAP = 4  # bets and raises on a street of FT
_MOST_DECIMALS = 4
_BETS = ("min_bet", "small_bet", "big_bet", POT_CAP)
_AMOUNTS = ("antes", "blinds_or_straddles", *_BETS, "starting_stacks", "finishing_stacks")
_OURS = {*_AMOUNTS, *RESTRICTION_FIELDS, "variant", "actions", "players", "hand"}


def read_phh(text: str) -> Iterator[History]:
    """Yield the hands of a .phh or .phhs file, one after another; an error names the line."""
    for section in sections(text):
        table = section.table()
        try:
            history = _read(_Fields(table, _decimals(table)), section.line)
        except InvalidInput as error:
            raise InvalidInput(f"line {section.line_of(error.field)}", str(error)) from None
        yield history


def _decimals(table: Mapping[str, Any]) -> int:
    """Return how many decimals the amounts of a hand have; 0 if all of them are whole."""
    values = [table.get(key) for key in _AMOUNTS]
    numbers = [x for value in values for x in (value if isinstance(value, list) else [value])]
    actions = table.get("actions")
    points = [x for x in numbers if isinstance(x, Decimal) and x.is_finite()]
    points += raises_with_a_point(actions) if isinstance(actions, list) else []
    if all(x == x.to_integral_value() for x in points):
        return 0
    places = max(-int(x.as_tuple().exponent) for x in points)
    if places > _MOST_DECIMALS:
        raise InvalidInput("", f"amounts with {places} decimals are not supported; at most {_MOST_DECIMALS} are")
    return places


@dataclass(frozen=True, slots=True)
class _Fields:
    """The entries of a hand, each checked when it is read."""

    table: Mapping[str, Any]
    decimals: int

    def values(self, key: str, count: int | None = None) -> list[Any]:
        """Return a list, with one entry for each player if `count` says how many there are."""
        value = self.table.get(key)
        if value is None:
            raise InvalidInput(key, "is missing")
        if not isinstance(value, list):
            raise InvalidInput(key, "must be a list")
        if count is not None and len(value) != count:
            raise InvalidInput(key, f"must have one entry for each of the {count} starting_stacks, not {len(value)}")
        return value

    def chips(self, key: str, count: int | None = None, least: int = 0) -> tuple[int, ...]:
        """Return a list of numbers of chips."""
        values = self.values(key, count)
        with in_field(key):
            return tuple([self._chips(value, least) for value in values])

    def bet(self, key: str) -> int:
        """Return one number of chips."""
        if key not in self.table:
            raise InvalidInput(key, f"is missing; {self.table['variant']} needs it")
        with in_field(key):
            return self._chips(self.table[key], 1)

    def _chips(self, value: object, least: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise InvalidInput("", f"{str(value)[:20]!r} is not a number of chips")
        return to_chips(value, self.decimals, least)


def _read(fields: _Fields, line: int) -> History:
    table = fields.table
    stacks = fields.chips("starting_stacks", least=1)
    variant = _variant_of(fields, len(stacks))
    try:
        check_stacks(variant, stacks)
    except InvalidInput as error:
        raise InvalidInput("starting_stacks", error.reason) from None
    holdings, events = read_actions(fields.values("actions"), len(stacks), fields.decimals)
    names = fields.values("players", len(stacks)) if "players" in table else []
    if not all(isinstance(name, str) for name in names):
        raise InvalidInput("players", "names must be texts")
    label = table.get("hand")
    if label is not None and (isinstance(label, bool) or not isinstance(label, int | str)):
        raise InvalidInput("hand", "must be a number or a text")
    final = fields.chips("finishing_stacks", len(stacks)) if "finishing_stacks" in table else None
    extra = {key: value for key, value in table.items() if key not in _OURS}
    if extra.get("ante_trimming_status") == _is_trimmed(variant):
        del extra["ante_trimming_status"]  # the variant says it
    history = History(
        variant=variant,
        stacks=stacks,
        holdings=holdings,
        events=events,
        names=tuple(names),
        finishing_stacks=final,
        label=label,
        extra=extra,
        decimals=fields.decimals,
        line=line,
    )
    try:
        check_holdings(history)
    except InvalidInput as error:
        raise InvalidInput("actions", str(error)) from None
    return history


def _variant_of(fields: _Fields, count: int) -> Variant:
    code = fields.table.get("variant")
    if code is None:
        raise InvalidInput("variant", "is missing")
    if not isinstance(code, str) or code not in _VARIANTS:
        known = ", ".join(f"{key} ({name})" for key, (name, _, _) in _VARIANTS.items())
        raise InvalidInput("variant", f"{str(code)[:20]!r} is not supported; {known} are")
    if "bring_in" in fields.table:
        raise InvalidInput("bring_in", "bring-ins are not supported")
    first, later = [fields.bet(key) for key in (("small_bet", "big_bet") if code == "FT" else ("min_bet", "min_bet"))]
    restrictions = read_restrictions(fields.table, fields.decimals, len(_BOARD_COUNTS))
    in_words = IN_WORDS in fields.table
    if code == "FT" and not all(1 <= cap <= _FIXED_CAP for cap in restrictions.raise_caps or ()):
        key = IN_WORDS if in_words else RAISES_PER_STREET
        raise InvalidInput(key, f"fixed limit has 1 to {_FIXED_CAP} bets and raises on a street")
    try:
        return _variant(code, (first, later), _blinds(fields, count), _antes(fields, count), restrictions)
    except InvalidInput as error:
        if error.field != "bet_sizes":
            raise
        raise InvalidInput(IN_WORDS if in_words else BET_SIZES, error.reason) from None


@lru_cache(maxsize=1024)
def _variant(
    code: str, bets: tuple[int, int], blinds: tuple[int, ...], antes: tuple[int, ...], restrictions: GameRestrictions
) -> Variant:
    name, deck, structure = _VARIANTS[code]
    first, later = bets
    caps = restrictions.raise_caps or (_usual_cap(code),) * len(_BOARD_COUNTS)
    streets = tuple(map(Street, _BOARD_COUNTS, (first, first, later, later), caps))
    # People fold where they could check, and such a record is valid.
    unrestricted = Variant(
        name=name, deck=DECKS[deck], structure=structure, streets=streets, blinds=blinds, antes=antes, free_folds=True
    )
    return replace(
        unrestricted, pot_cap=restrictions.pot_cap, all_in=restrictions.all_in, bet_sizes=restrictions.bet_sizes
    )


def _usual_cap(code: str) -> int:
    """Return the bets and raises on a street where a file does not say how many; 0 for any number."""
    return _FIXED_CAP if code == "FT" else 0


def _blinds(fields: _Fields, count: int) -> tuple[int, ...]:
    key = "blinds_or_straddles"
    if any(isinstance(value, int | Decimal) and value < 0 for value in fields.values(key, count)):
        raise InvalidInput(key, "negative ones, which are blinds of newcomers, are not supported")
    blinds = list(fields.chips(key, count))
    while blinds and not blinds[-1]:
        blinds.pop()
    if blinds != sorted(blinds):
        wanted = "each must be at least as large as the one before it"
        raise InvalidInput(key, f"dead blinds and straddles out of turn are not supported: {wanted}")
    return tuple(blinds)


def _antes(fields: _Fields, count: int) -> tuple[int, ...]:
    antes = fields.chips("antes", count)
    trimmed = fields.table.get("ante_trimming_status", False)
    if not isinstance(trimmed, bool):
        raise InvalidInput("ante_trimming_status", "must be true or false")
    if not any(antes):
        return ()
    if not trimmed:
        return antes  # by seat, which makes them dead
    if len(set(antes)) > 1:
        raise InvalidInput("antes", "antes that differ from seat to seat need ante_trimming_status = false")
    return antes[:1]


def _is_trimmed(variant: Variant) -> bool:
    """Return whether a player who is short of the ante wins only as much of the others' antes.

    Without antes it makes no difference.
    """
    return len(variant.antes) <= 1


def write_phh(histories: Iterable[History]) -> str:
    """Return hands as a .phhs file, numbered from 1."""
    return "\n".join(f"[{number}]\n{write_hand(history)}" for number, history in enumerate(histories, start=1))


def write_hand(history: History) -> str:
    """Return one hand as a .phh file."""
    return "".join(f"{line}\n" for line in _lines(history))


def _lines(history: History) -> Iterator[str]:
    variant, count = history.variant, len(history.stacks)
    code, bets = code_of(variant), [street.bet for street in variant.streets]
    # With two players the lists begin with the button.
    seats = range(count) if count > 2 else range(count - 1, -1, -1)
    extra = {"ante_trimming_status": _is_trimmed(variant), **history.extra}

    def amounts(chips: Iterable[int]) -> list[int | Decimal]:
        return [to_amount(x, history.decimals) for x in chips]

    yield format_entry("variant", code)
    yield format_entry("ante_trimming_status", extra.pop("ante_trimming_status"))
    yield format_entry("antes", amounts(variant.ante_of(seat, count) for seat in seats))
    yield format_entry("blinds_or_straddles", amounts(variant.blind_of(seat, count) for seat in seats))
    limits = {"small_bet": bets[0], "big_bet": bets[-1]} if code == "FT" else {"min_bet": bets[0]}
    yield from (format_entry(key, to_amount(bet, history.decimals)) for key, bet in limits.items())
    restrictions = restriction_entries(variant, _usual_cap(code), history.decimals)
    yield from (format_entry(key, value) for key, value in restrictions.items())
    yield format_entry("starting_stacks", amounts(history.stacks))
    yield format_entry("actions", list(format_actions(history)))
    if history.label is not None:
        yield format_entry("hand", history.label)
    if history.names:
        yield format_entry("players", history.names)
    if history.finishing_stacks is not None:
        yield format_entry("finishing_stacks", amounts(history.finishing_stacks))
    yield from (format_entry(key, value) for key, value in extra.items())


def code_of(variant: Variant) -> str:
    """Return the variant's code in PHH; raise InvalidInput if it has none."""
    bets = [street.bet for street in variant.streets]
    caps = {street.raise_cap for street in variant.streets}
    holdem = tuple(street.board_count for street in variant.streets) == _BOARD_COUNTS
    for code, (_, deck, structure) in _VARIANTS.items():
        if not holdem or (variant.deck.name, variant.structure) != (deck, structure):
            continue
        # A restricted game keeps its code; our own fields hold the restrictions.
        fixed = bets[0] == bets[1] and bets[2] == bets[3] and 0 not in caps and max(caps) <= _FIXED_CAP
        if fixed if structure is Structure.FIXED_LIMIT else len(set(bets)) == 1:
            return code
    known = ", ".join(f"{code} ({name})" for code, (name, _, _) in _VARIANTS.items())
    raise InvalidInput("variant", f"PHH has no code for {variant.name} as it is played here; it has {known}")
