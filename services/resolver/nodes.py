"""Nodes of a solution, as answers to GetNode."""

import numpy as np

from riverboat.contracts.resolver import NodeAnswer
from riverboat.services.resolver.equity import equity_at
from riverboat.services.resolver.places import NodePlace, deals_at
from riverboat.services.resolver.solutions import KeptSolution
from riverboat.solving.capture import Captured
from riverboat.solving.nodes import reach_at, strategy_at
from riverboat.solving.subgame import ACT, CHANCE, F64, compatible

_SMALLEST = 1e-12


def node_answer(solution: KeptSolution, place: NodePlace) -> NodeAnswer:
    """Return a node of a solution, without its state."""
    spot, memory = solution.spot, solution.solver.memory
    lines, kind = spot.subgame.lines, int(spot.subgame.lines.kind[place.line])
    acts = kind == ACT
    with solution.lock:
        values = solution.values(place.board)
        reach = reach_at(memory, place.line, place.board)
        strategy = strategy_at(memory, place.line, place.board) if acts else np.zeros((0, reach.shape[1]))
    player = int(lines.player[place.line]) if acts else -1
    first = int(lines.first_child[place.line])
    children = range(first, first + len(strategy))
    action_evs = [_evs(solution, place, values[player], child, player, reach) for child in children]
    evs = [_evs(solution, place, values[p], place.line, p, reach) for p in (0, 1)]
    return NodeAnswer(
        player=player,
        actions=tuple(spot.built.actions(place.line)),
        strategy=_named(strategy, place),
        evs=_named(np.array(evs), place),
        action_evs=_named(np.array(action_evs).reshape(strategy.shape), place),
        reach=_named(reach, place),
        equity=_named(equity_at(spot, place.board, reach), place),
        pot=int(spot.built.betting.pot[place.line]),
        board=place.cards,
        deals=deals_at(spot, place) if kind == CHANCE else (),
    )


def _evs(solution: KeptSolution, place: NodePlace, values: Captured, line: int, player: int, reach: F64) -> F64:
    """Return the EVs of a line for a player, counted from the node on [H]; NaN where impossible."""
    spot, layout = solution.spot, solution.solver.memory.layout
    opposing = compatible(spot.subgame.items, reach[1 - player])
    cfvs = values.at(int(layout.local_line[line]))
    possible = spot.subgame.boards.live[place.board] & (spot.subgame.weights[player] > 0)
    evs = np.full(len(cfvs), np.nan)
    sure = possible & (opposing > _SMALLEST)
    evs[sure] = cfvs[sure] / opposing[sure] + spot.built.betting.share(place.line, player)
    return evs


def _named(values: F64, place: NodePlace) -> F64:
    """Return values [..., H] in the order of the caller's holdings, whose suits may differ from the solved board's."""
    named = np.zeros_like(values)
    named[:, place.names] = values
    return named
