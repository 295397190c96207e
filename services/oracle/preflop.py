"""Utilities before the flop; `python -m riverboat.services.oracle.preflop` writes the file of those with 52 cards."""

from functools import cache
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path

import numpy as np

from riverboat.cards import DECKS, Deck
from riverboat.preflop import Rows, preflop_rows, preflop_utility
from riverboat.utility import Utility

_KEPT = DECKS["52"]  # half a minute's work; other decks take a second
_FILE = "preflop_52.npz"


@cache
def utility_before_the_flop(deck: Deck) -> Utility:
    """Return mean winnings of each holding against each other over all boards [H, H]; 0 if they share a card."""
    return preflop_utility(deck, kept_rows() if deck is _KEPT else preflop_rows(deck))


def kept_rows() -> Rows:
    """Return the rows in the file."""
    with np.load(BytesIO(files(__package__).joinpath(_FILE).read_bytes()), allow_pickle=False) as arrays:
        rows: Rows = arrays["rows"]
    return rows


def _write(path: Path) -> None:
    np.savez_compressed(path, rows=preflop_rows(_KEPT))


if __name__ == "__main__":
    with as_file(files(__package__).joinpath(_FILE)) as path:
        _write(path)
