"""riverboat range: a range as a picture in the terminal, or as a page to click one together."""

import json
from html import escape
from pathlib import Path
from typing import Annotated

import typer

from riverboat.clients.console.files import check_target, write
from riverboat.clients.console.option_values import read_option
from riverboat.clients.console.options import AsJson, HoldemDeck, deck_named
from riverboat.clients.console.views.grid import ColourScale, class_table
from riverboat.clients.console.views.html_template import fill_template
from riverboat.clients.console.views.output import note, out, print_grid, print_json
from riverboat.holdings import class_grid, holdings_of, holdings_of_class
from riverboat.range_text import range_text
from riverboat.ranges import parse_range

_VIEWS = "riverboat.clients.console.views"
_SCALE = ColourScale(0, 0, 100)
_HALF = 0.5


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("range")(show_range)


def show_range(
    text: Annotated[str, typer.Argument(metavar="RANGE", help="Range, like 22+,A2s+ or top 15%.")],
    deck: HoldemDeck = "52",
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", help="File for a page on which the range can be changed.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show a range as a picture, and write it in short.

    Each number is how much of a class is in the range, in percent. The page that --html writes shows the same picture
    to click classes in and out of, with the text of the range for --oop, --ip and --vs.

    riverboat range "top 15%"

    riverboat range 22+,A2s+,KTs+ --html mine.html
    """
    check_target("--html", html, (".html", ".htm"))
    chosen = deck_named(deck)
    weights = read_option("RANGE", lambda: parse_range(text, chosen))
    classes = {label: float(weights[members].mean()) for label, members in holdings_of_class(chosen).items()}
    whole = [label for label, weight in classes.items() if weight > _HALF]
    count, share = float(weights.sum()), float(weights.sum()) / holdings_of(chosen).count
    if as_json:
        print_json({"range": range_text(whole), "holdings": count, "share": share, "classes": classes})
    else:
        values = {label: 100 * weight for label, weight in classes.items() if weight > 0}
        print_grid(class_table(chosen, values, _SCALE, "{:.0f}", out.width, "not in the range"))
        out.print(f"\n{count:,.6g} holdings, {100 * share:.1f} %", markup=False)
        out.print(range_text(whole), markup=False)
    if html is not None:
        sizes = {label: len(members) for label, members in holdings_of_class(chosen).items()}
        rows = [
            [{"label": label, "size": sizes[label], "held": classes[label] > _HALF} for label in row]
            for row in class_grid(chosen)
        ]
        parts = {"title": escape(f"A range of {deck} cards"), "data": json.dumps({"rows": rows})}
        said = write("--html", html, lambda target: _write(target, fill_template(_VIEWS, "range.html", parts)))
        if not as_json:
            note(said)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
