"""The end of a hand in words: uncalled chips, winners and their hands."""

from collections.abc import Sequence

from riverboat.contracts.oracle import Category, Classification
from riverboat.rules.betting import SHOWDOWN
from riverboat.rules.state import PublicState
from riverboat.strength.hands import classify

# "with a flush", but "with two pair".
_WITHOUT_ARTICLE = {Category.HIGH_CARD, Category.TWO_PAIR, Category.THREE_OF_A_KIND, Category.FOUR_OF_A_KIND}


def uncalled_chips(state: PublicState) -> tuple[int, int]:
    """Return the seat with an uncalled bet, and the number of uncalled chips; 0 if there are none."""
    seat = max(range(state.player_count), key=lambda seat: (state.paid[seat], not state.folded[seat]))
    return seat, 0 if state.folded[seat] else state.paid[seat] - sorted(state.paid)[-2]


def uncalled_words(name: str, amount: str) -> str:
    """Return "an uncalled 800 goes back to Ann"."""
    return f"an uncalled {amount} goes back to {name}"


def win_words(name: str, amount: str, state: PublicState, holding: Sequence[int] | None) -> str:
    """Return "Ann wins 800 with a pair of aces"; without the hand unless it was shown down and is known."""
    words = f"{name} wins {amount}"
    if state.phase != SHOWDOWN or holding is None:
        return words
    return f"{words} with {_with_article(classify(state.variant.deck, (*holding, *state.board)))}"


def _with_article(hand: Classification) -> str:
    return hand.words if hand.category in _WITHOUT_ARTICLE else f"a {hand.words}"
