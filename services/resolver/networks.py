"""Value networks in folders: loaded without a restart, ranked by score, and kept if their file becomes invalid.

A network is used by default if it scores better on the yardstick of its deck and street than all others there, and
than equity. All others are available by name. Folders are scanned again every few seconds, and changed files are read
again. If a changed file is refused, the network that was loaded from it before stays.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import structlog

from riverboat.contracts.resolver import NetworkAnswers
from riverboat.errors import InvalidInput
from riverboat.services.resolver.network_files import LoadedNetwork, load_network
from riverboat.services.resolver.scoring import Yardsticks

_SCAN_SECONDS = 2.0
_SCORING_SECONDS = 5.0  # for one file: those that come with Riverboat take a tenth of a second
_MOST_NAMES = 10  # in an error
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class NetworkShelf:
    """The networks at one moment."""

    networks: tuple[LoadedNetwork, ...]  # used by default, at most one per deck and street
    by_name: tuple[tuple[LoadedNetwork, str], ...]  # the others, with the reason why they are not the default
    refused: tuple[tuple[str, str], ...]  # files and reasons

    @property
    def every(self) -> tuple[LoadedNetwork, ...]:
        """All networks that a spot can request by name."""
        return (*self.networks, *(network for network, _ in self.by_name))

    def answer(self) -> NetworkAnswers:
        """Return the answer to ListNetworks."""
        return NetworkAnswers(
            used=tuple(network.answer() for network in self.networks),
            by_name=tuple(network.answer(reason) for network, reason in self.by_name),
            refused=self.refused,
        )


_Stamp = tuple[tuple[int, int], ...]  # of both files: modification time and size


class Networks:
    """The networks in some folders."""

    def __init__(
        self,
        folders: Sequence[Path],
        threads: int,
        yardsticks: Yardsticks,
        clock: Callable[[], float],
        scoring_seconds: float = _SCORING_SECONDS,
    ) -> None:
        self._folders, self._threads, self._yardsticks, self._clock = folders, threads, yardsticks, clock
        self._scoring_seconds = scoring_seconds
        self._lock = Lock()
        self._scanned = float("-inf")
        self._stamps: dict[Path, _Stamp] = {}
        self._loaded: dict[Path, LoadedNetwork] = {}
        self._refused: dict[Path, str] = {}
        self._shelf: NetworkShelf | None = None

    def find(self, deck: str, street: str) -> LoadedNetwork | None:
        """Return the default network for a deck and the start of a street, or None."""
        return next((network for network in self.shelf().networks if network.place == (deck, street)), None)

    def best(self, deck: str, street: str) -> LoadedNetwork | None:
        """Return the best-scoring network, even if equity scores better, or None."""
        scored = [network for network in self.shelf().every if network.place == (deck, street) and network.scored]
        return min(scored, key=_huber, default=None)

    def named(self, name: str) -> LoadedNetwork:
        """Return the network with a name; InvalidInput lists the known names."""
        every = self.shelf().every
        network = next((network for network in every if network.name == name), None)
        if network is None:
            known = ", ".join(network.name for network in every[:_MOST_NAMES]) or "none"
            raise InvalidInput("spot.leaf", f"no network is called {name!r}; known networks: {known}")
        return network

    @property
    def version(self) -> str:
        """A text that changes whenever answers may change."""
        shelf = self.shelf()
        return f"{' '.join(network.hash for network in shelf.networks)} {sorted(one.hash for one in shelf.every)}"

    @property
    def used_count(self) -> int:
        """Number of default networks after the last scan; reads no file."""
        return len(self._shelf.networks) if self._shelf else 0

    def shelf(self) -> NetworkShelf:
        """Return all networks and refused files. While one caller reads a new file, others get the previous shelf."""
        if self._lock.acquire(blocking=self._shelf is None):
            try:
                if self._shelf is None or self._clock() - self._scanned >= _SCAN_SECONDS:
                    self._shelf = self._scan(self._shelf)
                    self._scanned = self._clock()
                return self._shelf
            finally:
                self._lock.release()
        return self._shelf or NetworkShelf((), (), ())

    def _scan(self, before: NetworkShelf | None) -> NetworkShelf:
        paths = [path for folder in self._folders for path in sorted(folder.glob("*.onnx"))]
        for path in set(self._stamps) - set(paths):
            for known in (self._stamps, self._loaded, self._refused):
                known.pop(path, None)
        for path in paths:
            stamp = _stamp(path)
            if self._stamps.get(path) != stamp:
                self._stamps[path] = stamp
                self._read(path)
        used, by_name = choose_defaults([self._loaded[path] for path in paths if path in self._loaded])
        _log_choices(used, before.networks if before else ())
        refused = [(str(path), reason) for path, reason in sorted(self._refused.items())]
        return NetworkShelf(tuple(used), tuple(by_name), tuple(refused))

    def _read(self, path: Path) -> None:
        try:
            network = load_network(path, self._threads, self._yardsticks, self._scoring_seconds)
        except (InvalidInput, OSError) as error:
            self._refused[path] = str(error)
            kept = self._loaded[path].name if path in self._loaded else None
            log.warning("network_refused", file=str(path), reason=str(error), kept=kept)
            return
        self._loaded[path] = network
        self._refused.pop(path, None)
        log.info("network_loaded", file=str(path), name=network.name, **_as_fields(network))


def choose_defaults(loaded: Sequence[LoadedNetwork]) -> tuple[list[LoadedNetwork], list[tuple[LoadedNetwork, str]]]:
    """Return the default networks, and the others with the reason; of equal scores the first is the default."""
    first_of: dict[str, LoadedNetwork] = {}  # by hash: copies in several folders are one network
    for network in loaded:
        first_of.setdefault(network.hash, network)
    different = first_of.values()
    best: dict[tuple[str, str], LoadedNetwork] = {}
    for network in different:
        other = best.get(network.place)
        if network.scored and (other is None or _huber(network) < _huber(other)):
            best[network.place] = network
    used, by_name = [], []
    for network in different:
        reason = _reason(network, best.get(network.place))
        if reason:
            by_name.append((network, reason))
        else:
            used.append(network)
    return used, by_name


def _reason(network: LoadedNetwork, best: LoadedNetwork | None) -> str:
    """Return why a network is not used by default; empty if it is."""
    if network.scored is None or best is None:
        return f"there is no yardstick for the {network.about.street} with {network.about.deck} cards"
    own = f"this one scores {_huber(network):.4f} on the yardstick"
    if best is not network:
        return f"{own}, {best.name} {_huber(best):.4f}"
    equity = network.scored.equity.huber
    return "" if _huber(network) < equity else f"{own}, equity {equity:.4f}"


def _huber(network: LoadedNetwork) -> float:
    return network.scored.score.huber if network.scored else float("inf")


def _as_fields(network: LoadedNetwork) -> dict[str, str | float]:
    """Return a network's scores as log fields."""
    if network.scored is None:
        return {}
    score = network.scored.score
    return {"yardstick": network.scored.yardstick, "huber": round(score.huber, 6), "error": round(score.error, 6)}


def _log_choices(used: Iterable[LoadedNetwork], before: Iterable[LoadedNetwork]) -> None:
    known = {network.place: network for network in before}
    for network in used:
        other = known.get(network.place)
        if other is not network:
            log.info(
                "network_chosen", name=network.name, instead_of=other.name if other else None, **_as_fields(network)
            )


def _stamp(path: Path) -> _Stamp:
    stamps = []
    for file in (path, path.with_suffix(".json")):
        try:
            status = file.stat()
            stamps.append((status.st_mtime_ns, status.st_size))
        except OSError:
            stamps.append((0, 0))
    return tuple(stamps)
