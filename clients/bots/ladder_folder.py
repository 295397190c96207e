"""The pairings of a ladder as files: one JSON file each, which a second run continues."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from riverboat.arena import match
from riverboat.arena.ladder import Pair, pairing_document
from riverboat.arena.match import Played
from riverboat.arena.result import MatchResult
from riverboat.clients.bots.agents import names, registry
from riverboat.clients.bots.result_files import ResultFiles, code_version
from riverboat.marks import DecisionCounts


def ladder_code() -> str:
    """Return the version of the code of agents and matches."""
    return code_version(registry, *registry.agent_modules(), match)


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderSettings:
    """The settings that two results must share to appear in one ladder."""

    game: str  # in words, with its blinds, stacks and restrictions
    deck: str
    stack: int  # chips
    big_blind: int  # chips
    seed: int
    scoring: str
    code: str
    networks: tuple[str, ...] = ()  # that the resolver uses by default with this deck: name and hash

    def of(self, needs_networks: bool) -> dict[str, Any]:
        """Return the settings of a pairing; networks count only where an agent asks a resolver."""
        networks = list(self.networks) if needs_networks else None
        return {**asdict(self), "networks": networks}


class LadderFolder:
    """A folder with a file for each pairing; settings are checked before anything is read or written."""

    def __init__(self, folder: Path, settings: LadderSettings) -> None:
        self._files, self._settings = ResultFiles(folder, "a pairing of a ladder"), settings
        for file in sorted(folder.glob("*.json")):
            self._check(file, self._files.read(file))

    def load(self, pair: Pair) -> Played | None:
        """Return the stored deals of a pairing; None if there are none."""
        file = self._file(pair)
        return self._played(file, self._files.read(file)) if file.exists() else None

    def save(self, pair: Pair, result: MatchResult) -> None:
        """Store the deals of a pairing so far."""
        document = {"agents": list(pair), "settings": self._settings.of(_asks(pair)), **pairing_document(result)}
        plain = result.chips if result.plain is None else result.plain
        document |= {"chips": result.chips[:, 0].tolist(), "plain": plain[:, 0].tolist()}
        self._files.write(self._file(pair), document)

    def _file(self, pair: Pair) -> Path:
        return self._files.file(" vs ".join(pair))

    def _check(self, file: Path, document: Mapping[str, Any]) -> None:
        try:
            kept, pair = dict(document["settings"]), tuple(document["agents"])
            wanted = self._settings.of(_asks(pair))
        except (KeyError, TypeError, ValueError):
            raise self._files.unreadable(file) from None
        self._files.check(file, kept, wanted)

    def _played(self, file: Path, document: Mapping[str, Any]) -> Played:
        try:
            chips, plain = (np.array(document[name], np.float64) for name in ("chips", "plain"))
            decisions = tuple(DecisionCounts(**counts) for counts in document["decisions"])
            if chips.ndim != 1 or chips.shape != plain.shape or len(decisions) != 2:
                raise self._files.unreadable(file)
        except (KeyError, TypeError, ValueError):
            raise self._files.unreadable(file) from None
        return Played(np.stack([chips, -chips], axis=1), decisions, np.stack([plain, -plain], axis=1))


def _asks(pair: Sequence[str]) -> bool:
    return any(map(names.needs_resolver, pair))
