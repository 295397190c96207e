"""Steps through a solved tree, as people write and read them."""

from collections.abc import Sequence

from riverboat.cards import format_cards, parse_cards
from riverboat.clients.remote.refusals import Refused
from riverboat.contracts.resolver import Step
from riverboat.errors import RiverboatError
from riverboat.rules.bet_sizes import BetSizes
from riverboat.rules.betting import CALL, CHANCE, FOLD
from riverboat.rules.sized_raises import restricted_actions
from riverboat.rules.state import PublicState

_FOLD, _CALL, _ALL_IN = {"f", "fold"}, {"x", "c", "check", "call"}, {"a", "all-in", "allin"}
_RAISE_WORDS = ("raise", "bet", "r", "b")
MARKS = "f folds, x or c checks or calls, b50 bets, r150 raises to 150, a is all-in; 7c where a card is dealt"


def words_of(public: PublicState, action: int) -> str:
    """What an action is called, like "bets 50"."""
    if action == FOLD:
        return "folds"
    if action == CALL:
        return f"calls {public.to_call:,}" if public.to_call else "checks"
    words = f"{'raises to' if public.bet else 'bets'} {action:,}"
    limits = public.raise_limits
    return f"{words} (all-in)" if limits and action == limits[1] and _is_all_in(public, action) else words


def _is_all_in(public: PublicState, action: int) -> bool:
    seat = public.actor
    return seat is not None and action - public.bets[seat] == public.stacks[seat]


def mark_of(public: PublicState, action: int) -> str:
    """What to type for an action."""
    if action == FOLD:
        return "f"
    if action == CALL:
        return "c" if public.to_call else "x"
    return f"{'r' if public.bet else 'b'}{action}"


def read_path(text: str, public: PublicState, sizes: BetSizes) -> tuple[tuple[Step, ...], PublicState]:
    """Steps from a state, written like "x b50 c 7c", and where they lead."""
    steps: list[Step] = []
    for word in text.replace(",", " ").split():
        if word.lower() == "root":
            continue
        step = read_step(word, public, sizes)
        steps.append(step)
        public = after(public, step)
    return tuple(steps), public


def after(public: PublicState, step: Step) -> PublicState:
    """The state after a step."""
    return public.deal(tuple(parse_cards(step))) if isinstance(step, str) else public.play(step)


def read_step(word: str, public: PublicState, sizes: BetSizes) -> Step:
    """One step, which the tree must have."""
    if public.phase == CHANCE:
        return _read_cards(word, public)
    actions = restricted_actions(public, sizes)
    if not actions:
        raise Refused(f"{word[:20]!r}: the line ends here")
    found = _read_action(word.lower(), public, actions)
    if found not in actions:
        there = ", ".join(f"{mark_of(public, action)} {words_of(public, action)}" for action in actions)
        raise Refused(f"{word[:20]!r} is not in the tree here; there are: {there}")
    return found


def _read_cards(word: str, public: PublicState) -> str:
    try:
        cards = tuple(parse_cards(word))
        public.deal(cards)
    except RiverboatError as error:
        raise Refused(f"{word[:20]!r}: a deal comes next, write its cards: {error}") from None
    return format_cards(cards)


def _read_action(word: str, public: PublicState, actions: Sequence[int]) -> int | None:
    if word in _FOLD:
        return FOLD
    if word in _CALL:
        return CALL
    if word in _ALL_IN:
        return actions[-1] if actions[-1] > CALL else None
    for prefix in _RAISE_WORDS:
        word = word.removeprefix(prefix)
    return int(word) if word.isdecimal() and len(word) < 16 and int(word) > 0 else None
