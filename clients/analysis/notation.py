"""Actions as people type them, at the table and in a solved tree: f, c, x, r300, "raise to 1,200", pot, 75%, all-in."""

import re
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction

from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import PublicState


class Verb(Enum):
    """The kind of an action as people write it."""

    FOLD = auto()
    CHECK = auto()
    CALL = auto()  # or check, where there is nothing to call
    RAISE = auto()  # or bet


class Size(Enum):
    """An amount that has a name."""

    POT = auto()
    HALF_POT = auto()
    LEAST = auto()
    ALL_IN = auto()


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the pot as a number: 75%, 2/3 or 1.5p."""

    of_pot: Fraction


@dataclass(frozen=True, slots=True)
class Wish:
    """An action as the user typed it; `to` is None unless it is a raise with an amount."""

    verb: Verb
    to: int | Size | Share | None = None


_VERBS = {
    "f": Verb.FOLD, "fold": Verb.FOLD,
    "x": Verb.CHECK, "check": Verb.CHECK,
    "c": Verb.CALL, "call": Verb.CALL,
}  # fmt: skip
_SIZES = {
    "p": Size.POT, "pot": Size.POT,
    "half": Size.HALF_POT,
    "m": Size.LEAST, "min": Size.LEAST,
    "a": Size.ALL_IN, "all": Size.ALL_IN, "allin": Size.ALL_IN, "all-in": Size.ALL_IN, "max": Size.ALL_IN,
}  # fmt: skip
_RAISE = re.compile(r"(?:raise|bet|r|b)?\s*(?:to\s*)?(?P<amount>.*)")
_CHIPS = re.compile(r"\d{1,3}(,\d{3})+|\d{1,18}", re.ASCII)
_NUMBER = r"(\d{1,6}(?:\.\d{1,6})?)"
_PERCENT = re.compile(rf"{_NUMBER} ?%(?: (?:of the )?pot)?", re.ASCII)
_FRACTION = re.compile(r"(\d{1,4})/([1-9]\d{0,3})(?: (?:of the )?pot)?", re.ASCII)
_POTS = re.compile(rf"{_NUMBER} ?(?:p|pots?)", re.ASCII)
_BLINDS = re.compile(rf"{_NUMBER} ?(?:bb?|(?:big )?blinds?)", re.ASCII)


def read_wish(text: str, big_blind: int = 0) -> Wish | None:
    """Read an action; None if it says nothing. Amounts in big blinds need `big_blind`, in chips."""
    words = " ".join(text.lower().split())
    if words in _VERBS:
        return Wish(_VERBS[words])
    match = _RAISE.fullmatch(words)
    amount = match["amount"] if match else words
    if not amount:
        return Wish(Verb.RAISE)
    if amount in _SIZES:
        return Wish(Verb.RAISE, _SIZES[amount])
    if _CHIPS.fullmatch(amount):
        return Wish(Verb.RAISE, int(amount.replace(",", "")))
    if big_blind and (blinds := _BLINDS.fullmatch(amount)):
        return Wish(Verb.RAISE, int(Fraction(blinds[1]) * big_blind))
    share = _read_share(amount)
    return None if share is None else Wish(Verb.RAISE, share)


def _read_share(amount: str) -> Share | None:
    if percent := _PERCENT.fullmatch(amount):
        return Share(Fraction(percent[1]) / 100)
    if fraction := _FRACTION.fullmatch(amount):
        return Share(Fraction(int(fraction[1]), int(fraction[2])))
    pots = _POTS.fullmatch(amount)
    return Share(Fraction(pots[1])) if pots else None


def pot_raise(bet: int, pot: int, to_call: int, share: Size | Share) -> int:
    """Return the total of a raise by the pot or a part of it, counted after a call."""
    of_pot = share.of_pot if isinstance(share, Share) else Fraction(1, 1 if share is Size.POT else 2)
    return bet + int(of_pot * (pot + to_call))


def notation_of(public: PublicState, action: int) -> str:
    """Return the shortest way to type an action: "f", "x", "c", "b50", "r150"."""
    if action == FOLD:
        return "f"
    if action == CALL:
        return "c" if public.to_call else "x"
    return f"{'r' if public.bet else 'b'}{action}"
