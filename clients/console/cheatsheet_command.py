"""riverboat cheatsheet."""

import csv
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from clients.console.connection import oracle
from clients.console.failures import Refused
from clients.console.grid import class_table
from clients.console.options import AsJson, Board, DeckName, Seed, Server
from clients.console.output import out, print_json, progress_bar
from clients.console.sheet import Sheet, opponents_text
from riverboat.answers import Cell
from riverboat.cards import find_deck

_PICTURES = (".png", ".svg", ".pdf")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(cheatsheet)


def cheatsheet(
    opponents: Annotated[str, typer.Option("--opponents", "-n", help="How many: 1-8, or 1,2,5.")] = "1-8",
    board: Board = "",
    rollouts: Annotated[int, typer.Option(min=1, help="Rollouts for each hand and number of opponents.")] = 100_000,
    no_exact: Annotated[bool, typer.Option("--no-exact", help="Roll out also against one opponent.")] = False,
    seed: Seed = None,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", help="Write all numbers to this file.", show_default=False)
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", help="Draw the sheet: .png, .svg or .pdf, ready to print.", show_default=False),
    ] = None,
    deck: DeckName = "52",
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """The chance to win with each starting hand, against 1 to 8 opponents with random cards.

    Ties count as the share of the pot they win. Against one opponent the numbers are exact, against
    more they come from rollouts. With --board it is the same for a flop, turn or river.

    riverboat cheatsheet --opponents 1-8 --picture sheet.pdf

    riverboat cheatsheet --opponents 1,3 --board Td9d2c --csv flop.csv
    """
    counts = _parse_counts(opponents)
    for option, path, endings in (("--csv", csv_file, (".csv",)), ("--picture", picture, _PICTURES)):
        if path and path.suffix.lower() not in endings:
            raise Refused(f"{option}: {path} must end in {' or '.join(endings)}")
        if path and not path.absolute().parent.is_dir():
            raise Refused(f"{option}: there is no folder {path.parent}")
    cells: list[Cell] = []
    with oracle(server) as client, progress_bar("dealing") as bar:
        for cell, done in client.cheat_sheet(deck, board, counts, rollouts, seed, no_exact):
            if cell:
                cells.append(cell)
                bar.show(done, f"{cell.label} against {cell.opponent_count}")
    sheet = Sheet(find_deck(deck), board, tuple(counts), tuple(cells))
    if csv_file:
        _write_csv(cells, csv_file)
    if picture:
        _draw(sheet, picture)
    if as_json:
        print_json([_row(cell) for cell in cells])
        return
    _print(sheet)
    for path in filter(None, (csv_file, picture)):
        out.print(f"written to {path}", style="dim")


def _parse_counts(text: str) -> list[int]:
    counts: list[int] = []
    for item in text.split(","):
        first, dash, last = item.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or len(item) > 10:
            raise Refused(f"--opponents: {text[:20]!r} is not a list of numbers; write 1-8 or 1,2,5")
        start, end = int(first), int(last or first)
        if not 1 <= start <= end <= 9:
            raise Refused(f"--opponents: {text[:20]!r} must be numbers between 1 and 9, the smaller first")
        counts.extend(range(start, end + 1))
    return counts


def _print(sheet: Sheet) -> None:
    for count in sheet.opponent_counts:
        where = f" on {sheet.board}" if sheet.board else ""
        out.print(Text(f"Chance to win in %, against {opponents_text(count)}{where}", style="bold"))
        out.print(class_table(sheet.deck, sheet.values(count), sheet.scale(count), "{:.1f}"))
        out.print(", ".join(sheet.notes((count,))) + "\n", style="dim")


def _row(cell: Cell) -> dict[str, str | int | float | bool]:
    found = cell.equity
    return {
        "hand": cell.label,
        "opponents": cell.opponent_count,
        "holdings": cell.holding_count,
        "equity": found.equity,
        "win": found.win,
        "tie": found.tie,
        "error": found.error,
        "deals": found.deal_count,
        "exact": found.exact,
    }


def _write_csv(cells: list[Cell], path: Path) -> None:
    rows = [_row(cell) for cell in cells]
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise Refused(f"--csv: {error}") from None


def _draw(sheet: Sheet, path: Path) -> None:
    try:
        from clients.console.picture import draw
    except ImportError:
        raise Refused("--picture needs matplotlib: pip install 'riverboat[pictures]'") from None
    try:
        draw(sheet, path)
    except OSError as error:
        raise Refused(f"--picture: {error}") from None
