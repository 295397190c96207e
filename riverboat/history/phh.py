"""Hands in the PHH format (Poker Hand History, phh.readthedocs.io): .phh with one hand, .phhs with many.

Players p1, p2 and so on are our seats 0, 1 and so on; with two players lists of blinds and antes are turned
around, as ours are. Where amounts have a fraction, a chip is the smallest of its decimals: `History.decimals`
says how many there are. Commentary inside of actions is not kept. Restrictions that a game has beyond its code are in
fields of our own (`history.restrictions`), and so is a whole game without a code (`history.own_games`). Negative blinds
are posts of newcomers, and a stack of `inf` is unknown.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from riverboat.errors import InvalidInput, in_field
from riverboat.history.hand import UNKNOWN_STACK, History, check_holdings
from riverboat.history.notation import format_actions, raises_with_a_point, read_actions, to_amount, to_chips
from riverboat.history.own_games import GAME, OWN_CODE, own_street_count, own_variant
from riverboat.history.phh_games import (
    ANTE_LIST,
    BET_FIELDS,
    BLIND_LIST,
    BOARD_COUNTS,
    FIXED_CAP,
    KNOWN_CODES,
    TRIMMING,
    antes_of,
    game_entries,
    game_variant,
    is_trimmed,
    split_blinds,
)
from riverboat.history.restrictions import (
    BET_SIZES,
    IN_WORDS,
    POT_CAP,
    RAISES_PER_STREET,
    RESTRICTION_FIELDS,
    read_restrictions,
)
from riverboat.history.toml_sections import Section, sections
from riverboat.history.toml_text import format_entry
from riverboat.rules.state import check_stacks
from riverboat.rules.variant import MOST_CHIPS, Variant

_MOST_DECIMALS = 4
_IS_NO_EVENT = re.compile(r"\s*(?:d\s+dh\b|#|$)")
_BETS = ("min_bet", "small_bet", "big_bet", POT_CAP)
_AMOUNTS = ("antes", "blinds_or_straddles", *_BETS, "starting_stacks", "finishing_stacks")
_OURS = {*_AMOUNTS, *RESTRICTION_FIELDS, GAME, "variant", "actions", "players", "hand"}


@dataclass(frozen=True, slots=True)
class UnreadHand:
    """A hand of a file that cannot be read, and why."""

    line: int  # where in the file it begins
    label: str  # the header of its part of the file; "" for a file with one hand
    error: InvalidInput  # names the line that is wrong


def read_phh(text: str) -> Iterator[History]:
    """Yield the hands of a .phh or .phhs file, one after another; an error names the line."""
    for hand in read_each(text):
        if isinstance(hand, UnreadHand):
            raise hand.error
        yield hand


def read_each(text: str) -> Iterator[History | UnreadHand]:
    """Yield the hands of a .phh or .phhs file, one after another, and those between them that cannot be read."""
    for section in sections(text):
        try:
            yield _read_section(section)
        except InvalidInput as error:
            yield UnreadHand(section.line, section.name, error)


def _read_section(section: Section) -> History:
    table = section.table()
    try:
        return _read(_Fields(table, _decimals(table)), section.line)
    except InvalidInput as error:
        raise InvalidInput(f"line {section.line_of(error.field)}", str(error)) from None


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

    def stacks(self, key: str, count: int | None = None, least: int = 0) -> tuple[int, ...]:
        """Return a list of stacks; infinity is one that is not known."""
        values = self.values(key, count)
        with in_field(key):
            return tuple([UNKNOWN_STACK if _is_infinite(value) else self._chips(value, least) for value in values])

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


def _is_infinite(value: object) -> bool:
    return isinstance(value, Decimal) and value.is_infinite() and value > 0


def _read(fields: _Fields, line: int) -> History:
    table = fields.table
    stacks = fields.stacks("starting_stacks", least=1)
    variant = _variant_of(fields, len(stacks))
    try:
        check_stacks(variant, stacks)
    except InvalidInput as error:
        raise InvalidInput("starting_stacks", error.reason) from None
    holdings, events = read_actions(fields.values("actions"), len(stacks), fields.decimals, variant.deck.holding_size)
    names = fields.values("players", len(stacks)) if "players" in table else []
    if not all(isinstance(name, str) for name in names):
        raise InvalidInput("players", "names must be texts")
    label = table.get("hand")
    if label is not None and (isinstance(label, bool) or not isinstance(label, int | str)):
        raise InvalidInput("hand", "must be a number or a text")
    final = fields.stacks("finishing_stacks", len(stacks)) if "finishing_stacks" in table else None
    extra = {key: value for key, value in table.items() if key not in _OURS}
    if extra.get("ante_trimming_status") == is_trimmed(variant):
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
    if code == OWN_CODE:
        return _own_variant(fields, count)
    if not isinstance(code, str) or code not in BET_FIELDS:
        raise InvalidInput("variant", f"{str(code)[:20]!r} is not supported; {KNOWN_CODES} are")
    if "bring_in" in fields.table:
        raise InvalidInput("bring_in", "bring-ins are not supported")
    first, later = [fields.bet(key) for key in BET_FIELDS[code]]
    restrictions = read_restrictions(fields.table, fields.decimals, len(BOARD_COUNTS))
    in_words = IN_WORDS in fields.table
    if code == "FT" and not all(1 <= cap <= FIXED_CAP for cap in restrictions.raise_caps or ()):
        key = IN_WORDS if in_words else RAISES_PER_STREET
        raise InvalidInput(key, f"fixed limit has 1 to {FIXED_CAP} bets and raises on a street")
    try:
        blinds, antes, trimming = _posted(fields, count)
        return game_variant(code, (first, later), blinds, antes, is_trimmed=trimming, restrictions=restrictions)
    except InvalidInput as error:
        if error.field != "bet_sizes":
            raise
        raise InvalidInput(IN_WORDS if in_words else BET_SIZES, error.reason) from None


def _posted(fields: _Fields, count: int) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
    """Return the lists of blinds and antes by seat, and whether antes are trimmed."""
    blinds, antes = fields.chips(BLIND_LIST, count, least=-MOST_CHIPS), fields.chips(ANTE_LIST, count)
    trimming = fields.table.get(TRIMMING, False)
    if not isinstance(trimming, bool):
        raise InvalidInput(TRIMMING, "must be true or false")
    return blinds, antes, trimming


def _own_variant(fields: _Fields, count: int) -> Variant:
    """Return a game that PHH has no code for."""
    restrictions = read_restrictions(fields.table, fields.decimals, own_street_count(fields.table))
    blinds, antes, trimming = _posted(fields, count)
    posted, posts = split_blinds(blinds)
    return own_variant(
        fields.table,
        fields.decimals,
        blinds=posted,
        posts=posts,
        antes=antes_of(antes, trimming),
        restrictions=restrictions,
    )


def line_of_event(text: str, history: History, number: int) -> int:
    """Return the line of a file with the n-th event of a hand, from 1; where the hand begins if it is not found."""
    for section in sections(text):
        if section.line == history.line:
            actions = section.table().get("actions", [])
            # Deals of private cards and comments are no events.
            places = [n for n, action in enumerate(actions) if not _IS_NO_EVENT.match(str(action))]
            return section.line_of(f"actions[{places[number - 1]}]") if 0 < number <= len(places) else history.line
    return history.line


def write_phh(histories: Iterable[History]) -> str:
    """Return hands as a .phhs file, numbered from 1."""
    return "\n".join(f"[{number}]\n{write_hand(history)}" for number, history in enumerate(histories, start=1))


def write_hand(history: History) -> str:
    """Return one hand as a .phh file."""
    return "".join(f"{line}\n" for line in _lines(history))


def _lines(history: History) -> Iterator[str]:
    entries = game_entries(history.variant, len(history.stacks), history.decimals)
    extra = dict(history.extra)
    entries[TRIMMING] = extra.pop(TRIMMING, entries[TRIMMING])

    def amounts(chips: Iterable[int]) -> list[int | Decimal]:
        return [to_amount(x, history.decimals) if x != UNKNOWN_STACK else Decimal("inf") for x in chips]

    entries["starting_stacks"] = amounts(history.stacks)
    entries["actions"] = list(format_actions(history))
    if history.label is not None:
        entries["hand"] = history.label
    if history.names:
        entries["players"] = history.names
    if history.finishing_stacks is not None:
        entries["finishing_stacks"] = amounts(history.finishing_stacks)
    yield from (format_entry(key, value) for key, value in (entries | extra).items())


def write_game(variant: Variant, player_count: int, decimals: int) -> str:
    """Return the lines of a file that say which game it is."""
    entries = game_entries(variant, player_count, decimals)
    return "".join(f"{format_entry(key, value)}\n" for key, value in entries.items())


def read_game(text: str, player_count: int, decimals: int) -> Variant:
    """Return the variant that `write_game` wrote."""
    (section,) = sections(text)
    return _variant_of(_Fields(section.table(), decimals), player_count)
