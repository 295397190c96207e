"""Value networks from files: checked, loaded without a restart, and kept when a newer file is no good.

A network is two files: NAME.onnx and NAME.json, its card, which has the hash of the other. Folders are looked through
again every few seconds; a file that has changed is read. If it is refused, what was there before goes on.
"""

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import numpy as np
import structlog

from riverboat.cards import DECKS
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of
from riverboat.nets.features import BINS, FEATURES
from riverboat.nets.layout import About
from riverboat.nets.network import Network
from riverboat.solving.answers import NetworkAnswer

_LOOK_SECONDS = 2.0
_MOST_BYTES = 200_000_000
log = structlog.get_logger()


@dataclass(frozen=True, slots=True, eq=False)
class LoadedNetwork:
    """A network, and where it came from."""

    network: Network
    hash: str  # of the file
    file: str
    labels: str  # what its samples were labelled by: losses can be compared only where that is the same

    @property
    def about(self) -> About:
        """What it says about itself."""
        return self.network.about

    @property
    def name(self) -> str:
        """For people and for logs."""
        return f"{self.about.deck}-{self.about.street}-{self.hash[:8]}"

    @property
    def place(self) -> tuple[str, str]:
        """What it is for: a deck and a street."""
        return self.about.deck, self.about.street

    @property
    def loss(self) -> float:
        """Huber's in pots, on boards that were held out."""
        return self.about.held_out_loss

    def answer(self) -> NetworkAnswer:
        """What is told about it."""
        said = self.about
        losses = said.train_loss, said.held_out_loss
        return NetworkAnswer(self.name, said.deck, said.street, self.hash, said.samples, *losses, self.file)


@dataclass(frozen=True, slots=True)
class Shelf:
    """What there is."""

    networks: tuple[LoadedNetwork, ...]
    refused: tuple[tuple[str, str], ...]  # files and reasons

    def answer(self) -> tuple[list[NetworkAnswer], tuple[tuple[str, str], ...]]:
        """What is told about it."""
        return [network.answer() for network in self.networks], self.refused


_Stamp = tuple[tuple[int, int], ...]  # of the two files: when they were written, and how long they are


class Networks:
    """The networks in some folders, one for each deck and street.

    Of several the one with the lowest held-out loss counts; if they were not labelled by the same, the later folder's.
    """

    def __init__(self, folders: Sequence[Path], threads: int, clock: Callable[[], float]) -> None:
        self._folders, self._threads, self._clock = folders, threads, clock
        self._lock = Lock()
        self._looked = float("-inf")
        self._stamps: dict[Path, _Stamp] = {}
        self._loaded: dict[Path, LoadedNetwork] = {}
        self._refused: dict[Path, str] = {}

    def find(self, deck: str, street: str) -> LoadedNetwork | None:
        """The network for a deck and the start of a street, if there is one."""
        fitting = (found for found in self.shelf().networks if found.place == (deck, street))
        return next(fitting, None)

    @property
    def version(self) -> str:
        """Another whenever answers may be others."""
        return " ".join(found.hash for found in self.shelf().networks)

    def shelf(self) -> Shelf:
        """All of them, and what was refused."""
        with self._lock:
            if self._clock() - self._looked >= _LOOK_SECONDS:
                self._look()
                self._looked = self._clock()
            order = [path for folder in self._folders for path in sorted(self._loaded) if path.parent == folder]
            refused = [(str(path), reason) for path, reason in sorted(self._refused.items())]
            used, passed_over = _best([self._loaded[path] for path in order])
            return Shelf(tuple(used), (*refused, *passed_over))

    def _look(self) -> None:
        paths = [path for folder in self._folders for path in sorted(folder.glob("*.onnx"))]
        for path in set(self._stamps) - set(paths):
            for known in (self._stamps, self._loaded, self._refused):
                known.pop(path, None)
        for path in paths:
            stamp = _stamp(path)
            if self._stamps.get(path) != stamp:
                self._stamps[path] = stamp
                self._read(path)

    def _read(self, path: Path) -> None:
        try:
            self._loaded[path] = _load(path, self._threads)
            self._refused.pop(path, None)
            log.info("network loaded", file=str(path), name=self._loaded[path].name)
        except (InvalidInput, OSError) as error:
            self._refused[path] = str(error)
            kept = self._loaded[path].name if path in self._loaded else None
            log.warning("network refused", file=str(path), reason=str(error), kept=kept)


def _best(loaded: Sequence[LoadedNetwork]) -> tuple[list[LoadedNetwork], list[tuple[str, str]]]:
    """For each deck and street the network that knows held-out boards best; the others' files, with the reason."""
    best: dict[tuple[str, str], LoadedNetwork] = {}
    for network in loaded:
        other = best.get(network.place)
        if other is None or network.labels != other.labels or network.loss <= other.loss:
            best[network.place] = network
    used = [network for network in loaded if best[network.place] is network]
    passed_over = []
    for network in loaded:
        better = best[network.place]
        if better is not network and better.hash != network.hash:
            losses = f"its held-out loss is {better.loss:.4f}, where this one has {network.loss:.4f}"
            reason = (
                losses if better.labels == network.labels else f"it was labelled by {better.labels}, and comes later"
            )
            passed_over.append((network.file, f"{better.name} is used instead: {reason}"))
    return used, passed_over


def _stamp(path: Path) -> _Stamp:
    found = []
    for file in (path, path.with_suffix(".json")):
        try:
            status = file.stat()
            found.append((status.st_mtime_ns, status.st_size))
        except OSError:
            found.append((0, 0))
    return tuple(found)


def _load(path: Path, threads: int) -> LoadedNetwork:
    """A network from its files; InvalidInput with the reason if they do not fit together."""
    if path.stat().st_size > _MOST_BYTES:
        raise InvalidInput("", f"it has {path.stat().st_size:,} bytes; the limit is {_MOST_BYTES:,}")
    data = path.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    expected, labels = _card(path.with_suffix(".json"))
    if found != expected:
        raise InvalidInput("", f"its hash is {found[:16]}…, and its card says {expected[:16]}…")
    network = Network(data, threads)
    _try(network)
    return LoadedNetwork(network, found, str(path), labels)


def _try(network: Network) -> None:
    """Ask a network something before anybody depends on it; InvalidInput if it is not for its deck, or gives none."""
    about, count = network.about, network.holding_count
    deck = DECKS.get(about.deck)
    if deck is not None and holdings_of(deck).count != count:
        raise InvalidInput(
            "deck", f"{about.deck} cards make {holdings_of(deck).count:,} holdings, and it has {count:,}"
        )
    if not (math.isfinite(about.held_out_loss) and math.isfinite(about.train_loss)):
        raise InvalidInput("metadata", "its losses are no numbers")
    ranges = np.full((1, 1, 2, count), 1 / count, np.float32)
    board = np.eye(FEATURES, dtype=np.float32)[np.arange(count) % BINS]  # every holding somewhere, as on a real board
    board[:, BINS:] = board[:, :BINS]
    network.values(ranges, np.full((1, 1, 1), 0.5, np.float32), board[None])


def _card(path: Path) -> tuple[str, str]:
    """The hash of the network, and what its samples were labelled by."""
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        return str(card["hash"]), str(card.get("labels", ""))
    except FileNotFoundError:
        raise InvalidInput("", f"it has no card: {path.name} is missing") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise InvalidInput("", f"its card {path.name} has no hash") from None
