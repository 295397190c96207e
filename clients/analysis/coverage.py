"""The streets of a game on which a re-solving player has no value network for the play after the next deal."""

from collections.abc import Callable, Iterator, Sequence

from riverboat.clients.analysis.effort import Effort
from riverboat.clients.analysis.plans import plan_of
from riverboat.clients.analysis.tracker import leaf_below
from riverboat.contracts.resolver import EQUITY
from riverboat.rules.betting import CALL, CHANCE
from riverboat.rules.restrictions import restriction_words
from riverboat.rules.state import PublicState, start
from riverboat.rules.variant import Variant
from riverboat.streets import STREETS, is_cut

HasNetwork = Callable[[str, str], bool]  # whether there is a network for a deck and a street
_BIG_BLINDS = 100  # of stacks: deep enough that nobody is all-in by checking and calling


def estimated_streets(variant: Variant, effort: Effort, has_network: HasNetwork) -> tuple[int, ...]:
    """Return the streets whose trees end at the next deal without a network; none if the caller wants equity there."""
    if effort.leaf == EQUITY:
        return ()
    return tuple(state.street for state in _street_starts(variant) if _is_estimated(state, effort, has_network))


def _is_estimated(state: PublicState, effort: Effort, has_network: HasNetwork) -> bool:
    if not is_cut(state.streets_left) or plan_of(state, may_be_exact=effort.may_be_exact).is_whole:
        return False
    return leaf_below(state, effort.leaf, has_network) == EQUITY


def _street_starts(variant: Variant) -> Iterator[PublicState]:
    """Yield a state of two players on every street, with any board."""
    state = start(variant, [_BIG_BLINDS * variant.big_blind] * 2)
    cards = list(variant.deck.cards)
    while not state.is_over:
        yield state
        while state.actor is not None:
            state = state.play(CALL)
        if state.phase == CHANCE:
            dealt, cards = cards[: state.board_count], cards[state.board_count :]
            state = state.deal(dealt)


def estimated_words(variant: Variant, streets: Sequence[int]) -> str:
    """Return that no network fits a game on some streets, and what happens there instead; "" for no streets."""
    return f"no value network fits {game_name(variant)}; {instead_words(streets)}" if streets else ""


def game_name(variant: Variant) -> str:
    """Return a game with what decides whether a network fits: "no-limit hold'em with 36 cards, no all-in"."""
    restrictions = "".join(f", {words}" for words in restriction_words(variant))
    return f"{variant.name} with {len(variant.deck.cards)} cards{restrictions}"


def instead_words(streets: Sequence[int]) -> str:
    """Return what a player does on some streets without a network: "before the turn it compares holdings …"."""
    if list(streets) == list(range(len(streets))):
        where = f"before the {STREETS[len(streets)]}"
    else:
        where = f"on the {' and '.join(STREETS[street] for street in streets)}"
    return f"{where} it compares holdings as if nobody bet again"
