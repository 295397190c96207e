"""riverboat cheatsheet."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from riverboat.clients.console.files import check_target, write
from riverboat.clients.console.options import AsJson, Board, DeckName, OracleServer, Seed, deck_named
from riverboat.clients.console.servers import oracle
from riverboat.clients.console.views.grid import class_table
from riverboat.clients.console.views.output import note, out, print_grid, print_json, progress_bar, waiting
from riverboat.clients.console.views.sheet import Sheet, opponents_text, sheet_row, write_csv
from riverboat.clients.remote.refusals import Refused
from riverboat.contracts.oracle import Cell
from riverboat.rpc.installation import how_to_install


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(cheatsheet)


def cheatsheet(
    opponents: Annotated[
        str, typer.Option("--opponents", "-n", metavar="COUNTS", help="Numbers of opponents, like 1-8 or 1,2,5.")
    ] = "1-8",
    board: Board = "",
    rollouts: Annotated[
        int,
        typer.Option(min=1, max=10**18, metavar="N", help="Rollouts per starting hand, for each number of opponents."),
    ] = 100_000,
    no_exact: Annotated[bool, typer.Option("--no-exact", help="Use rollouts against one opponent too.")] = False,
    seed: Seed = None,
    csv_file: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="File to write all numbers to: .csv.", show_default=False),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture", metavar="FILE", help="File to draw the sheet in: .png, .svg or .pdf.", show_default=False
        ),
    ] = None,
    deck: DeckName = "52",
    server: OracleServer = None,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no grids; for --csv and --picture.")] = False,
) -> None:
    """Compute the equity of each starting hand.

    The opponents hold random cards. A tie counts as the share of the pot that it wins. Against one opponent the numbers
    are exact; against more they come from rollouts. --board does the same for a flop, turn or river.

    riverboat cheatsheet --opponents 1-8 --picture sheet.pdf

    riverboat cheatsheet --opponents 1,3 --board Td9d2c --csv flop.csv
    """
    counts, cards = _parse_counts(opponents), deck_named(deck)
    check_target("--csv", csv_file, (".csv",))
    check_target("--picture", picture, (".png", ".svg", ".pdf"))
    draw = _drawer() if picture else None
    cells: list[Cell] = []
    used_seed = None
    with oracle(server, {"opponent_counts": "--opponents"}) as client, progress_bar("dealing") as bar:
        sheet_cells = client.cheat_sheet(
            deck=deck, board=board, opponent_counts=counts, rollout_count=rollouts, seed=seed, no_exact=no_exact
        )
        for cell, done, cell_seed in sheet_cells:
            bar.show(done, f"{cell.label} against {cell.opponent_count}" if cell else None)
            if cell:
                cells.append(cell)
                used_seed = used_seed if cell.equity.exact else cell_seed
    sheet = Sheet(cards, board, tuple(counts), tuple(cells), used_seed)
    if as_json:
        rows = [sheet_row(cell) for cell in cells]
        print_json({"deck": deck, "board": board, "seed": used_seed, "cells": rows})
    elif not quiet:
        _print(sheet)
    said = [write("--csv", csv_file, partial(write_csv, sheet))]
    if draw:
        with waiting("drawing…"):
            said.append(write("--picture", picture, partial(draw, sheet)))
    for text in filter(None, said):
        if not as_json:
            note(text)


def _parse_counts(text: str) -> list[int]:
    counts: list[int] = []
    for item in text.split(","):
        first, dash, last = item.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or len(item) > 10:
            raise Refused(f"--opponents: {text[:20]!r} is not a list of numbers; write 1-8 or 1,2,5")
        start, end = int(first), int(last or first)
        if not 1 <= start <= end <= 9:
            raise Refused(
                f"--opponents: {text[:20]!r} must be numbers between 1 and 9, the smaller one first, like 1-8"
            )
        counts.extend(range(start, end + 1))
    return counts


def _print(sheet: Sheet) -> None:
    for count in sheet.opponent_counts:
        where = (f" on {sheet.board}" if sheet.board else "") + sheet.deck_text
        title = f"Chance to win in %, ties shared, against {opponents_text(count)}{where}"
        out.print(Text(title, style="bold"))
        print_grid(class_table(sheet.deck, sheet.values(count), sheet.scale(count), "{:.1f}", out.width))
        note(", ".join(sheet.notes((count,))) + "\n")


def _drawer() -> Callable[[Sheet, Path], None]:
    try:
        from riverboat.clients.console.views.sheet_picture import draw
    except ImportError:
        raise Refused(f"--picture needs matplotlib: {how_to_install('pictures')}") from None
    return draw
