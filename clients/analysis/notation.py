"""Actions as people type them, at the table and in a solved tree: f, c, x, r300, "raise to 1,200", pot, all-in."""

import re
from dataclasses import dataclass
from enum import Enum, auto

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
class Wish:
    """An action that somebody typed; `to` is None unless it is a raise, and where a raise has no amount."""

    verb: Verb
    to: int | Size | None = None


_VERBS = {
    "f": Verb.FOLD, "fold": Verb.FOLD,
    "x": Verb.CHECK, "check": Verb.CHECK,
    "c": Verb.CALL, "call": Verb.CALL,
}  # fmt: skip
_SIZES = {
    "p": Size.POT, "pot": Size.POT,
    "half": Size.HALF_POT, "1/2": Size.HALF_POT,
    "m": Size.LEAST, "min": Size.LEAST,
    "a": Size.ALL_IN, "all": Size.ALL_IN, "allin": Size.ALL_IN, "all-in": Size.ALL_IN, "max": Size.ALL_IN,
}  # fmt: skip
_RAISE = re.compile(r"(?:raise|bet|r|b)?\s*(?:to\s*)?(?P<amount>.*)")
_CHIPS = re.compile(r"\d{1,3}(,\d{3})+|\d{1,18}")


def read_wish(text: str) -> Wish | None:
    """Read an action; None if it says nothing."""
    words = " ".join(text.lower().split())
    if words in _VERBS:
        return Wish(_VERBS[words])
    match = _RAISE.fullmatch(words)
    amount = match["amount"] if match else words
    if not amount:
        return Wish(Verb.RAISE)
    if amount in _SIZES:
        return Wish(Verb.RAISE, _SIZES[amount])
    return Wish(Verb.RAISE, int(amount.replace(",", ""))) if _CHIPS.fullmatch(amount) else None


def pot_raise(bet: int, pot: int, to_call: int, share: Size) -> int:
    """Return the total of a raise by the pot or by half of it, counted after a call."""
    after_call = pot + to_call
    return bet + (after_call if share is Size.POT else after_call // 2)


def notation_of(public: PublicState, action: int) -> str:
    """Return the shortest way to type an action: "f", "x", "c", "b50", "r150"."""
    if action == FOLD:
        return "f"
    if action == CALL:
        return "c" if public.to_call else "x"
    return f"{'r' if public.bet else 'b'}{action}"
