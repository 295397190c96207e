"""riverboat tables and hands: the tables of a game manager, and the hands played there."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from riverboat.clients.console.files import check_target, write
from riverboat.clients.console.options import AsJson, RunningGameServer
from riverboat.clients.console.servers import running_game_manager
from riverboat.clients.console.views.output import note, print_json
from riverboat.clients.console.views.tables import print_hands, print_tables
from riverboat.clients.console.views.text import plain
from riverboat.clients.remote.documents import hand_document, table_document
from riverboat.clients.remote.refusals import Refused
from riverboat.tables.records import HandRecord

_NAMES = {"table_id": "TABLE"}

TableId = Annotated[str, typer.Argument(metavar="TABLE", help="Table id; riverboat tables lists them.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (tables, hands):
        app.command()(command)


def tables(
    everything: Annotated[bool, typer.Option("--all", help="Include closed tables.")] = False,
    server: RunningGameServer = None,
    as_json: AsJson = False,
) -> None:
    """List the tables of a game manager.

    riverboat tables --server 127.0.0.1:50052
    """
    with running_game_manager(server, _NAMES) as link:
        answer = link.tables.list_tables(include_closed=everything)
    if as_json:
        print_json([table_document(info) for info in answer.tables])
        return
    if answer.tables:
        print_tables(answer.tables)
    else:
        note("no tables; riverboat play opens one")
    if answer.damaged_ids:
        damaged = ", ".join(plain(table_id) for table_id in answer.damaged_ids)
        note(f"set aside because the journal is damaged: {damaged}; the game manager's log says why")


def hands(
    table: TableId,
    phhs: Annotated[
        Path | None,
        typer.Option(
            "--phhs", metavar="FILE", help="Save the hands to this file, in the PHH format.", show_default=False
        ),
    ] = None,
    first: Annotated[int, typer.Option("--first", min=1, metavar="N", help="Number of the first hand to list.")] = 1,
    server: RunningGameServer = None,
    as_json: AsJson = False,
) -> None:
    """List or save the hands played at a table.

    riverboat replay, explain, review and verify read saved files.

    riverboat hands 3f2a91c0d4e5 --phhs evening.phhs
    """
    check_target("--phhs", phhs, (".phhs",))
    with running_game_manager(server, _NAMES) as link:
        records = list(link.tables.hands(table, first=first))
    saved = _save(phhs, records) if phhs is not None else ""
    if as_json:
        print_json([hand_document(hand) for hand in records])
    elif phhs is None:
        print_hands(records)
    else:
        note(saved)


def _save(path: Path, records: Sequence[HandRecord]) -> str:
    lacking = [hand.hand_number for hand in records if not hand.phh]
    if lacking:
        raise Refused(f"--phhs: the PHH format does not cover the game of hand {lacking[0]}; --json saves any")
    text = "\n".join(f"[{hand.hand_number}]\n{hand.phh}" for hand in records)
    return f"{len(records)} hands {write('--phhs', path, lambda target: _write(target, text))}"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
