"""Actions in words: orders, reports, gerunds and nouns."""

from collections.abc import Callable

from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import PublicState

Amount = Callable[[float], str]  # chips as people read them

_MANY_CHIPS = 10  # amounts from here on are shown without decimals


def chips_words(chips: float) -> str:
    """Return chips as people read them, with decimals only where there are few."""
    if chips == round(chips) or abs(chips) >= _MANY_CHIPS:
        return f"{round(chips):,}"
    words = f"{chips:.1f}" if abs(chips) >= 1 else f"{chips:.2f}"
    return words if float(words) else "0"


def action_words(public: PublicState, action: int, amount: Amount = chips_words) -> str:
    """Return an action as an order: "check", "raise to 300", "call 9,700 (all-in)"."""
    words = _words(public, action, amount, ("fold", "check", "call", "bet", "raise to"))
    return words + _all_in(public, action)


def played_words(public: PublicState, action: int, amount: Amount = chips_words) -> str:
    """Return an action as a report: "checks", "raises to 300", "calls 9,700 (all-in)"."""
    words = _words(public, action, amount, ("folds", "checks", "calls", "bets", "raises to"))
    return words + _all_in(public, action)


def playing_words(public: PublicState, action: int, amount: Amount = chips_words) -> str:
    """Return an action as something to weigh: "checking", "raising to 300"."""
    return _words(public, action, amount, ("folding", "checking", "calling", "betting", "raising to"))


def action_noun(public: PublicState, action: int, amount: Amount = chips_words) -> str:
    """Return an action as a noun: "check", "bet of 200", "raise to 300"."""
    return _words(public, action, amount, ("fold", "check", "call of", "bet of", "raise to"))


def raise_verb(bet: int) -> str:
    """Return how a raise begins: "bet" until somebody has bet on the street, then "raise to"."""
    return "raise to" if bet else "bet"


def all_in_words(is_all_in: bool) -> str:
    """Return what follows an amount: " (all-in)" or nothing."""
    return " (all-in)" if is_all_in else ""


def _words(public: PublicState, action: int, amount: Amount, verbs: tuple[str, str, str, str, str]) -> str:
    fold, check, call, bet, raise_to = verbs
    if action == FOLD:
        return fold
    if action == CALL:
        return f"{call} {amount(public.to_call)}" if public.to_call else check
    return f"{raise_to if public.bet else bet} {amount(action)}"


def _all_in(public: PublicState, action: int) -> str:
    seat = public.actor or 0
    paid = public.to_call if action == CALL else action - public.bets[seat]
    return all_in_words(action != FOLD and paid >= public.stacks[seat])
