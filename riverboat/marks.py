"""How decisions were made: as intended, cut short by a deadline, or by a fallback; and how many of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

LONGEST_REASON = 100  # characters
_WARNED_SHARE = 0.05  # of a player's decisions: from here on, a result says little about the player


class Mark(IntEnum):
    """How a decision was made; the numbers are the contract's."""

    AS_INTENDED = 0
    PARTIAL = 1  # a deadline cut the search short, and the best so far was played
    FALLBACK = 2  # something else decided, because the usual way failed or does not apply


class MarkedAction(int):
    """An action that carries how it was decided; it is the plain number wherever an action is a number."""

    mark: Mark
    reason: str

    def __new__(cls, action: int, mark: Mark, reason: str = "") -> "MarkedAction":
        """Mark an action, with a reason that is cut to 100 printable characters."""
        marked = super().__new__(cls, action)
        marked.mark, marked.reason = mark, short_reason(reason)
        return marked

    def __repr__(self) -> str:
        return f"{int(self)} ({self.mark.name.lower()}: {self.reason})"


def partial(action: int, reason: str = "") -> MarkedAction:
    """Return an action of a search that a deadline cut short."""
    return MarkedAction(action, Mark.PARTIAL, reason)


def fallback(action: int, reason: str = "") -> MarkedAction:
    """Return an action that something else decided in place of the usual way."""
    return MarkedAction(action, Mark.FALLBACK, reason)


def mark_of(action: object) -> tuple[Mark, str]:
    """Return how an action was decided, and the reason; a plain number was decided as intended."""
    return (action.mark, action.reason) if isinstance(action, MarkedAction) else (Mark.AS_INTENDED, "")


def with_mark_of(marked: object, action: int) -> int:
    """Return an action with the mark of another, which may have none."""
    mark, reason = mark_of(marked)
    return MarkedAction(action, mark, reason) if mark else action


def short_reason(text: str) -> str:
    """Return a reason as the contract takes it: printable, on one line, at most LONGEST_REASON characters."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:LONGEST_REASON].strip()


@dataclass(frozen=True, slots=True)
class DecisionCounts:
    """How many decisions a player made, and how many of them were not as intended."""

    decision_count: int = 0
    partial_count: int = 0
    fallback_count: int = 0
    timed_out_count: int = 0  # decisions that the clock made

    def __add__(self, other: "DecisionCounts") -> "DecisionCounts":
        return DecisionCounts(
            decision_count=self.decision_count + other.decision_count,
            partial_count=self.partial_count + other.partial_count,
            fallback_count=self.fallback_count + other.fallback_count,
            timed_out_count=self.timed_out_count + other.timed_out_count,
        )


def count_one(mark: Mark, timed_out: bool = False) -> DecisionCounts:
    """Return the counts of a single decision."""
    return DecisionCounts(
        decision_count=1,
        partial_count=int(mark is Mark.PARTIAL),
        fallback_count=int(mark is Mark.FALLBACK),
        timed_out_count=int(timed_out),
    )


def add_counts(one: Sequence[DecisionCounts], other: Sequence[DecisionCounts]) -> tuple[DecisionCounts, ...]:
    """Return the sums of two lists of counts, player by player."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def warning_of(name: str, counts: DecisionCounts) -> str:
    """Return a warning for a result in which a fallback or the clock made many of a player's decisions; "" if few."""
    strange = counts.fallback_count + counts.timed_out_count
    if not strange or strange < _WARNED_SHARE * counts.decision_count:
        return ""
    ways = [
        f"{count:,} {words}"
        for count, words in ((counts.fallback_count, "by a fallback"), (counts.timed_out_count, "by the clock"))
        if count
    ]
    share = 100 * strange / counts.decision_count
    return (
        f"{name} did not decide for itself in {strange:,} of {counts.decision_count:,} decisions ({share:.0f} %: "
        f"{' and '.join(ways)}), so this result says little about it"
    )
