"""A utility matrix: averages and rows in the terminal, the whole matrix in a file."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Group
from rich.table import Table
from rich.text import Text

from riverboat.cards import RANKS, SUITS, Deck, format_card
from riverboat.clients.console.views.grid import ColourScale, class_table, value_text
from riverboat.clients.console.views.output import note, out, percent, print_grid
from riverboat.holdings import holdings_of, holdings_of_class

Values = NDArray[np.float32]
_SCALE = ColourScale(-1.0, 0.0, 1.0)


def print_utility(title: str, deck: Deck, shown: Values, counted: Values, *, by_card: bool) -> None:
    """Print a grid of the values in `shown` [H], and how many of the pairs in `counted` are above zero."""
    out.print(Text(title, style="bold"))
    print_grid(_card_table(deck, shown) if by_card else _class_table(deck, shown))
    pairs = pair_count(counted)
    above = float(np.count_nonzero(counted > 0) / max(1, pairs))
    size = f"{len(counted)} × {len(counted)}, " if counted.ndim > 1 else ""
    note(f"{size}{pairs:,} possible pairs, {percent(above)} of them above zero")


def pair_count(values: Values) -> int:
    """Return the number of pairs of holdings that share no card."""
    return int(np.count_nonzero(~np.isnan(values)))


def labels_of(deck: Deck, single_cards: bool) -> list[str]:
    """Return the label of each row: holdings, or single cards in five-card stud."""
    holdings = holdings_of(deck)
    return (
        [format_card(card) for card in deck.cards] if single_cards else list(map(holdings.label, range(holdings.count)))
    )


def averages(matrix: Values) -> Values:
    """Return the mean of each row over its possible pairs [H]; NaN for a row without any."""
    counts = np.count_nonzero(~np.isnan(matrix), axis=1)
    sums = np.nansum(matrix, axis=1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan).astype(np.float32)


def save_matrix(matrix: Values, labels: list[str], path: Path) -> None:
    """Write a matrix to .npy, or to .csv with labels."""
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
