"""Loading a value network from its two files, NAME.onnx and its card NAME.json: check it, run it once, score it."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from threading import Timer

import numpy as np

from riverboat.cards import DECKS
from riverboat.contracts.resolver import NetworkAnswer
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of
from riverboat.nets.features import BINS, FEATURES
from riverboat.nets.layout import About
from riverboat.nets.network import Interrupt, Network
from riverboat.services.resolver.scoring import Scored, Yardsticks

_MOST_BYTES = 200_000_000


@dataclass(frozen=True, slots=True, eq=False)
class LoadedNetwork:
    """A network, where it came from, and how good it is."""

    network: Network
    hash: str  # of the file
    file: str
    scored: Scored | None  # None if there is no yardstick for its deck and street

    @property
    def about(self) -> About:
        """The facts that are stored in the file."""
        return self.network.about

    @property
    def name(self) -> str:
        """The name that Spot.leaf takes."""
        return f"{self.about.deck}-{self.about.street}-{self.hash[:8]}"

    @property
    def place(self) -> tuple[str, str]:
        """The deck and street that the network is for."""
        return self.about.deck, self.about.street

    def answer(self, reason: str = "") -> NetworkAnswer:
        """Return its entry in ListNetworks, with the reason if it is used by name only."""
        said, scored = self.about, self.scored
        return NetworkAnswer(
            name=self.name,
            deck=said.deck,
            street=said.street,
            hash=self.hash,
            samples=said.samples,
            train_loss=said.train_loss,
            held_out_loss=said.held_out_loss,
            file=self.file,
            yardstick=scored.yardstick if scored else "",
            huber=scored.score.huber if scored else None,
            error=scored.score.error if scored else None,
            reason=reason,
        )


def load_network(path: Path, threads: int, yardsticks: Yardsticks, seconds: float) -> LoadedNetwork:
    """Load a network from its files; InvalidInput if it cannot be used, or not scored within this many seconds."""
    if path.stat().st_size > _MOST_BYTES:
        raise InvalidInput("", f"it has {path.stat().st_size:,} bytes; the limit is {_MOST_BYTES:,}")
    data = path.read_bytes()
    digest, expected = hashlib.sha256(data).hexdigest(), _hash_in(path.with_suffix(".json"))
    if digest != expected:
        raise InvalidInput("", f"its hash is {digest[:16]}…, but its card says {expected[:16]}…")
    network = Network(data, threads)
    _check(network)
    with _ended_after(seconds) as interrupt:
        _try(network, interrupt)
        scored = yardsticks.scored(network, digest, interrupt)
    return LoadedNetwork(network, digest, str(path), scored)


@contextmanager
def _ended_after(seconds: float) -> Iterator[Interrupt]:
    """Interrupt a network that runs for longer than this."""
    interrupt = Interrupt()
    timer = Timer(seconds, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield interrupt
    except InvalidInput:
        if interrupt.options.terminate:
            raise InvalidInput("", f"scoring it takes more than {seconds:g} seconds") from None
        raise
    finally:
        timer.cancel()


def _check(network: Network) -> None:
    about, count = network.about, network.holding_count
    deck = DECKS.get(about.deck)
    if deck is not None and holdings_of(deck).count != count:
        raise InvalidInput(
            "deck",
            f"a deck of {about.deck} cards has {holdings_of(deck).count:,} holdings, but the network has {count:,}",
        )
    if not (isfinite(about.held_out_loss) and isfinite(about.train_loss)):
        raise InvalidInput("metadata", "its losses are not numbers")


def _try(network: Network, interrupt: Interrupt) -> None:
    """Run a network once before a spot depends on it: without a yardstick, this is the only run before that."""
    count = network.holding_count
    ranges = np.full((1, 1, 2, count), 1 / count, np.float32)
    board = np.eye(FEATURES, dtype=np.float32)[np.arange(count) % BINS]  # every holding in a bin, as on a real board
    board[:, BINS:] = board[:, :BINS]
    network.values(ranges, np.full((1, 1, 1), 0.5, np.float32), board[None], interrupt)


def _hash_in(card: Path) -> str:
    """Return the network's hash from its card. Nothing else in the card is used."""
    try:
        return str(json.loads(card.read_text(encoding="utf-8"))["hash"])
    except FileNotFoundError:
        raise InvalidInput("", f"it has no card: {card.name} is missing") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise InvalidInput("", f"its card {card.name} has no hash") from None
