"""What a player types at the table, as an action that is legal there."""

from riverboat.clients.analysis.actions import action_words, raise_verb
from riverboat.clients.analysis.notation import Share, Size, Verb, Wish, pot_raise, read_wish
from riverboat.clients.console.views.text import chips_text
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.legal_actions import LegalActions, legal_actions
from riverboat.rules.state import PublicState
from riverboat.tables.view import TableView


class NotAnOrder(Exception):
    """An order that cannot be carried out; the text says why, and what is possible, in one line."""


def read_order(text: str, view: TableView) -> int:
    """Return the action that a player asks for at their turn; a raise is the total to raise to."""
    if view.public is None or view.seat is None:
        raise NotAnOrder("it is not your turn")
    return read_action(text, view.public, view.seat, ", or k for the keys")


def read_action(text: str, state: PublicState, seat: int, hint: str = "") -> int:
    """Return the action that the acting player at a seat asks for; `hint` ends the error for unknown words."""
    wish, legal = read_wish(text, state.variant.big_blind), legal_actions(state)
    if wish is None:
        raise NotAnOrder(f"not understood: type f, c, r and an amount{_limits(legal)}{hint}")
    if wish.verb is Verb.FOLD and not legal.can_fold:
        raise NotAnOrder("there is nothing to call: c checks")
    if wish.verb is Verb.CHECK and legal.to_call:
        raise NotAnOrder(f"{chips_text(legal.to_call)} to call: c calls, f folds")
    if wish.verb is Verb.RAISE:
        return _raise(wish, state, seat)
    return FOLD if wish.verb is Verb.FOLD else CALL


def _raise(wish: Wish, state: PublicState, seat: int) -> int:
    legal = legal_actions(state)
    low, high = legal.min_raise_to, legal.max_raise_to
    if wish.to is Size.ALL_IN and (not high or high < _stack(state, seat)):
        return _all_in(state, seat)
    if not high:
        raise NotAnOrder(_no_raise(legal))
    if wish.to is None:
        if low < high:
            raise NotAnOrder(f"{ask_amount(state, legal)}?")
        return high  # the only one
    if isinstance(wish.to, Share):
        to = pot_raise(state.bet, state.pot, legal.to_call, wish.to)
        return _checked(to, state, legal, f"{_percent(wish.to)} of the pot is {chips_text(to)}, which")
    if isinstance(wish.to, int):
        return _checked(wish.to, state, legal, chips_text(wish.to))
    # A named size means the nearest legal one; a number means itself.
    wanted = _amount(wish.to, state, seat)
    nearest = min(legal.raises_to, key=lambda to: abs(to - wanted)) if legal.raises_to else wanted
    return min(max(nearest, low), high)


def _checked(to: int, state: PublicState, legal: LegalActions, words: str) -> int:
    """Return a raise that was typed as a number; refuse one that is not legal."""
    if not legal.min_raise_to <= to <= legal.max_raise_to or (legal.raises_to and to not in legal.raises_to):
        raise NotAnOrder(f"{words} is not possible: {raise_verb(state.bet)} {raises_text(legal, 'only ')}")
    return to


def _percent(share: Share) -> str:
    return f"{float(100 * share.of_pot):.4g} %"


def _amount(size: Size, state: PublicState, seat: int) -> int:
    """Return the total of a raise by a named size, as if every raise were legal."""
    legal = legal_actions(state)
    if size is Size.LEAST:
        return legal.min_raise_to
    return _stack(state, seat) if size is Size.ALL_IN else pot_raise(state.bet, state.pot, legal.to_call, size)


def _stack(state: PublicState, seat: int) -> int:
    """Return the total of a raise with the player's whole stack."""
    return state.stacks[seat] + state.bets[seat]


def _all_in(state: PublicState, seat: int) -> int:
    legal = legal_actions(state)
    if legal.to_call and legal.to_call >= state.stacks[seat]:
        return CALL
    if legal.max_raise_to:
        raise NotAnOrder(f"all-in is not allowed here: at most {chips_text(legal.max_raise_to)}")
    raise NotAnOrder(_no_raise(legal))


def _no_raise(legal: LegalActions) -> str:
    return "you cannot raise here: " + ("c calls, f folds" if legal.to_call else "c checks")


def ask_amount(state: PublicState, legal: LegalActions) -> str:
    """Return a question for an amount, with the legal ones."""
    words = "" if legal.raises_to else ", 75%, 2/3, 3bb, pot, half, min, all-in"
    return f"{raise_verb(state.bet)} how much ({raises_text(legal)}{words})"


def raises_text(legal: LegalActions, one: str = "") -> str:
    """Return the legal raises: "600 … 9,900", "200, 400 or 800", or a single one after `one`."""
    low, high = chips_text(legal.min_raise_to), chips_text(legal.max_raise_to)
    if low == high:
        return f"{one}{high}"
    if not legal.raises_to:
        return f"{low} … {high}"
    *others, last = map(chips_text, legal.raises_to)
    return f"{', '.join(others)} or {last}"


def prompt_for_amount(state: PublicState, legal: LegalActions) -> str:
    """Return the prompt while an amount is typed; the line above has the limits."""
    verb = raise_verb(state.bet)
    if not legal.max_raise_to:
        return "you cannot raise here; Esc cancels:"
    if legal.min_raise_to == legal.max_raise_to:
        return f"{verb} {chips_text(legal.max_raise_to)}: Enter confirms, Esc cancels"
    if legal.raises_to:
        return f"{verb} (one of the amounts above; Esc cancels):"
    return f"{verb} (like 300, 75%, 2/3, 3bb or pot; Esc cancels):"


def prompt_for_all_in(state: PublicState, seat: int) -> str:
    """Return the prompt after the key for all-in, which Enter confirms."""
    try:
        action = _raise(Wish(Verb.RAISE, Size.ALL_IN), state, seat)
    except NotAnOrder as error:
        return f"{error}; Esc cancels:"
    return f"{action_words(state, action)}: Enter confirms, Esc cancels"


def _limits(legal: LegalActions) -> str:
    return f" ({raises_text(legal)})" if legal.max_raise_to else ""
