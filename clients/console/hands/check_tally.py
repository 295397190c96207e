"""The tally of a check of many hands against the rules."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from riverboat.clients.analysis.counts import counted
from riverboat.clients.console.hands.stacks_check import check_stacks_of
from riverboat.history.hand import History
from riverboat.history.phh import UnreadHand


@dataclass(frozen=True, slots=True)
class CheckedProblem:
    """A hand that differs from the rules, or that cannot be read."""

    file: str
    line: int
    hand: int | str
    reason: str
    is_read: bool  # the hand was read and differs; otherwise it cannot be read

    @property
    def text(self) -> str:
        """One line for people."""
        where = f"{self.file}: line {self.line}: hand {self.hand}: "
        reason = self.reason.removeprefix(f"line {self.line}: ")
        return where + (reason if self.is_read else f"skipped: {reason}")

    def as_dict(self) -> dict[str, Any]:
        """Return the problem for programs."""
        kind = "difference" if self.is_read else "reason"
        return {"file": self.file, "line": self.line, "hand": self.hand, kind: self.reason}


class CheckTally:
    """The hands checked so far, and their problems."""

    def __init__(self) -> None:
        self.problems: list[CheckedProblem] = []
        self._hand_count = self._not_compared = self._unknown_stacks = self._post_count = 0
        self._rakes: Counter[int] = Counter()  # hands, by decimals of the file
        self._raked: Counter[int] = Counter()  # chips that the house took, by decimals
        self._pots: Counter[int] = Counter()  # chips in the pots that it took them from, by decimals

    def add(self, path: Path, hand: History | UnreadHand) -> None:
        """Check one more hand."""
        self._hand_count += 1
        if isinstance(hand, UnreadHand):
            label = hand.label or str(self._hand_count)
            self.problems.append(CheckedProblem(str(path), hand.line, label, str(hand.error), is_read=False))
            return
        self._post_count += any(hand.variant.posts)
        self._unknown_stacks += bool(hand.unknown_stacks)
        check = check_stacks_of(hand)
        self._not_compared += check.difference is None
        if check.rake:
            self._rakes[hand.decimals] += 1
            self._raked[hand.decimals] += check.rake
            self._pots[hand.decimals] += check.pot
        if check.difference:
            number = self._hand_count if hand.label is None else hand.label
            self.problems.append(CheckedProblem(str(path), hand.line, number, check.difference, is_read=True))

    @property
    def _differences(self) -> list[CheckedProblem]:
        return [problem for problem in self.problems if problem.is_read]

    @property
    def _skipped(self) -> list[CheckedProblem]:
        return [problem for problem in self.problems if not problem.is_read]

    def notes(self) -> Iterator[str]:
        """Yield remarks about the hands."""
        if self._not_compared:
            yield f"{self._not_compared} not compared: they have no finishing stacks, or unknown cards"
        if self._post_count:
            yield f"{self._post_count} with a newcomer's post"
        if self._unknown_stacks:
            yield f"{self._unknown_stacks} with an unknown stack"
        if self._rakes:
            taken, pots = _amount(self._raked), _amount(self._pots)
            share = f"{float(100 * taken / pots):.1f} % of their pots"
            yield f"{self._rakes.total()} with rake: {float(taken):,.2f} in all, {share}"

    def summary(self) -> str:
        """Return one line for people."""
        skipped = f", {len(self._skipped)} skipped" if self._skipped else ""
        return f"{counted(self._hand_count, 'hand')}, {counted(len(self._differences), 'difference')}{skipped}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything for programs."""
        return {
            "hands": self._hand_count,
            "not_compared": self._not_compared,
            "posts": self._post_count,
            "unknown_stacks": self._unknown_stacks,
            "rake": {"hands": self._rakes.total(), "amount": float(_amount(self._raked))},
            "differences": [problem.as_dict() for problem in self._differences],
            "skipped": [problem.as_dict() for problem in self._skipped],
        }


def _amount(chips: Counter[int]) -> Decimal:
    """Return a sum of chips in the files' unit."""
    return sum((Decimal(count).scaleb(-decimals) for decimals, count in chips.items()), Decimal(0))
