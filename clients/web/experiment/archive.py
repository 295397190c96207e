"""The data of an experiment in one SQLite file: participants without names, their hands and their answers."""

import hashlib
import secrets
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_SCHEMA = """
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
CREATE TABLE IF NOT EXISTS participants (
    id TEXT PRIMARY KEY, number INTEGER NOT NULL, code_hash TEXT UNIQUE NOT NULL, agent TEXT NOT NULL,
    experience TEXT NOT NULL, began REAL NOT NULL, table_id TEXT NOT NULL DEFAULT '', token TEXT NOT NULL DEFAULT '',
    collected INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS hands (
    participant TEXT NOT NULL REFERENCES participants(id) ON DELETE CASCADE, number INTEGER NOT NULL,
    payoff INTEGER NOT NULL, adjusted REAL NOT NULL, moves TEXT NOT NULL, all_in INTEGER NOT NULL,
    phh TEXT NOT NULL, ended REAL NOT NULL, PRIMARY KEY (participant, number));
CREATE TABLE IF NOT EXISTS answers (
    participant TEXT NOT NULL REFERENCES participants(id) ON DELETE CASCADE, question TEXT NOT NULL,
    answer TEXT NOT NULL, PRIMARY KEY (participant, question));
"""
_CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CODE_PARTS, _PART_LETTERS = 4, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """One participant, known by a number only."""

    id: str
    number: int
    agent: str
    experience: str
    began: float
    table_id: str
    token: str
    collected: int  # hands of this table that are in the archive
    hand_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipantHand:
    """A finished hand, as the participant's winnings."""

    number: int  # of the participant's hands, from 1
    payoff: int  # chips
    adjusted: float  # chips, all-ins by equity
    moves: tuple[int, ...]  # classes of the participant's moves
    all_in: bool  # the participant was all-in before the flop
    phh: str
    ended: float


class Archive:
    """One experiment's file; calls are short, and one at a time."""

    def __init__(self, folder: Path) -> None:
        path = folder / "experiment.sqlite"
        path.touch(mode=0o600)
        self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._connection.executescript(_SCHEMA)
        self._lock = threading.RLock()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def enrol(self, agents: Sequence[str], experience: str) -> tuple[Participant, str]:
        """Add a participant against one of the agents with the fewest participants; return the code for coming back."""
        code = _new_code()
        with self._change() as connection:
            played = Counter(dict.fromkeys(agents, 0))
            played.update(row[0] for row in connection.execute("SELECT agent FROM participants") if row[0] in played)
            fewest = min(played.values())
            agent = secrets.choice([name for name in agents if played[name] == fewest])
            (number,) = connection.execute("SELECT COALESCE(MAX(number), 0) + 1 FROM participants").fetchone()
            own = (secrets.token_hex(16), number, _hash(code), agent, experience, time.time())
            connection.execute(
                "INSERT INTO participants (id, number, code_hash, agent, experience, began) VALUES (?, ?, ?, ?, ?, ?)",
                own,
            )
        return self.participant(own[0]), code

    def returning(self, code: str) -> Participant | None:
        """Return the participant who got a code."""
        plain = "".join(letter for letter in code.upper() if letter.isalnum())
        with self._lock:
            row = self._connection.execute(
                "SELECT id FROM participants WHERE code_hash = ?", (_hash(plain),)
            ).fetchone()
        return self.participant(row[0]) if row else None

    def participant(self, participant_id: str) -> Participant:
        """Return a participant; KeyError for one that was deleted."""
        for participant in self._participants("WHERE id = ?", (participant_id,)):
            return participant
        raise KeyError(participant_id)

    def participants(self) -> list[Participant]:
        """Return all participants by number."""
        return self._participants("ORDER BY number", ())

    def _participants(self, where: str, values: tuple[str, ...]) -> list[Participant]:
        query = (
            "SELECT id, number, agent, experience, began, table_id, token, collected, "  # noqa: S608  # fixed texts
            f"(SELECT COUNT(*) FROM hands WHERE participant = id) FROM participants {where}"
        )
        with self._lock:
            rows = self._connection.execute(query, values).fetchall()
        names = ("id", "number", "agent", "experience", "began", "table_id", "token", "collected", "hand_count")
        return [Participant(**dict(zip(names, row, strict=True))) for row in rows]

    def seat(self, participant_id: str, table_id: str, token: str) -> None:
        """Store the table and the token of a participant."""
        with self._change() as connection:
            connection.execute(
                "UPDATE participants SET table_id = ?, token = ?, collected = 0 WHERE id = ?",
                (table_id, token, participant_id),
            )

    def add(self, participant_id: str, hands: Sequence[ParticipantHand], collected: int) -> None:
        """Keep finished hands, up to hand `collected` of the table."""
        with self._change() as connection:
            for hand in hands:
                moves = " ".join(map(str, hand.moves))
                connection.execute(
                    "INSERT OR IGNORE INTO hands VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (participant_id, hand.number, hand.payoff, hand.adjusted, moves, hand.all_in, hand.phh, hand.ended),
                )
            connection.execute("UPDATE participants SET collected = ? WHERE id = ?", (collected, participant_id))

    def hands(self, participant_id: str) -> list[ParticipantHand]:
        """Return a participant's hands in order."""
        columns = "number, payoff, adjusted, moves, all_in, phh, ended"
        query = f"SELECT {columns} FROM hands WHERE participant = ? ORDER BY number"  # noqa: S608  # fixed texts
        with self._lock:
            rows = self._connection.execute(query, (participant_id,)).fetchall()
        return [
            ParticipantHand(
                number=number,
                payoff=payoff,
                adjusted=adjusted,
                moves=tuple(map(int, moves.split())),
                all_in=bool(all_in),
                phh=phh,
                ended=ended,
            )
            for number, payoff, adjusted, moves, all_in, phh, ended in rows
        ]

    def answer(self, participant_id: str, answers: dict[str, str]) -> None:
        """Keep answers; new ones replace earlier ones."""
        with self._change() as connection:
            for question, answer in answers.items():
                connection.execute(
                    "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (participant_id, question, answer)
                )

    def answers(self, participant_id: str) -> dict[str, str]:
        """Return a participant's answers."""
        query = "SELECT question, answer FROM answers WHERE participant = ?"
        with self._lock:
            return dict(self._connection.execute(query, (participant_id,)).fetchall())

    def delete(self, participant_id: str) -> None:
        """Delete everything about a participant, also from the file's free pages."""
        with self._change() as connection:
            connection.execute("DELETE FROM participants WHERE id = ?", (participant_id,))
        with self._lock:
            self._connection.execute("VACUUM")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()


def _new_code() -> str:
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_PARTS * _PART_LETTERS))


def code_words(code: str) -> str:
    """Return a code as people copy it: four letters at a time."""
    return "-".join(code[i : i + _PART_LETTERS] for i in range(0, len(code), _PART_LETTERS))


def _hash(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
