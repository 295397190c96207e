"""A ladder: the results of all agents against all, with confidence intervals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import isfinite
from typing import Any

from riverboat.arena.result import MatchResult, PlayerScore

Pair = tuple[str, str]  # two agents, in the order in which they were named


def pairs_of(agents: Sequence[str]) -> list[Pair]:
    """Return every pair of agents once."""
    return list(combinations(agents, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """The results of some pairings, each a match for two."""

    agents: Sequence[str]
    results: Mapping[Pair, MatchResult]

    def score(self, row: str, column: str) -> PlayerScore | None:
        """Return the winnings of `row` against `column`; None if they have not played."""
        for pair, place in (((row, column), 0), ((column, row), 1)):
            if pair in self.results and self.results[pair].deal_count:
                return self.results[pair].scores[place]
        return None

    def mean(self, row: str) -> float | None:
        """Return an agent's winnings, averaged over its opponents so far, in mbb/hand; None if it has not played."""
        scores = [score.mbb for score in self._scores(row)]
        return sum(scores) / len(scores) if scores else None

    @property
    def ranking(self) -> list[str]:
        """The agents, the best mean first; those that have not played come last."""
        means = {agent: self.mean(agent) for agent in self.agents}
        return sorted(self.agents, key=lambda agent: (means[agent] is None, -(means[agent] or 0.0)))

    def _scores(self, row: str) -> Iterable[PlayerScore]:
        for column in self.agents:
            if column != row and (score := self.score(row, column)):
                yield score


def pairing_document(result: MatchResult) -> dict[str, Any]:
    """Return the result of a pairing for programs, from the side of its first agent."""
    score, saved = result.scores[0], result.deviation_saved
    return {
        "deals": result.deal_count,
        "wanted": result.wanted_count,
        "mbb": score.mbb,
        "margin": score.margin if isfinite(score.margin) else None,
        "deviation_saved": saved,
        "decisions": [asdict(counts) for counts in result.decisions],
    }
