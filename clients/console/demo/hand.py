"""The first two stops: two agents play a hand, and the last decision of one is explained."""

from pathlib import Path
from queue import SimpleQueue

from riverboat.clients.analysis.explainer import explain
from riverboat.clients.console.demo.pace import line_seconds
from riverboat.clients.console.hands.decisions import names_in
from riverboat.clients.console.hands.files import decisions_in
from riverboat.clients.console.table.inbox import Inbox
from riverboat.clients.console.table.line_display import LineDisplay
from riverboat.clients.console.table.spectator import Spectator
from riverboat.clients.console.table.table_setup import new_table
from riverboat.clients.console.table.watcher import Watcher, follow_updates
from riverboat.clients.console.views.explanation import print_explanation
from riverboat.clients.console.views.output import progress_bar
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.dealing.record import DealRecord, revealed_deal
from riverboat.history.hand import History
from riverboat.history.phh import read_phh
from riverboat.rules.events import BoardDealt
from riverboat.rules.variant import no_limit
from riverboat.tables.config import TableConfig
from riverboat.tables.evidence import deal_of
from riverboat.tables.records import HandRecord

THINKER, OPPONENT = "resolver", "rollout"
_GAME = no_limit(50, 100)
_STACK = 5_000
_MOST_HANDS = 3  # to get one with a flop, which is worth explaining
_AHEAD = 100


def played_hand(link: GameManagerClient) -> tuple[History, tuple[tuple[int, ...], ...]]:
    """Let two agents play a hand, if possible one with a flop, and print it; return it with both holdings."""
    for _ in range(_MOST_HANDS):
        record = _play(link)
        history = next(iter(read_phh(record.phh)))
        if any(isinstance(event, BoardDealt) for event in history.events):
            break
    deal = deal_of(record)
    if not isinstance(deal, DealRecord) or not deal.seed:
        raise Refused("the game manager did not reveal the agents' cards")
    return history, revealed_deal(deal, _GAME.deck).holdings


def _play(link: GameManagerClient) -> HandRecord:
    config = TableConfig(
        name="demo",
        variant=_GAME,
        chair_count=2,
        buy_in=_STACK,
        hand_limit=1,
        agents=(THINKER, OPPONENT),
        agents_only=True,
        players_to_start=2,
    )
    with new_table(link, config) as made:
        inbox: Inbox = SimpleQueue()
        display = LineDisplay()
        spectator = Spectator(Watcher(made.info, display), display, inbox, line_seconds(), has_keys=False)
        spectator.run(follow_updates(link, made.info, made.dealer_token, inbox, _AHEAD))
        record = next(link.tables.hands(made.info.table_id), None)
    if record is None:
        raise Refused("the agents played no hand")
    return record


def explain_last(link: ResolverClient, history: History, holdings: tuple[tuple[int, ...], ...]) -> None:
    """Explain the last decision of the agent that re-solves."""
    decisions = decisions_in(Path("the hand"), history)
    thinker = next((seat for seat in range(len(holdings)) if history.name(seat) == THINKER), 0)
    own = [place for place, (state, _) in enumerate(decisions) if state.actor == thinker]
    place = (own or [len(decisions) - 1])[-1]
    public, taken = decisions[place]
    with progress_bar("solving") as bar:
        explanation = explain(link, decisions[:place], public, holdings[public.actor or 0], taken, bar.show)
    print_explanation(explanation, names_in(history), "")
