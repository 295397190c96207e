"""What a player types, as an action: letters, amounts, and words for amounts."""

import re

from riverboat.clients.console.table.plain_text import chips_text
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rules.betting import CALL, FOLD

_FOLD, _CALL = {"f", "fold"}, {"c", "call", "check"}
_POT, _HALF, _LEAST, _ALL = {"p", "pot"}, {"half", "1/2"}, {"m", "min"}, {"a", "all", "allin", "all-in", "max"}
_WORDS = _POT | _HALF | _LEAST | _ALL
_RAISE = re.compile(r"(?:raise|bet|r)?\s*(?:to\s*)?(?P<amount>.*)")
_DIGITS = re.compile(r"\d{1,3}(,\d{3})+|\d{1,18}")


class NotAnOrder(Exception):
    """Something that cannot be done, and what could be, in one line."""


def read_order(text: str, view: pb.View) -> int:
    """The action that a player asks for, whose turn it is; a raise is what it is to."""
    words, legal = " ".join(text.lower().split()), view.legal
    if words in _FOLD:
        if not legal.can_fold:
            raise NotAnOrder("there is nothing to call: c checks")
        return FOLD
    if words in _CALL:
        if words == "check" and legal.to_call:
            raise NotAnOrder(f"{chips_text(legal.to_call)} to call: c calls, f folds")
        return CALL
    match = _RAISE.fullmatch(words)
    return _raise(match["amount"] if match else "", view)


def _raise(amount: str, view: pb.View) -> int:
    legal, state = view.legal, view.state
    low, high = legal.min_raise_to, legal.max_raise_to
    wanted = _wanted(amount, view)
    if wanted is None and not amount:
        raise NotAnOrder(f"{ask_amount(state, legal)}?" if high else _no_raise(legal))
    if wanted is None:
        raise NotAnOrder(f"not understood: f, c, r and an amount{_limits(legal)}, or k for the keys")
    if amount in _ALL and (not high or high < _stack(view)):
        return _all_in(view)
    if not high:
        raise NotAnOrder(_no_raise(legal))
    if amount not in _WORDS:
        if not low <= wanted <= high or (legal.raises_to and wanted not in legal.raises_to):
            raise NotAnOrder(f"{chips_text(wanted)} is not possible: {_verb(state)} {raises_text(legal, 'only ')}")
        return wanted
    # Words mean the nearest that is possible.
    nearest = min(legal.raises_to, key=lambda to: abs(to - wanted)) if legal.raises_to else wanted
    return min(max(nearest, low), high)


def _stack(view: pb.View) -> int:
    """What the player's whole stack would raise to."""
    mine = view.state.seats[view.seat]
    return mine.stack + mine.bet


def _all_in(view: pb.View) -> int:
    legal = view.legal
    if legal.to_call and legal.to_call >= view.state.seats[view.seat].stack:
        return CALL
    if legal.max_raise_to:
        raise NotAnOrder(f"all-in is not allowed here: at most {chips_text(legal.max_raise_to)}")
    raise NotAnOrder(_no_raise(legal))


def _no_raise(legal: rules_pb.LegalActionsResponse) -> str:
    return "no raise is possible here: " + ("c calls, f folds" if legal.to_call else "c checks")


def _wanted(amount: str, view: pb.View) -> int | None:
    """What an amount means, were everything allowed."""
    legal, state = view.legal, view.state
    pot = state.pot + legal.to_call  # as it is after a call
    if amount in _POT:
        return state.bet + pot
    if amount in _HALF:
        return state.bet + pot // 2
    if amount in _LEAST:
        return legal.min_raise_to
    if amount in _ALL:
        return _stack(view)
    if not amount and legal.max_raise_to and legal.min_raise_to == legal.max_raise_to:
        return legal.max_raise_to  # there is only one
    return int(amount.replace(",", "")) if _DIGITS.fullmatch(amount) else None


def ask_amount(state: rules_pb.State, legal: rules_pb.LegalActionsResponse) -> str:
    """What to ask for, with what would be right."""
    words = "" if legal.raises_to else ", pot, half, min, all-in"
    return f"{_verb(state)} how much ({raises_text(legal)}{words})"


def raises_text(legal: rules_pb.LegalActionsResponse, one: str = "") -> str:
    """What may be raised to: "600 up to 9,900", "200, 400 or 800", or with `one` before it "200"."""
    low, high = chips_text(legal.min_raise_to), chips_text(legal.max_raise_to)
    if low == high:
        return f"{one}{high}"
    if not legal.raises_to:
        return f"{low} up to {high}"
    *others, last = map(chips_text, legal.raises_to)
    return f"{', '.join(others)} or {last}"


def prompt_for_amount(state: rules_pb.State, legal: rules_pb.LegalActionsResponse) -> str:
    """What stands before an amount while it is typed; what is possible is in the line above."""
    if not legal.max_raise_to:
        return "no raise is possible; Esc takes it back:"
    if legal.min_raise_to == legal.max_raise_to:
        return f"{_verb(state)} {chips_text(legal.max_raise_to)}: Enter does it, Esc takes it back"
    if legal.raises_to:
        return f"{_verb(state)} (one of the numbers above; Esc takes it back):"
    return f"{_verb(state)} (a number, pot, half, min or all-in; Esc takes it back):"


def _verb(state: rules_pb.State) -> str:
    return "raise to" if state.bet else "bet"


def _limits(legal: rules_pb.LegalActionsResponse) -> str:
    return f" ({raises_text(legal)})" if legal.max_raise_to else ""
