"""Card features before the flop; `python -m riverboat.services.oracle.preflop_features` writes their file: a minute."""

import sys
from functools import cache, partial
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECKS, Deck
from riverboat.features.preflop import class_features, spread_features

F32 = NDArray[np.float32]
_FILE = "preflop_features.npz"


@cache
def features_before_the_flop(deck: Deck) -> F32:
    """Return the card features of all holdings of a hold'em deck before the flop [H, 31].

    They are in the file, or computed once: a second or two for a deck of up to 36 cards.
    """
    kept = kept_features(deck)
    features = spread_features(deck, class_features(deck) if kept is None else kept)
    features.flags.writeable = False
    return features


def kept_features(deck: Deck) -> F32 | None:
    """Return the features in the file [classes, 31]; None for a deck that was added after the file was written."""
    with np.load(BytesIO(files(__package__).joinpath(_FILE).read_bytes()), allow_pickle=False) as arrays:
        features: F32 | None = arrays.get(deck.name)
    return features


def _write(path: Path) -> None:
    tables: dict[str, Any] = {}
    for deck in DECKS.values():
        if deck.is_holdem:
            tables[deck.name] = class_features(deck, partial(_show, deck.name))
            print(file=sys.stderr)
    np.savez_compressed(path, **tables)


def _show(name: str, done: float) -> None:
    print(f"\r{name} cards  {'█' * int(40 * done):<40}  {done:4.0%}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    with as_file(files(__package__).joinpath(_FILE)) as path:
        _write(path)
