"""A person in a tournament: registers, waits for a seat, and plays at one table after another."""

import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue

import grpc

from riverboat.clients.console.settings import state_folder
from riverboat.clients.console.table.adviser import Adviser
from riverboat.clients.console.table.coach import Coach
from riverboat.clients.console.table.display import Display
from riverboat.clients.console.table.durations import DURATIONS, Durations
from riverboat.clients.console.table.inbox import Inbox, PlaceTold, follow_lines
from riverboat.clients.console.table.keystrokes import Typing
from riverboat.clients.console.table.line_display import LineDisplay
from riverboat.clients.console.table.screen_display import ScreenDisplay
from riverboat.clients.console.table.session import Helpers, Session, TakenChair
from riverboat.clients.console.table.table_setup import sitting_at, witness_of
from riverboat.clients.console.table.terminal import has_keys, whole_screen
from riverboat.clients.console.views.output import out, say
from riverboat.clients.console.views.standings import headline, place_words
from riverboat.clients.console.views.tournament_progress import how_to_enter, reports_of
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import Refused
from riverboat.tables.view import TableView
from riverboat.tournaments.tournament import TournamentStatus

_RETRY_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class TournamentEntry:
    """A person registered for a tournament."""

    link: GameManagerClient
    tournament_id: str
    name: str
    token: str


def play_entry(entry: TournamentEntry) -> None:
    """Play until the entrant is out, leaves, or the tournament is over."""
    place = _first_place(entry)
    inbox: Inbox = SimpleQueue()
    display: Display = ScreenDisplay(out, has_keys=True) if has_keys() else LineDisplay()
    lines: list[str] = []
    is_over = follow_standing(entry, inbox)
    try:
        if has_keys():
            with whole_screen(inbox):
                _play_tables(entry, place, display, inbox, lines)
        else:
            follow_lines(sys.stdin, inbox)
            _play_tables(entry, place, display, inbox, lines)
    finally:
        is_over.set()
        for line in display.farewell():
            out.print(line, soft_wrap=True)
        for text in dict.fromkeys(lines):
            out.print(text, markup=False, soft_wrap=True)


def follow_standing(entry: TournamentEntry, inbox: Inbox) -> threading.Event:
    """Put where the entrant stands into the inbox whenever it changes, until the event is set."""
    stop = threading.Event()

    def follow() -> None:
        last = ""
        while not stop.is_set():
            with suppress(grpc.RpcError, ValueError):  # the connection comes back, or the command is ending
                for report in entry.link.tournaments.watch(entry.tournament_id):
                    if stop.is_set():
                        return
                    words = place_words(report, entry.name)
                    if words != last:
                        inbox.put(PlaceTold(words))
                        last = words
                return
            stop.wait(_RETRY_SECONDS)

    threading.Thread(target=follow, daemon=True).start()
    return stop


def _first_place(entry: TournamentEntry) -> tuple[str, int]:
    """Wait until seats are drawn; return the entrant's table and chair."""
    has_said = False
    for report in reports_of(entry.link, entry.tournament_id):
        if report.info.status is TournamentStatus.REGISTERING:
            say(headline(report.info))
            if not has_said and not entry.link.is_own:
                say(f"others can enter: {how_to_enter(entry.link, entry.tournament_id)}")
                has_said = True
            continue
        for standing in report.standings:
            if standing.name == entry.name and standing.table_id:
                return standing.table_id, standing.chair
        break
    raise Refused("the tournament ended before it began")


def _play_tables(
    entry: TournamentEntry, place: tuple[str, int], display: Display, inbox: Inbox, lines: list[str]
) -> None:
    """Play at one table after the other."""
    typing, view = Typing(by_keys=has_keys()), None
    while True:
        table_id, chair = (view.table_id, view.chair) if view else place
        view = _play_table(
            entry,
            table_id=table_id,
            chair=chair,
            first=view,
            display=display,
            inbox=inbox,
            typing=typing,
            lines=lines,
        )
        if view is None:
            return
        display.say(f"you have been moved to table {view.table_id}, chair {view.chair}")


def _play_table(
    entry: TournamentEntry,
    *,
    table_id: str,
    chair: int,
    first: TableView | None,
    display: Display,
    inbox: Inbox,
    typing: Typing,
    lines: list[str],
) -> TableView | None:
    """Play at a table, and add its summary to `lines`; return the first view of the next table if the entrant moves."""
    link = entry.link
    taken = TakenChair(
        link=link,
        info=link.info(table_id),
        chair=chair,
        token=entry.token,
        hand_limit=None,
        witness=witness_of(table_id),
        sitting=sitting_at(table_id),
    )
    durations = Durations(state_folder() / DURATIONS)
    with Adviser(inbox) as adviser, Coach(link, table_id, inbox, durations) as coach:
        session = Session(taken, display, inbox, Helpers(adviser, coach), typing)
        session.run(first)
        lines += session.summary()[:-1]  # without the winnings: chips of a tournament are no money
    return session.moved_view
