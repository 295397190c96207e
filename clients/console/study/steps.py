"""Steps through a solved tree, as people write and read them."""

from collections.abc import Sequence

from riverboat.cards import format_cards, parse_cards
from riverboat.clients.analysis.actions import played_words
from riverboat.clients.analysis.notation import Size, Verb, notation_of, pot_raise, read_wish
from riverboat.clients.remote.refusals import Refused
from riverboat.contracts.resolver import Step
from riverboat.errors import RiverboatError
from riverboat.rules.bet_sizes import BetSizes
from riverboat.rules.betting import CALL, CHANCE, FOLD
from riverboat.rules.sized_raises import restricted_actions
from riverboat.rules.state import PublicState

NOTATION_HELP = "f folds, x or c checks or calls, b50 bets, r150 raises to 150, a is all-in, 7c is a card to deal"


def read_path(text: str, public: PublicState, sizes: BetSizes) -> tuple[tuple[Step, ...], PublicState]:
    """Return the steps of a line like "x b50 c 7c", and the state that they lead to."""
    steps: list[Step] = []
    for word in text.replace(",", " ").split():
        if word.lower() == "root":
            continue
        step = read_step(word, public, sizes)
        steps.append(step)
        public = after(public, step)
    return tuple(steps), public


def after(public: PublicState, step: Step) -> PublicState:
    """Return the state after a step."""
    return public.deal(tuple(parse_cards(step))) if isinstance(step, str) else public.play(step)


def read_step(word: str, public: PublicState, sizes: BetSizes) -> Step:
    """Return one step, which the tree must have."""
    if public.phase == CHANCE:
        return _read_cards(word, public)
    actions = restricted_actions(public, sizes)
    if not actions:
        raise Refused(f"{word[:20]!r}: the line ends here")
    action = _read_action(word, public, actions)
    if action not in actions:
        known = ", ".join(f"{notation_of(public, known)} {played_words(public, known)}" for known in actions)
        raise Refused(f"{word[:20]!r} is not in the tree here; these are: {known}")
    return action


def _read_cards(word: str, public: PublicState) -> str:
    try:
        cards = tuple(parse_cards(word))
        public.deal(cards)
    except RiverboatError as error:
        raise Refused(f"{word[:20]!r}: a deal comes next, write its cards: {error}") from None
    return format_cards(cards)


def _read_action(word: str, public: PublicState, actions: Sequence[int]) -> int | None:
    """Return the action that a word means in a tree with these actions; None if it means none."""
    wish = read_wish(word)
    if wish is None:
        return None
    if wish.verb is not Verb.RAISE:
        return FOLD if wish.verb is Verb.FOLD else CALL
    raises = [action for action in actions if action > CALL]
    if not raises or wish.to is None:
        return None
    if isinstance(wish.to, int):
        return wish.to or None  # 0 would be a call
    if wish.to in (Size.LEAST, Size.ALL_IN):
        return raises[0 if wish.to is Size.LEAST else -1]
    return pot_raise(public.bet, public.pot, public.to_call, wish.to)
