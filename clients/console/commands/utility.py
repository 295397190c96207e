"""riverboat utility."""

from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Group
from rich.table import Table
from rich.text import Text

from riverboat.cards import RANKS, SUITS, Deck, check_cards, format_card, parse_cards
from riverboat.clients.console.files import check_target, write
from riverboat.clients.console.options import AsJson, Board, DeckName, OracleServer, deck_named
from riverboat.clients.console.servers import oracle
from riverboat.clients.console.views.grid import Scale, class_table, value_text
from riverboat.clients.console.views.output import note, out, percent, print_grid, print_json, waiting
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index, holdings_of, holdings_of_class

Values = NDArray[np.float32]
_SCALE = Scale(-1.0, 0.0, 1.0)
_NAMES = {"stud.mine": "--stud MINE", "stud.theirs": "--stud THEIRS"}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(utility)


def utility(
    board: Board = "",
    stud: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="MINE THEIRS", help="Five-card stud: four visible cards of each.", show_default=False),
    ] = None,
    holding: Annotated[
        str, typer.Option("--holding", help="Show one holding's row instead of averages.", show_default=False)
    ] = "",
    save: Annotated[
        Path | None, typer.Option(help="Write the whole matrix: .npy, or .csv with labels.", show_default=False)
    ] = None,
    deck: DeckName = "52",
    server: OracleServer = None,
    as_json: AsJson = False,
) -> None:
    """The utility matrix of a board: what each pair of holdings is worth, +1 to -1.

    Before the river it is the average over all run-outs. Shown is the average over the opponent's
    holdings for each class, or with --holding one row of the matrix by the opponent's class.

    riverboat utility --board Td9d2c --holding AhKh

    riverboat utility --board Td9d2c5h3s --save river.npy
    """
    cards = deck_named(deck)
    if stud and board:
        raise Refused("--stud does not go with --board")
    check_target("--save", save, (".npy", ".csv"))
    place = _place(cards, holding, "".join(stud) if stud else board, bool(stud)) if holding else None
    with oracle(server, _NAMES) as client, waiting("comparing all holdings"):
        matrix = client.stud_utility(deck, *stud) if stud else client.board_utility(deck, board)
    labels = _labels(cards, bool(stud))
    shown = _averages(matrix) if place is None else matrix[place]
    counted = matrix if place is None else shown
    pair_count = int(np.count_nonzero(~np.isnan(counted)))
    if as_json:
        values = {label: None if np.isnan(x) else round(float(x), 6) for label, x in zip(labels, shown, strict=True)}
        about = {"deck": deck, "board": board, "stud": stud, "holding": holding or None}
        print_json({**about, "pairs": pair_count, "values": values})
    else:
        situation = (f"{stud[0]} against {stud[1]}" if stud else board or "no board") + _deck_text(cards)
        against = f"{holding} against each holding" if holding else "average against all holdings"
        out.print(Text(f"{situation}: {against}", style="bold"))
        print_grid(_card_table(cards, shown) if stud or not cards.is_holdem else _class_table(cards, shown))
        above = float(np.count_nonzero(counted > 0) / max(1, pair_count))
        size = f"{len(matrix)} × {len(matrix)}, " if place is None else ""
        note(f"{size}{pair_count:,} possible pairs, {percent(above)} of them above zero")
    said = write("--save", save, partial(_save, matrix, labels))
    if said and not as_json:
        note(said)


def _deck_text(deck: Deck) -> str:
    return "" if deck.name == "52" else f" ({deck.name} deck)"


def _labels(deck: Deck, single_cards: bool) -> list[str]:
    holdings = holdings_of(deck)
    return (
        [format_card(card) for card in deck.cards] if single_cards else list(map(holdings.label, range(holdings.count)))
    )


def _place(deck: Deck, text: str, seen: str, single_cards: bool) -> int:
    """Where in the matrix the wanted row is."""
    try:
        cards = parse_cards(text)
        if not single_cards:
            place = holding_index(deck, cards)
        elif len(cards) == 1:
            check_cards(deck, cards)
            place = deck.cards.index(cards[0])
        else:
            raise InvalidInput("", f"in five-card stud one card is hidden, not {len(cards)}")
    except InvalidInput as error:
        raise Refused(f"--holding: {error}") from None
    if set(cards) & set(_readable(seen)):
        raise Refused(f"--holding: {text} has a card that everybody sees")
    return place


def _readable(text: str) -> tuple[int, ...]:
    """Cards, or none if the text is not cards: the oracle will say what is wrong with it."""
    try:
        return parse_cards(text)
    except InvalidInput:
        return ()


def _averages(matrix: Values) -> Values:
    """The mean of each row over its possible pairs; NaN for rows without any."""
    counts = np.count_nonzero(~np.isnan(matrix), axis=1)
    sums = np.nansum(matrix, axis=1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan).astype(np.float32)


def _save(matrix: Values, labels: list[str], path: Path) -> None:
    if path.suffix.lower() == ".npy":
        with path.open("wb") as file:
            np.save(file, matrix)
        return
    with path.open("w", encoding="utf-8") as text:
        text.write("," + ",".join(labels) + "\n")
        for label, row in zip(labels, matrix, strict=True):
            text.write(label + "," + ",".join("" if np.isnan(x) else f"{x:.6g}" for x in row) + "\n")


def _class_table(deck: Deck, values: Values) -> Group:
    means = {}
    for label, members in holdings_of_class(deck).items():
        possible = values[members][~np.isnan(values[members])]
        if possible.size:
            means[label] = float(possible.mean())
    return class_table(deck, means, _SCALE, "{:+.2f}", out.width)


def _card_table(deck: Deck, values: Values) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("", style="bold")
    for suit in deck.suits:
        table.add_column(SUITS[suit], justify="center")
    by_card = dict(zip(deck.cards, values.tolist(), strict=True))
    for rank in reversed(deck.ranks):
        cells = (by_card[4 * rank + suit] for suit in deck.suits)
        table.add_row(RANKS[rank], *(value_text(None if np.isnan(x) else x, _SCALE, "{:+.2f}") for x in cells))
    return table
