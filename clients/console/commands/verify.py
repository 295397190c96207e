"""riverboat verify: check that hands were dealt as the server announced."""

from pathlib import Path
from typing import Annotated

import typer

from riverboat.clients.analysis.counts import counted
from riverboat.clients.console.hands.deals import dealt_in_record
from riverboat.clients.console.hands.verification import Verification, hands_to_verify
from riverboat.clients.console.hands.witnesses import witness_folder
from riverboat.clients.console.options import AsJson, RunningGameServer
from riverboat.clients.console.servers import running_game_manager
from riverboat.clients.console.views.output import note, out, print_json
from riverboat.clients.console.views.text import plain
from riverboat.clients.remote.gamemanager import table_named
from riverboat.clients.remote.refusals import Refused


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(verify)


def verify(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Files to check: .phh, .phhs or .json.", show_default=False),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(
            "--table",
            metavar="ID",
            help="Table whose hands to check; riverboat tables lists tables.",
            show_default=False,
        ),
    ] = None,
    witness: Annotated[
        Path | None,
        typer.Option(
            "--witness", metavar="FOLDER", help="Folder of witness files; default: where riverboat play keeps them."
        ),
    ] = None,
    server: RunningGameServer = None,
    as_json: AsJson = False,
) -> None:
    """Check that hands were dealt as the server announced.

    The server commits to its decks before a hand, and proves every card that becomes known. riverboat play keeps a
    witness: the commitments, your contribution and your cards, recorded before each hand. Hands are checked against
    it. Without a witness the check shows only that the records agree with themselves, which a server that rewrote
    everything after the hand can also achieve. Exit code 1 if anything is wrong.

    riverboat verify evening.phhs

    riverboat verify --server 127.0.0.1:50052 --table 3f2a91c0d4e5
    """
    if not files and table is None:
        raise Refused("nothing to check: name files, or a --table")
    check = Verification(witness or witness_folder(), (lambda _: None) if as_json else _print_problem)
    for path in files or ():
        check.hands(str(path), hands_to_verify(path))
    if table is not None:
        with running_game_manager(server, {"table_id": "--table"}) as link, table_named(table):
            records = list(link.tables.hands(table))
        check.table(f"table {plain(table)}", table, [dealt_in_record(record) for record in records])
    if as_json:
        counts = {"hands": check.hand_count, "witnessed": check.witnessed_count, "unproved": dict(check.unproved)}
        print_json({**counts, "problems": check.problems})
    else:
        _print_conclusion(check)
    if check.problems:
        raise typer.Exit(1)


def _print_problem(text: str) -> None:
    out.print(plain(text), markup=False, soft_wrap=True)


def _print_conclusion(check: Verification) -> None:
    """Print the number of hands checked, and the limits of the proof."""
    out.print(
        f"{counted(check.hand_count, 'hand')}, {counted(len(check.problems), 'problem')}; "
        f"{check.witnessed_count} compared with what you saw before the hand"
    )
    for text, count in check.unproved.items():
        out.print(f"{count} not proved: {text}", markup=False, soft_wrap=True)
    if not check.hand_count:
        note("nothing was checked")
    elif not check.witnessed_count:
        agree = "the records agree with themselves" if not check.problems else "only the records were checked"
        note(f"no witness of these hands: {agree}, and no more is proved")
