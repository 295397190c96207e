"""Statistics of a player, counted hand by hand from states of the rules."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from math import nan, sqrt
from statistics import mean, variance

from riverboat.history.hand import History, outcome, replay
from riverboat.rules.betting import CALL, FOLD, SHOWDOWN
from riverboat.rules.events import Move
from riverboat.rules.state import PublicState


@dataclass
class SlowStatistics:
    """What one player did."""

    counts: Counter[str] = field(default_factory=Counter)
    moves: Counter[tuple[int, bool, str]] = field(default_factory=Counter)  # street, facing a bet, kind
    results: list[float] = field(default_factory=list)  # big blinds

    @property
    def shares(self) -> tuple[float, ...]:
        """VPIP, PFR, aggression, went to showdown, won at showdown, win rate, half its interval."""
        count = self.counts
        bets = sum(times for (_, _, kind), times in self.moves.items() if kind in ("bet", "raise"))
        calls = sum(times for (_, _, kind), times in self.moves.items() if kind == "call")
        error = 196 * sqrt(variance(self.results) / len(self.results)) if len(self.results) > 1 else nan
        return (
            _divided(count["voluntary"], count["decided"]),
            _divided(count["raised"], count["decided"]),
            bets / calls if calls else 100.0 if bets else nan,
            _divided(count["showdowns"], count["flops"]),
            _divided(count["won"], count["showdowns"]),
            100 * mean(self.results) if self.results else nan,
            error,
        )


def _divided(part: int, whole: int) -> float:
    return part / whole if whole else nan


def kind_of(before: PublicState, action: int) -> str:
    """Return fold, check, call, bet or raise."""
    if action == FOLD:
        return "fold"
    if action == CALL:
        return "call" if before.to_call else "check"
    return "raise" if before.bet else "bet"


def statistics_of(histories: Iterable[History], name: str) -> SlowStatistics:
    """Return the statistics of the player of this name."""
    total = SlowStatistics()
    for history in histories:
        if name in history.names:
            _add(total, history, history.names.index(name))
    return total


def _add(total: SlowStatistics, history: History, seat: int) -> None:
    states = list(replay(history))
    own = [
        (before, event.action)
        for event, (before, after) in zip(history.events, pairwise(states), strict=True)
        if isinstance(event, Move) and event.seat == seat and after is not before
    ]
    for before, action in own:
        total.moves[before.street, before.to_call > 0, kind_of(before, action)] += 1
    first = [kind_of(before, action) for before, action in own if before.street == 0]
    flops = [state for state in states if state.street == 1]
    end = outcome(history)
    is_shown = end.state.phase == SHOWDOWN and not end.state.folded[seat]
    won = None if end.stacks is None else end.stacks[seat] - history.stacks[seat]
    total.counts["hands"] += 1
    total.counts["decided"] += bool(first)
    total.counts["voluntary"] += bool({"call", "bet", "raise"} & set(first))
    total.counts["raised"] += bool({"bet", "raise"} & set(first))
    total.counts["flops"] += bool(flops) and not flops[0].folded[seat]
    total.counts["showdowns"] += is_shown
    total.counts["won"] += is_shown and won is not None and won > 0
    if won is not None:
        total.results.append(won / history.variant.big_blind)
