"""The pairings of a ladder as files: one JSON file each, which a second run continues."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from riverboat.arena import match
from riverboat.arena.ladder import Pair, pairing_document
from riverboat.arena.match import Played
from riverboat.arena.result import MatchResult
from riverboat.clients.bots.agents import registry
from riverboat.compiled.kernels import source_files
from riverboat.errors import InvalidInput
from riverboat.marks import DecisionCounts

_DIGITS = 16


@cache
def code_version() -> str:
    """Return Riverboat's version and a hash of the source files of agents and matches.

    A resolver that runs elsewhere has code of its own, which this does not cover.
    """
    files = {file for root in (registry, match) for file in source_files(Path(str(root.__file__)))}
    digest = hashlib.sha256()
    for name, content in sorted((file.name, file.read_bytes()) for file in files):
        digest.update(f"{name} {len(content)} ".encode() + content)
    return f"{version('riverboat')} {digest.hexdigest()[:_DIGITS]}"


@dataclass(frozen=True, slots=True)
class LadderSettings:
    """The settings that two results must share to appear in one ladder."""

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
        self._folder, self._settings = folder, settings
        folder.mkdir(parents=True, exist_ok=True)
        for file in sorted(folder.glob("*.json")):
            self._check(file, _read(file))

    def load(self, pair: Pair) -> Played | None:
        """Return the deals of a pairing that are kept; None if there are none."""
        file = self._file(pair)
        return _played(file, _read(file)) if file.exists() else None

    def save(self, pair: Pair, result: MatchResult) -> None:
        """Keep the deals of a pairing so far; after a crash the file is either the old or the new one."""
        file = self._file(pair)
        part = file.with_suffix(".part")
        document = {"agents": list(pair), "settings": self._settings.of(_asks(pair)), **pairing_document(result)}
        plain = result.chips if result.plain is None else result.plain
        document |= {"chips": result.chips[:, 0].tolist(), "plain": plain[:, 0].tolist()}
        part.write_text(json.dumps(document))
        part.replace(file)

    def _file(self, pair: Pair) -> Path:
        return self._folder / f"{' vs '.join(pair).replace(':', '=')}.json"

    def _check(self, file: Path, document: Mapping[str, Any]) -> None:
        try:
            kept, pair = dict(document["settings"]), tuple(document["agents"])
            wanted = self._settings.of(_asks(pair))
        except (KeyError, TypeError, ValueError):
            raise _unreadable(file) from None
        for name, value in wanted.items():
            if kept.get(name) != value:
                reason = f"was played with {name} {kept.get(name)}, and this ladder has {value}"
                raise InvalidInput("folder", f"{file} {reason}; choose another folder, or delete the file")


def _asks(pair: Sequence[str]) -> bool:
    return any(map(registry.needs_resolver, pair))


def _read(file: Path) -> Mapping[str, Any]:
    try:
        document = json.loads(file.read_text())
    except ValueError:
        raise _unreadable(file) from None
    if not isinstance(document, dict):
        raise _unreadable(file)
    return document


def _played(file: Path, document: Mapping[str, Any]) -> Played:
    try:
        chips, plain = (np.array(document[name], np.float64) for name in ("chips", "plain"))
        decisions = tuple(DecisionCounts(**counts) for counts in document["decisions"])
        if chips.ndim != 1 or chips.shape != plain.shape or len(decisions) != 2:
            raise _unreadable(file)
    except (KeyError, TypeError, ValueError):
        raise _unreadable(file) from None
    return Played(np.stack([chips, -chips], axis=1), decisions, np.stack([plain, -plain], axis=1))


def _unreadable(file: Path) -> InvalidInput:
    return InvalidInput("folder", f"{file} is not a pairing of a ladder; choose another folder, or delete the file")
