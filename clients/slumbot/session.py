"""A match against Slumbot in a folder: settings, the server's token, and every finished hand as a history.

`hands.phhs` has the finished hands, which riverboat replay, review and players read; `session.json` has the settings,
the token, and how many hands were begun. A command that is stopped at any point continues from these files.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from riverboat.arena.running_score import RunningScore
from riverboat.clients.bots.result_files import ResultFiles
from riverboat.clients.local.file_locks import lock
from riverboat.errors import InvalidInput, Unavailable
from riverboat.history.hand import History
from riverboat.history.phh import read_each, write_hand
from riverboat.history.slumbot import GAME, STACK

_SEAT, _BASELINE, _COMPLETE = "_seat", "_baseline", "_complete"  # our own fields in a history; the last is written last
_END = f"{_COMPLETE} = true\n"  # of a hand in the file


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSettings:
    """The settings that two runs must share to continue each other's hands."""

    agent: str
    url: str
    seed: int


@dataclass(slots=True)
class SlumbotScore:
    """The score of a match so far."""

    won: RunningScore = field(default_factory=RunningScore)
    adjusted: RunningScore = field(default_factory=RunningScore)  # less what the server's own player would have won
    begun_count: int = 0
    different_count: int = 0  # hands whose result differs from the result by our rules

    @property
    def hand_count(self) -> int:
        """Finished hands."""
        return self.won.hand_count

    @property
    def abandoned_count(self) -> int:
        """Hands that were begun and never finished."""
        return self.begun_count - self.hand_count

    @property
    def has_baseline(self) -> bool:
        """Whether the server said for each hand what its own player would have won."""
        return self.adjusted.hand_count == self.hand_count > 0

    @property
    def deviation_saved(self) -> float | None:
        """The share of the standard deviation of a hand that the baseline removes; None if it cannot be known."""
        if not self.has_baseline or not self.won.deviation:
            return None
        return 1 - self.adjusted.deviation / self.won.deviation


class SlumbotSession:
    """The files of a match; `score` is that of all hands in them."""

    def __init__(self, folder: Path, settings: SessionSettings) -> None:
        self._files = ResultFiles(folder, "a session against Slumbot")
        self._settings, self._path, self._hands = settings, folder / "session.json", folder / "hands.phhs"
        self.token, self.score = "", SlumbotScore()

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Read the files and keep other commands out while the block runs."""
        with (self._files.folder / ".lock").open("w") as file:
            if not lock(file):
                raise Unavailable(f"another command is playing the session in {self._files.folder}")
            self.token, self.score = "", SlumbotScore()
            self._read()
            yield

    def begin(self, token: str) -> int:
        """Note that a hand begins, and the token; return the hand's number."""
        self.token = token
        self.score.begun_count += 1
        self._save()
        return self.score.begun_count

    def keep_token(self, token: str) -> None:
        """Note a token of the server."""
        if token and token != self.token:
            self.token = token
            self._save()

    def finish(self, history: History, seat: int, baseline: int | None, differs: bool) -> None:
        """Add a finished hand, safely on disk before it counts."""
        extra = {_SEAT: seat, **({} if baseline is None else {_BASELINE: baseline})}
        hand = replace(history, extra={**extra, "_differs": differs, _COMPLETE: True})
        with self._hands.open("a", encoding="utf-8") as file:
            file.write(self._text(hand, self.score.hand_count + 1))
            file.flush()
            os.fsync(file.fileno())
        self._count(hand)

    def _text(self, hand: History, number: int) -> str:
        return f"[{number}]\n{write_hand(hand)}\n"

    def _save(self) -> None:
        settings = self._settings
        document = {"agent": settings.agent, "url": settings.url, "seed": settings.seed}
        self._files.write(self._path, {**document, "token": self.token, "begun": self.score.begun_count})

    def _read(self) -> None:
        if self._path.exists():
            kept, settings = self._files.read(self._path), self._settings
            wanted = {"agent": settings.agent, "url": settings.url, "seed": settings.seed}
            self._files.check(self._path, kept, wanted)
            token, begun = kept.get("token"), kept.get("begun")
            if not isinstance(token, str) or not isinstance(begun, int):
                raise self._files.unreadable(self._path)
            self.token, self.score.begun_count = token, begun
        if self._hands.exists():
            self._read_hands()
        self.score.begun_count = max(self.score.begun_count, self.score.hand_count)

    def _read_hands(self) -> None:
        """Count the hands of the file. What follows the last whole hand was cut off while it was written: remove it."""
        text = self._hands.read_text(encoding="utf-8", errors="replace")
        whole = text[: text.rfind(_END) + len(_END)] if _END in text else ""
        if whole != text.rstrip("\n") + "\n":
            part = self._hands.with_suffix(".part")
            part.write_text(f"{whole}\n" if whole else "", encoding="utf-8")
            part.replace(self._hands)
        for hand in read_each(whole) if whole else ():
            if not isinstance(hand, History) or hand.extra.get(_COMPLETE) is not True:
                raise self._files.unreadable(self._hands)
            self._count(hand)

    def _count(self, hand: History) -> None:
        seat, baseline, final = hand.extra.get(_SEAT), hand.extra.get(_BASELINE), hand.finishing_stacks
        if seat not in (0, 1) or final is None or (hand.variant.blinds, hand.stacks) != (GAME.blinds, (STACK, STACK)):
            raise InvalidInput("folder", f"{self._hands} has a hand that was not played against Slumbot")
        won = final[seat] - hand.stacks[seat]
        self.score.won.add(won)
        self.score.different_count += hand.extra.get("_differs") is True
        if isinstance(baseline, int):
            self.score.adjusted.add(won - baseline)
