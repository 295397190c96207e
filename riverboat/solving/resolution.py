"""Re-solving: from a state of a hand to a strategy, an action, and both players' ranges and values after it.

`resolve` is the loop. It starts either from both ranges, or from the actor's range and the counterfactual values that
the opponent can count on; then a gadget gives the opponent no more than these. `resolve_ranges` and `resolve_safely`
run it to the end.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.solving.best_response import exploitability
from riverboat.solving.capture import AfterDeal, Captured, captured, values_after_deal
from riverboat.solving.cfr import Solver
from riverboat.solving.gadget import Gadget
from riverboat.solving.loop import Limits, solve
from riverboat.solving.nodes import strategy_at
from riverboat.solving.subgame import ACT, CHANCE, F64, I32, Lines
from riverboat.solving.traversal import BEST, EVALUATE

_SMALLEST = 1e-12  # a range whose weights add up to no more counts as empty


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Resolution:
    """The result of re-solving, at the root of the subgame."""

    player: int  # the player who acts
    strategy: F64  # [A, H], the average
    ranges: F64  # [2, H]: before the action, each adding up to one
    values: F64  # [2, H]: counterfactual values at the root, summed over the other player's reach there
    before_deal: tuple[Captured, Captured]  # both players' values at all lines before the next deal
    after_deal: tuple[AfterDeal, AfterDeal]  # both players' values at the lines that begin after that deal
    totals: F64  # [2]: sum of each player's reach at the root; with a gadget, the opponent's is `opponent_reach`
    lines: Lines
    local_line: I32  # [L]: place of each line among those of its level
    deal_lines: I32  # [R]: lines that begin after the first deal
    strategies: dict[int, F64]  # [B, H]: the average strategy at each line before the next deal where somebody acts
    opponent_reach: F64  # [H]: at the root; with a gadget, only the part that plays on instead of taking its value
    exploitability: float = float("nan")  # in chips, as in `Progress`; NaN if it was not measured
    is_partial: bool = False  # the caller's time ran out before a limit was reached

    def values_over_ranges(self) -> F64:
        """Return both players' values at the root, each over the other's normalised reach there [2, H]."""
        over_ranges: F64 = self.values / np.maximum(self.totals[::-1, None], _SMALLEST)
        return over_ranges

    def range_after(self, action: int) -> F64:
        """Return the actor's range after an action, by Bayes' rule [H]; unchanged if the action is never taken."""
        return bayesian_update(self.ranges[self.player], self.strategy[action])

    def reply(self, action: int) -> F64:
        """Return the opponent's strategy after an action [B, H]; B = 0 where it has none."""
        return self.strategy_at(int(self.lines.first_child[0]) + action)

    def strategy_at(self, line: int) -> F64:
        """Return the strategy at a line before the next deal [B, H]; B = 0 where nobody acts."""
        return self.strategies.get(line, np.zeros((0, self.strategy.shape[1])))

    def opponent_values_at(self, line: int, board: int, live: NDArray[np.bool_]) -> F64:
        """Return what the opponent can count on at a line; see `values_at`."""
        return self.values_at(1 - self.player, line, board, live)

    def values_at(self, player: int, line: int, board: int, live: NDArray[np.bool_]) -> F64:
        """Return what a player can count on at a line [H].

        The values are averages over the other player's range at the line, normalised to add up to one. `live` marks the
        holdings that the board leaves possible. The line may end before the next deal or with it, not later.
        """
        cfvs = self._cfvs_at(player, line, board)
        arrived = float(self._goes_on(1 - player, line, self.ranges[1 - player])[live].sum())
        over_range: F64 = cfvs / (self.totals[1 - player] * max(arrived, _SMALLEST))
        return over_range

    def _cfvs_at(self, player: int, line: int, board: int) -> F64:
        if board == 0:
            return self.before_deal[player].at(int(self.local_line[line]))
        roots = np.flatnonzero(self.deal_lines == line)
        if len(roots) != 1:
            raise InvalidInput("path", "must end with the next deal, or before it")
        return self.after_deal[player].at(board, int(roots[0]))

    def range_at(self, player: int, line: int) -> F64:
        """Return a player's reach at a line for each holding [H]; cards that the line's deal adds exclude none yet."""
        return self._goes_on(player, line, self.ranges[player] if player == self.player else self.opponent_reach)

    def _goes_on(self, player: int, line: int, reach: F64) -> F64:
        """Return a reach at the root times the chance that each of a player's holdings goes on to a line [H]."""
        lines = self.lines
        while line > 0:
            above = int(lines.parent[line])
            if lines.kind[above] == ACT and lines.player[above] == player:
                reach = reach * self.strategies[above][line - int(lines.first_child[above])]
            line = above
        return reach

    def sample(self, rng: np.random.Generator, holding: int | None = None) -> int:
        """Sample an action by the strategy: of one holding, or of the whole range."""
        weights = self.ranges[self.player]
        if holding is not None and not (0 <= holding < len(weights) and weights[holding] > 0):
            raise InvalidInput("holding", f"holding {holding} is not possible here")
        chances = self.strategy @ weights if holding is None else self.strategy[:, holding]
        return int(rng.choice(len(chances), p=chances / chances.sum()))


