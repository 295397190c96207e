"""A ladder between built-in agents: every pairing a match by duplicate deals in this process."""

import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

import numpy as np

from riverboat.arena.ladder import Ladder, Pair, pairs_of
from riverboat.arena.match import Match, Played, match_steps
from riverboat.arena.result import MatchResult
from riverboat.clients.bots.agents.names import needs_resolver
from riverboat.clients.bots.agents.registry import find_agent
from riverboat.clients.bots.ladder_folder import LadderFolder
from riverboat.clients.bots.shared_resolver import keep_answers, remember_answers
from riverboat.errors import InvalidInput
from riverboat.rules.variant import Variant

AIVAT = "aivat"  # `riverboat/arena/aivat.py`
AVERAGE = "average"  # all-ins by equity, showdowns averaged over the ranges of bots that report a strategy
SCORINGS = (AIVAT, AVERAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderPlan:
    """Which agents play which game, and how many deals each pairing has."""

    agents: tuple[str, ...]
    variant: Variant
    stack: int  # chips at the start of every hand
    deal_count: int
    seed: int
    scoring: str = AIVAT

    def __post_init__(self) -> None:
        if len(self.agents) < 2:
            raise InvalidInput("agents", f"a ladder needs at least 2 agents, not {len(self.agents)}")
        if self.scoring not in SCORINGS:
            raise InvalidInput("scoring", f"must be {' or '.join(SCORINGS)}, not {self.scoring[:20]!r}")
        for agent in self.agents:
            find_agent(agent)
            if self.agents.count(agent) > 1:
                raise InvalidInput("agents", f"{agent} is named twice; no agent plays itself in a ladder")


@dataclass(frozen=True, slots=True, eq=False)
class LadderStep:
    """A ladder after some more deals."""

    ladder: Ladder
    pair: Pair  # the pairing that played them
    done: float  # share of all deals, 0..1
    seconds_left: float | None  # None until something has been played

    @property
    def result(self) -> MatchResult:
        """The pairing's result so far."""
        return self.ladder.results[self.pair]


def play_ladder(plan: LadderPlan, folder: LadderFolder | None, processes: int = 1) -> Generator[LadderStep]:
    """Play all pairings, fast ones first; yield after every few deals, once they are saved in the folder.

    Deals that are already in the folder are not played again. The caller may stop at any time.
    """
    pairs = sorted(pairs_of(plan.agents), key=_solving_count)
    results: dict[Pair, MatchResult] = {}
    pace = _Pace(pairs, plan.deal_count)
    for pair in pairs:
        played = folder.load(pair) if folder else None
        kept_count = len(played.chips) if played else 0
        deal_count = max(plan.deal_count, kept_count)
        pace.begin()
        for result in _results(plan, pair, deal_count, processes, played):
            results[pair] = result
            if folder and result.deal_count > kept_count:
                folder.save(pair, result)
            pace.note(pair, result.deal_count - kept_count)
            yield LadderStep(Ladder(plan.agents, dict(results)), pair, *pace.left(results))


def _results(
    plan: LadderPlan, pair: Pair, deal_count: int, processes: int, played: Played | None
) -> Iterator[MatchResult]:
    """Yield a pairing's result so far. Re-solving agents meet the same questions in many hands, so answers are kept."""
    match = _match(plan, pair)
    if not _solving_count(pair):
        yield from match_steps(match, deal_count, processes, played)
        return
    with remember_answers():
        yield from match_steps(match, deal_count, processes, played, keep_answers)


def _match(plan: LadderPlan, pair: Pair) -> Match:
    bots = {name: find_agent(name) for name in pair}
    stacks, rng = [plan.stack] * len(pair), np.random.default_rng(plan.seed)
    is_aivat = plan.scoring == AIVAT
    return Match(plan.variant, stacks, bots, rng, on_average=not is_aivat, aivat=is_aivat)


def _solving_count(pair: Pair) -> int:
    """Return how many of two agents re-solve: that decides how long their match takes."""
    return sum(map(needs_resolver, pair))


class _Pace:
    """The time per deal so far; pairings with equally many re-solving agents have a similar pace."""

    def __init__(self, pairs: list[Pair], deal_count: int) -> None:
        self._pairs, self._deal_count = pairs, deal_count
        self._seen: dict[Pair, tuple[int, float]] = {}  # deals and seconds of each pairing in this run
        self._start = 0.0

    def begin(self) -> None:
        """Start the clock of the next pairing."""
        self._start = time.monotonic()

    def note(self, pair: Pair, deal_count: int) -> None:
        """Note how many deals the pairing has played since its clock started."""
        if deal_count:
            self._seen[pair] = deal_count, time.monotonic() - self._start

    def left(self, results: Mapping[Pair, MatchResult]) -> tuple[float, float | None]:
        """Return the share of deals that are done, and the estimated seconds for the rest."""
        missing = {
            pair: max(0, self._deal_count - (results[pair].deal_count if pair in results else 0))
            for pair in self._pairs
        }
        done = 1 - sum(missing.values()) / (self._deal_count * len(self._pairs))
        if not self._seen:
            return done, None
        seconds = sum(count * self._seconds_per_deal(pair) for pair, count in missing.items() if count)
        return done, seconds if isfinite(seconds) else None

    def _seconds_per_deal(self, pair: Pair) -> float:
        """Return the pairing's own pace, the pace of similar pairings, or the average of all."""
        alike = [seen for other, seen in self._seen.items() if _solving_count(other) == _solving_count(pair)]
        seen = [self._seen[pair]] if pair in self._seen else alike or list(self._seen.values())
        return sum(seconds for _, seconds in seen) / sum(count for count, _ in seen)
