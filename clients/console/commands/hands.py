"""riverboat hands: the hands of a table, and files of hands imported into a store."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from riverboat.clients.analysis.counts import counted
from riverboat.clients.console.files import check_target, write
from riverboat.clients.console.hands.history_folder import sittings
from riverboat.clients.console.hands.importing import ImportSummary, import_files
from riverboat.clients.console.hands.sitting_table import print_sittings, sittings_list
from riverboat.clients.console.hands.store import HandStore
from riverboat.clients.console.help_pages import HelpPage, HelpText
from riverboat.clients.console.options import AsJson, RunningGameServer
from riverboat.clients.console.servers import running_game_manager
from riverboat.clients.console.settings import history_folder
from riverboat.clients.console.views.output import note, out, print_json, progress_bar
from riverboat.clients.console.views.tables import print_hands
from riverboat.clients.remote.documents import hand_document
from riverboat.clients.remote.gamemanager import table_named
from riverboat.clients.remote.refusals import Refused
from riverboat.history.store.reading import LeftOut
from riverboat.tables.records import HandRecord

_DEFAULT = "list"  # what `riverboat hands TABLE` means
_MOST_NAMED = 20  # hands left out that are printed for people; --json lists all
_MOST_SITTINGS = 50  # listed
_HELP = ("-h", "--help")
_HANDS_HELP = """List the hands you played (riverboat hands) or those of a table, or import files of hands into a store.

Hands that you play are kept in a folder, a file for each sitting; RIVERBOAT_HISTORY names another folder, or is off.

riverboat hands

riverboat hands 3f2a91c0d4e5 --phhs evening.phhs

riverboat hands import *.phhs.xz --store my-hands
"""
_NAMES = {"table_id": "TABLE"}


class HandCommands(HelpText, TyperGroup):
    """The commands about hands; without the name of one, hands are listed."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the name of the default command, unless the first word is a command or asks for help."""
        if not args or (args[0] not in self.commands and args[0] not in _HELP):
            args = [_DEFAULT, *args]
        return super().parse_args(ctx, args)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(cls=HandCommands, help=_HANDS_HELP, rich_markup_mode=None)
    group.command(_DEFAULT, cls=HelpPage)(list_hands)
    group.command("import", cls=HelpPage)(import_hands)
    app.add_typer(group, name="hands", short_help="List hands you played or those of a table; import files of hands.")


def list_hands(
    table: Annotated[
        str | None,
        typer.Argument(
            metavar="TABLE",
            help="Table id (riverboat tables lists them); without one, your own sittings are listed.",
            show_default=False,
        ),
    ] = None,
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
    """List your own sittings, or list or save the hands played at a table.

    riverboat replay, explain, review and verify read saved files, and those of your sittings.

    riverboat hands

    riverboat hands 3f2a91c0d4e5 --phhs evening.phhs
    """
    if table is None:
        _list_sittings(as_json)
        return
    check_target("--phhs", phhs, (".phhs",))
    with running_game_manager(server, _NAMES) as link, table_named(table):
        records = list(link.tables.hands(table, first=first))
    saved = _save(phhs, records) if phhs is not None else ""
    if as_json:
        print_json([hand_document(hand) for hand in records])
    elif phhs is None:
        print_hands(records)
    else:
        note(saved)


def _list_sittings(as_json: bool) -> None:
    folder = history_folder()
    kept = list(sittings(folder, _MOST_SITTINGS)) if folder else []
    if as_json:
        print_json(sittings_list(kept))
    elif folder is None:
        note("RIVERBOAT_HISTORY is off: your hands are not kept")
    elif not kept:
        note(f"no hands in {folder} yet: riverboat play keeps them there")
    else:
        print_sittings(kept, folder)


def _save(path: Path, records: Sequence[HandRecord]) -> str:
    lacking = [hand.hand_number for hand in records if not hand.phh]
    if lacking:
        raise Refused(f"--phhs: the PHH format does not cover the game of hand {lacking[0]}; --json saves any")
    text = "\n".join(f"[{hand.hand_number}]\n{hand.phh}" for hand in records)
    return f"{counted(len(records), 'hand')} {write('--phhs', path, lambda target: _write(target, text))}"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def import_hands(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="PHH files (.phh, .phhs, .phhs.xz), sites' texts.")
    ],
    store: Annotated[
        Path, typer.Option("--store", metavar="FOLDER", help="Folder of the store; created if it is missing.")
    ],
    as_json: AsJson = False,
) -> None:
    """Import files of hands into a store for riverboat players.

    Every hand is replayed by the rules. A hand that is damaged or impossible is left out, and named with its line and
    the reason. To resume an import, run the same command again: it skips files that are in the store already, and
    rebuilds damaged parts.

    riverboat hands import *.phhs.xz --store my-hands
    """
    target = HandStore(store)
    target.create()
    summaries = []
    with target.locked(), progress_bar("hands") as bar:
        for summary in import_files(target, files, bar.show):
            summaries.append(summary)
    if as_json:
        print_json([_as_dict(summary) for summary in summaries])
        return
    for summary in summaries:
        _print_problems(summary)
        out.print(_words(summary), markup=False, soft_wrap=True)
    if len(summaries) > 1:
        out.print(f"{counted(sum(each.hand_count for each in summaries), 'hand')} in all")


def _words(summary: ImportSummary) -> str:
    if summary.same_as:
        return f"{summary.file} has the same text as {summary.same_as}, which is already in the store"
    left_out = f", {len(summary.left_out):,} left out" if summary.left_out else ""
    was_there = " (already in the store)" * summary.was_there
    return f"{summary.file}: {counted(summary.hand_count, 'hand')}{left_out}{was_there}"


def _print_problems(summary: ImportSummary) -> None:
    for part in summary.rebuilt:
        out.print(f"rebuilt {part}", markup=False, soft_wrap=True)
    for hand in summary.left_out[:_MOST_NAMED]:
        out.print(f"{summary.file}: line {hand.line}: left out: {_without_line(hand)}", markup=False, soft_wrap=True)
    if len(summary.left_out) > _MOST_NAMED:
        note(f"{len(summary.left_out) - _MOST_NAMED:,} more are left out; --json lists all")


def _without_line(hand: LeftOut) -> str:
    """Return why a hand was left out, without its line, which is named already."""
    return hand.reason.removeprefix(f"line {hand.line}: ")


def _as_dict(summary: ImportSummary) -> dict[str, Any]:
    left_out: Sequence[dict[str, Any]] = [{"line": hand.line, "reason": hand.reason} for hand in summary.left_out]
    return {
        "file": summary.file,
        "hands": summary.hand_count,
        "left_out": left_out,
        "rebuilt": summary.rebuilt,
        "was_there": summary.was_there,
        "same_as": summary.same_as or None,
    }
