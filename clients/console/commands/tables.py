"""riverboat tables: the tables of a game manager."""

from typing import Annotated

import typer

from riverboat.clients.console.options import AsJson, RunningGameServer
from riverboat.clients.console.servers import running_game_manager
from riverboat.clients.console.views.output import note, print_json
from riverboat.clients.console.views.standings import headline
from riverboat.clients.console.views.tables import print_tables
from riverboat.clients.console.views.text import plain
from riverboat.clients.remote.documents import table_document

_NAMES = {"table_id": "TABLE"}

TableId = Annotated[str, typer.Argument(metavar="TABLE", help="Table id; riverboat tables lists them.")]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(tables)


def tables(
    everything: Annotated[
        bool, typer.Option("--all", help="Include closed tables and tournaments that are over.")
    ] = False,
    server: RunningGameServer = None,
    as_json: AsJson = False,
) -> None:
    """List the tables and tournaments of a game manager.

    riverboat tables --server 127.0.0.1:50052
    """
    with running_game_manager(server, _NAMES) as link:
        answer = link.tables.list_tables(include_closed=everything)
        tournaments = link.tournaments.list_tournaments(include_over=everything)
    if as_json:
        print_json([table_document(info) for info in answer.tables])
        return
    if answer.tables:
        print_tables(answer.tables)
    else:
        note("no tables; riverboat play opens one")
    for info in tournaments:
        note(f"tournament {plain(info.tournament_id)}, {headline(info)}")
    if answer.damaged_ids:
        damaged = ", ".join(plain(table_id) for table_id in answer.damaged_ids)
        note(f"set aside because the journal is damaged: {damaged}; the game manager's log says why")
