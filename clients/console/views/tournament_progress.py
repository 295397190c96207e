"""The progress of a tournament: followed to its end, through restarts of the server."""

from collections.abc import Iterator
from contextlib import suppress

import grpc
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from riverboat.clients.console.views.output import out, progress_bar, say
from riverboat.clients.console.views.standings import headline, news_words, standings_table
from riverboat.clients.console.views.text import plain
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.patience import patiently
from riverboat.tournaments.entries import News, PlayerEntered
from riverboat.tournaments.report import TournamentReport

_END_SECONDS = 30
_SHOWN_NEWS = 8
_ROWS_BESIDES = 6  # of the screen: headline, head of the table, blank lines


def how_to_enter(link: GameManagerClient, tournament_id: str) -> str:
    """Return the command with which another person enters a tournament."""
    return f"riverboat tournament --id {tournament_id} --play --server {link.address}"


def how_to_watch(link: GameManagerClient, tournament_id: str) -> str:
    """Return the command that shows a tournament again."""
    return f"riverboat tournament --id {tournament_id} --watch --server {link.address}"


def reports_of(link: GameManagerClient, tournament_id: str) -> Iterator[TournamentReport]:
    """Yield reports without gaps in their news; the connection may be lost for a while, the tournament goes on."""
    waits_for, first = "", 0
    again = "" if link.is_own else how_to_watch(link, tournament_id)

    def stream() -> Iterator[TournamentReport]:
        return link.tournaments.watch(tournament_id, from_number=first)

    for report in patiently(
        stream,
        server=f"the game manager at {link.address}",
        what="the tournament",
        again=again,
        say=say,
    ):
        if report.news:
            first = report.first_news + len(report.news)
        if report.waits_for != waits_for:
            waits_for = report.waits_for
            say(f"the tournament is waiting: {plain(waits_for)}" if waits_for else "the tournament goes on")
        yield report


def follow_quietly(link: GameManagerClient, tournament_id: str) -> Iterator[TournamentReport]:
    """Yield reports behind a progress bar: how many players are out."""
    with progress_bar("playing") as bar:
        for report in reports_of(link, tournament_id):
            info = report.info
            bar.show(
                (info.registered_count - info.left_count) / max(1, info.structure.entrant_count - 1), headline(info)
            )
            yield report


def follow_loudly(link: GameManagerClient, tournament_id: str) -> Iterator[TournamentReport]:
    """Yield reports and show them: standings on a terminal, a line for each event in a pipe."""
    if not out.is_terminal:
        for report in reports_of(link, tournament_id):
            for news in report.news:
                out.print(news_words(news), markup=False, soft_wrap=True)
            yield report
        return
    latest: list[News] = []
    with Live(console=out, screen=False, transient=True, auto_refresh=False) as live:
        for report in reports_of(link, tournament_id):
            latest = [*latest, *(news for news in report.news if not isinstance(news, PlayerEntered))][-_SHOWN_NEWS:]
            live.update(_screen(report, latest), refresh=True)
            yield report


def _screen(report: TournamentReport, latest: list[News]) -> RenderableType:
    rows = max(3, out.size.height - _SHOWN_NEWS - _ROWS_BESIDES)
    words = Text("\n".join(news_words(news) for news in latest), style="dim")
    return Group(Text(headline(report.info), style="bold"), standings_table(report, rows), Text(""), words)


def cancelled(link: GameManagerClient, tournament_id: str, dealer_token: str) -> TournamentReport | None:
    """Cancel a tournament; return its last standings, if the server still answers."""
    with suppress(grpc.RpcError):
        link.tournaments.cancel(tournament_id=tournament_id, dealer_token=dealer_token, timeout=_END_SECONDS)
        return list(link.tournaments.watch(tournament_id))[-1]
    return None