def bayesian_update(weights: F64, chances: F64) -> F64:
    """Return the range after an action [H], adding up to one; `chances` says how often each holding takes it."""
    joint = weights * chances
    total = joint.sum()
    updated: F64 = joint / total if total > _SMALLEST else weights
    return updated


def resolve(
    solver: Solver,
    limits: Limits,
    clock: Callable[[], float],
    opponent_values: F64 | None = None,
    is_out_of_time: Callable[[], bool] = lambda: False,
) -> Generator[None, None, Resolution]:
    """Solve step by step until a limit is reached or the caller is out of time; the generator returns the resolution.

    If the opponent's counterfactual values [H] are given, its range is unknown: its weights in the subgame say only
    which holdings are possible. Its values in the resolution are then those of its best response to the actor's
    strategy and range. The opponent can count on them from here, so the next re-solving must respect them.
    """
    player = _check_actor(solver)
    gadget = None if opponent_values is None else Gadget(solver, 1 - player, opponent_values)
    for progress in solve(solver, limits, clock, gadget):
        if progress.is_last or is_out_of_time():
            break
        yield
    exploitable = progress.exploitability
    if exploitable is None:
        exploitable = gadget.shortfall() if gadget else exploitability(solver)
    return read_resolution(solver, gadget is not None, exploitable, is_partial=not progress.is_last)


def resolve_ranges(solver: Solver, iterations: int) -> Resolution:
    """Resolve with both ranges known: those of the subgame."""
    return _last(resolve(solver, Limits(iterations), _no_clock))


def resolve_safely(solver: Solver, opponent_values: F64, iterations: int) -> Resolution:
    """Resolve with the actor's range and the opponent's counterfactual values [H]."""
    return _last(resolve(solver, Limits(iterations), _no_clock, opponent_values))


def _last(steps: Generator[None, None, Resolution]) -> Resolution:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            resolution: Resolution = end.value
            return resolution


def _no_clock() -> float:
    """Return 0: these limits have no seconds, so the time does not matter."""
    return 0.0


def _check_actor(solver: Solver) -> int:
    lines = solver.memory.subgame.lines
    if lines.kind[0] != ACT:
        raise InvalidInput("lines", "nobody acts at the root")
    return int(lines.player[0])


def read_resolution(
    solver: Solver, is_safe: bool, exploitable: float = float("nan"), is_partial: bool = False
) -> Resolution:
    """Return a solver's resolution; if `is_safe`, the opponent's values in it are those of its best response."""
    memory, player = solver.memory, _check_actor(solver)
    live = memory.subgame.weights.astype(np.float64) * memory.subgame.boards.live[0]
    lines, levels = memory.subgame.lines, memory.layout.line_level
    other_purpose = BEST if is_safe else EVALUATE
    before = [captured(solver, who, EVALUATE if who == player else other_purpose) for who in (0, 1)]
    decisions = np.flatnonzero((lines.kind == ACT) & (levels == 0)).tolist()
    strategies = {line: strategy_at(memory, line, 0) for line in decisions}
    return Resolution(
        player=player,
        strategy=strategies[0],
        ranges=live / live.sum(axis=1, keepdims=True),
        values=np.array([values.at(0) for values in before]),
        before_deal=(before[0], before[1]),
        after_deal=(values_after_deal(memory, 0), values_after_deal(memory, 1)),
        totals=np.array([memory.root_reach(0).sum(), memory.root_reach(1).sum()]),
        lines=lines,
        local_line=memory.layout.local_line,
        deal_lines=lines.first_child[(lines.kind == CHANCE) & (levels == 0)],
        strategies=strategies,
        opponent_reach=memory.root_reach(1 - player),
        exploitability=exploitable,
        is_partial=is_partial,
    )
