"""Witness files: what the user saw before each hand, by table; `riverboat verify` checks hands against them."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from riverboat.cards import format_cards, parse_cards
from riverboat.clients.console.hands.private_files import open_privately
from riverboat.clients.console.settings import state_folder
from riverboat.dealing.memory import DealMemory
from riverboat.dealing.mix import Lineup
from riverboat.errors import InvalidInput

MOST_HANDS = 10_000  # in one file; some 500 bytes each
MOST_FILES = 500
_SAFE_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def witness_folder() -> Path:
    """Return the folder of witness files."""
    return state_folder() / "witness"


class WitnessFile:
    """The memories of one table. The last line about a hand counts; only the user may read the file."""

    def __init__(self, folder: Path, table_id: str) -> None:
        # The server chooses the id: one that could be a path becomes a hash.
        name = table_id if _SAFE_NAME.fullmatch(table_id) else hashlib.sha256(table_id.encode()).hexdigest()
        self.path = folder / f"{name}.jsonl"
        self._lines: dict[int, str] = {}  # as they are in the file, by hand number

    def read(self) -> dict[int, DealMemory]:
        """Return the memories by hand number; unreadable lines are left out."""
        memories = {}
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return {}
        for line in lines:
            try:
                memory = _decode(json.loads(line))
            except (ValueError, TypeError, KeyError, AttributeError, InvalidInput):
                continue
            memories[memory.hand_number] = memory
        return memories

    def prepare(self) -> None:
        """Make room: drop the oldest hands of the table, and the oldest tables. Raise OSError if the disk fails."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        files = sorted(self.path.parent.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
        for path in files[: max(0, len(files) - MOST_FILES + 1)]:
            if path != self.path:
                path.unlink(missing_ok=True)
        memories = self.read()
        kept = [_encode(memories[number]) for number in sorted(memories)[-MOST_HANDS // 2 :]]
        draft = self.path.with_suffix(".new")
        with open_privately(draft, "w") as file:
            file.writelines(f"{line}\n" for line in kept)
        draft.replace(self.path)

    def keep(self, memories: dict[int, DealMemory]) -> None:
        """Append new memories of some hands. Raise OSError if the disk fails."""
        for number, memory in memories.items():
            line = _encode(memory)
            if self._lines.get(number) != line:
                self._lines[number] = line
                with open_privately(self.path, "a") as file:
                    file.write(f"{line}\n")
        if len(self._lines) > MOST_HANDS // 2:
            self._lines.clear()
            self.prepare()


def _encode(memory: DealMemory) -> str:
    lineup = memory.lineup
    seats = list(zip(lineup.chairs, lineup.commitments, strict=True)) if lineup else None
    entry = {
        "hand": memory.hand_number,
        "chair": memory.chair,
        "attempt": memory.attempt,
        "commitment": memory.commitment,
        "secret": memory.secret,
        "acknowledged": memory.is_acknowledged,
        "lineup": seats,
        "holding": format_cards(memory.holding),
    }
    return json.dumps(entry, separators=(",", ":"))


def _decode(entry: dict[str, Any]) -> DealMemory:
    seats = entry["lineup"]
    lineup = None
    if seats is not None:
        lineup = Lineup(tuple(int(chair) for chair, _ in seats), tuple(str(listed) for _, listed in seats))
    return DealMemory(
        hand_number=int(entry["hand"]),
        chair=int(entry["chair"]),
        attempt=int(entry["attempt"]),
        commitment=str(entry["commitment"]),
        secret=str(entry["secret"]),
        is_acknowledged=bool(entry["acknowledged"]),
        lineup=lineup,
        holding=parse_cards(str(entry["holding"])),
    )
