"""The decision to explain: one of a hand in a file, or the one that a live table waits for."""

from dataclasses import dataclass
from pathlib import Path

from riverboat.cards import format_cards, parse_cards
from riverboat.clients.analysis.actions import chips_words
from riverboat.clients.analysis.counts import counted
from riverboat.clients.analysis.explainer import check_two
from riverboat.clients.analysis.tracker import TakenAction, decisions_of
from riverboat.clients.console.hands.files import FileFormat, decisions_in, hand_in, holding_in, seat_named
from riverboat.clients.console.views.explanation import Names
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import RiverboatError
from riverboat.history.hand import History
from riverboat.holdings import check_holding
from riverboat.rules.state import PublicState, View


@dataclass(frozen=True, slots=True, eq=False)
class DecisionToExplain:
    """A decision, with everything that happened before it."""

    earlier: list[TakenAction]
    public: PublicState
    holding: tuple[int, ...]
    taken: int | None
    names: Names
    title: str


def names_in(history: History) -> Names:
    """Return the names of players and the unit of chips in a file."""
    players = tuple(history.name(seat) for seat in range(len(history.stacks)))
    return Names(players, lambda chips: chips_words(chips / 10**history.decimals))


def decision_in_file(
    path: Path, game: FileFormat, hand: int, number: int | None, player: str | None, cards: str | None
) -> DecisionToExplain:
    """Return a player's decision by its number in the hand; by default the last."""
    history = hand_in(path, game, hand)
    decisions = decisions_in(path, history)
    if len(history.stacks) != 2:
        reason = f"it has {len(history.stacks)} players; only two-player hands can be explained"
        raise Refused(f"{path}: hand {hand}: {reason}")
    seat = _seat(history, decisions, player)
    turns = [place for place, (state, _) in enumerate(decisions) if state.actor == seat]
    who = history.name(seat)
    if not turns:
        raise Refused(f"{path}: hand {hand}: {who} makes no decision")
    if number is not None and number > len(turns):
        count = counted(len(turns), "decision")
        raise Refused(f"--decision: {who} makes {count} in this hand, not {number}")
    number = number or len(turns)
    place = turns[number - 1]
    public, taken = decisions[place]
    held = _cards(cards, public) if cards is not None else holding_in(history, seat)
    if held is None:
        raise Refused(f"{path}: hand {hand}: the cards of {who} are unknown; give them with --holding")
    title = f"hand {hand if history.label is None else history.label}, decision {number} of {len(turns)}"
    return DecisionToExplain(
        earlier=decisions[:place], public=public, holding=held, taken=taken, names=names_in(history), title=title
    )


def _seat(history: History, decisions: list[TakenAction], player: str | None) -> int:
    """Return the seat of the named player, or of the last to decide among those whose cards are known."""
    if player is not None:
        return seat_named(history, player)
    actors = [state.actor for state, _ in decisions if state.actor is not None]
    known = [seat for seat in actors if holding_in(history, seat) is not None]
    return (known or actors or [0])[-1]


def decision_at_table(table_id: str, view: View, names: tuple[str, ...], cards: str) -> DecisionToExplain:
    """Return the decision that a table waits for, by a player who holds `cards`."""
    if view.public.actor is None:
        raise Refused(f"table {table_id} does not wait for a decision now")
    check_two(view.public)
    held = _cards(cards, view.public)
    players = Names(names)
    return DecisionToExplain(
        earlier=list(decisions_of(view)),
        public=view.public,
        holding=held,
        taken=None,
        names=players,
        title=f"table {table_id}",
    )


def _cards(text: str, public: PublicState) -> tuple[int, ...]:
    try:
        cards = parse_cards(text)
        check_holding(public.variant.deck, cards)
    except RiverboatError as error:
        raise Refused(f"--holding: {error}") from None
    on_board = set(cards) & set(public.board)
    if on_board:
        raise Refused(f"--holding: {format_cards(sorted(on_board))} is on the board")
    return tuple(cards)
