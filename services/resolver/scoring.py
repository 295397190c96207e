"""The yardsticks that come with Riverboat, and what networks score on them."""

import zipfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.nets.network import Interrupt, Network
from riverboat.nets.yardstick import Yardstick, YardstickScore, from_arrays, score

SHIPPED_YARDSTICKS = Path(__file__).parent / "yardsticks"


@dataclass(frozen=True, slots=True)
class Scored:
    """A network's score on a yardstick."""

    yardstick: str  # its deck, its street and the beginning of its hash
    score: YardstickScore
    equity: YardstickScore  # of values as if there were no more bets, on the same yardstick


def read_yardstick(path: Path) -> Yardstick:
    """Read a yardstick from its file; InvalidInput if it is damaged."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return from_arrays(dict(arrays))
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise InvalidInput("", f"the yardstick {path.name} cannot be read: {error}") from None


class Yardsticks:
    """The yardstick files, one for each deck and street; scores are kept by network and yardstick."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[tuple[str, tuple[str, str]], Scored | None] = {}

    def scored(self, network: Network, digest: str, interrupt: Interrupt | None = None) -> Scored | None:
        """Return the score of the network with this hash, or None without a yardstick; InvalidInput if it fails.

        The files ship with this program, so a score holds as long as the program runs.
        """
        key = digest, (network.about.deck, network.about.street)
        if key not in self._known:
            self._known[key] = self._score(network, interrupt)
        return self._known[key]

    def _score(self, network: Network, interrupt: Interrupt | None) -> Scored | None:
        deck, street = network.about.deck, network.about.street
        path = next((file for file in self._folder.glob("*.npz") if file.stem == f"{deck}-{street}"), None)
        if path is None:
            return None
        yardstick = read_yardstick(path)
        count = yardstick.shares.shape[2]
        if count != network.holding_count:
            raise InvalidInput("deck", f"it has {network.holding_count:,} holdings, but its yardstick has {count:,}")
        return Scored(
            f"{deck}-{street}-{yardstick.hash[:8]}",
            score(yardstick, partial(network.values, interrupt=interrupt)),
            yardstick.about.equity,
        )
