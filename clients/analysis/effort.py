"""The effort of a re-solving agent's decisions: the part that a caller may choose; plans choose the rest."""

import re
from dataclasses import dataclass

from riverboat.contracts.resolver import EQUITY, is_network_name
from riverboat.errors import InvalidInput

APART = "+"  # between the words of an effort
_CUT = "cut"
_ITERATIONS = re.compile(r"[0-9]+")
_SECONDS = re.compile(r"([0-9]+(?:\.[0-9]+)?)s")
_MOST_ITERATIONS = 100_000
_LEAST_SECONDS, _MOST_SECONDS = 0.05, 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How the caller wants decisions solved; None and empty leave the choice to the plans."""

    leaf: str = ""  # what lies below a cut: "equity", or names of networks joined by "+"
    is_cut: bool = False  # cut every flop at the next deal, even if solving it to the end of the hand is affordable
    iterations: int | None = None  # per solution
    seconds: float | None = None  # of solving per decision

    @property
    def may_be_exact(self) -> bool:
        """Whether a flop may be solved to the end of the hand: not if the caller names the estimate below its cut."""
        return not self.is_cut and not self.leaf


AS_PLANNED = Effort()


def cut_short_words(iterations: int, wanted: int) -> str:
    """Return the reason for a partial decision: how many of the wanted iterations were made."""
    return f"the deadline cut re-solving after {iterations:,} of {wanted:,} iterations"


def parse_effort(text: str) -> Effort:
    """Read words joined by "+": "equity", names of networks, "cut", iterations (1000) or seconds (2s)."""
    words = text.split(APART)
    names = [word for word in words if word == EQUITY or is_network_name(word)]
    counts = [word for word in words if _ITERATIONS.fullmatch(word)]
    times = [seconds[1] for seconds in map(_SECONDS.fullmatch, words) if seconds]
    if len(words) != len(names) + len(counts) + len(times) + words.count(_CUT):
        unknown = next(word for word in words if not _is_known(word))
        raise InvalidInput("", f"{unknown[:30]!r} is not a network, a number of iterations or a time such as 2s")
    if EQUITY in names and len(names) > 1:
        raise InvalidInput("", f"name networks or {EQUITY}, not both: {EQUITY} does without a network")
    if len(counts) + len(times) > 1:
        raise InvalidInput("", "give iterations or seconds once, not both")
    return Effort(
        leaf=APART.join(names),
        is_cut=_CUT in words,
        iterations=_checked_iterations(counts[0]) if counts else None,
        seconds=_checked_seconds(times[0]) if times else None,
    )


def _is_known(word: str) -> bool:
    is_name = word in (EQUITY, _CUT) or is_network_name(word)
    return is_name or bool(_ITERATIONS.fullmatch(word) or _SECONDS.fullmatch(word))


def _checked_iterations(word: str) -> int:
    count = int(word[:20])
    if not 1 <= count <= _MOST_ITERATIONS:
        raise InvalidInput("", f"iterations must be between 1 and {_MOST_ITERATIONS:,}, not {word[:20]}")
    return count


def _checked_seconds(word: str) -> float:
    seconds = float(word[:20])
    if not _LEAST_SECONDS <= seconds <= _MOST_SECONDS:
        raise InvalidInput("", f"seconds must be between {_LEAST_SECONDS} and {_MOST_SECONDS:.0f}, not {word[:20]}")
    return seconds
