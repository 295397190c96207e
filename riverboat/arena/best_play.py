"""The best response to an agent in a small game, decision by decision."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from riverboat.arena.exploit import Exploit, view_at
from riverboat.holdings import holdings_of
from riverboat.rules.state import View
from riverboat.solving.capture import captured
from riverboat.solving.nodes import reach_at
from riverboat.solving.subgame import ACT, CHANCE, F64, I64, compatible
from riverboat.solving.traversal import BEST

_NEVER = 1e-12  # reach below which a situation counts as impossible
_EQUAL = 1e-9  # chips


@dataclass(frozen=True, slots=True, eq=False)
class BestPlay:
    """The best response with one holding in one situation."""

    view: View  # with the holding
    action: int
    ev: float  # average chips won in the whole hand, given that it reaches the situation
    chance: float  # of reaching the situation with this holding, in a hand in which it has this seat


@dataclass(frozen=True, slots=True, eq=False)
class _Arrival:
    """A node that the best response may reach."""

    line: int
    board: int
    dealt: float  # the probability of the board, given two holdings that allow it
    plays: NDArray[np.bool_]  # [H]: holdings with which the best response plays up to here


def best_plays(exploit: Exploit, seat: int) -> list[BestPlay]:
    """Return the plays of a best response in a seat, in all situations that it can reach, the likeliest first.

    Of actions that win equally, the first (in the order fold, call, raises) is chosen.
    """
    subgame = exploit.whole.subgame
    lines, boards = subgame.lines, subgame.boards
    values = [captured(exploit.solver, seat, BEST, board) for board in range(boards.count)]
    plays: list[BestPlay] = []
    arrivals = [_Arrival(0, 0, 1.0, boards.live[0])]
    while arrivals:
        arrival = arrivals.pop()
        line, board = arrival.line, arrival.board
        children = range(int(lines.first_child[line]), int(lines.first_child[line] + lines.child_count[line]))
        if lines.kind[line] == CHANCE:
            for after in np.flatnonzero(boards.parent == board).tolist():
                dealt, live = arrival.dealt * float(boards.chance[after]), arrival.plays & boards.live[after]
                arrivals += [_Arrival(child, after, dealt, live) for child in children]
        elif lines.kind[line] == ACT and lines.player[line] == seat:
            local = exploit.solver.memory.layout.local_line
            choices = np.array([values[board].at(int(local[child])) for child in children])  # [A, H]
            best = (choices >= choices.max(axis=0) - _EQUAL).argmax(axis=0)
            plays += _plays(exploit, arrival, lines.action[children][best], choices.max(axis=0))
            arrivals += [replace(arrival, line=child, plays=arrival.plays & (best == n)) for n, child in
                         enumerate(children)]  # fmt: skip
        else:
            arrivals += [replace(arrival, line=child) for child in children]
    return sorted(plays, key=lambda play: -play.chance)


def _plays(exploit: Exploit, arrival: _Arrival, actions: I64, cfvs: F64) -> list[BestPlay]:
    """Return the plays at one node for the holdings that get there, from actions and values by holding [H]."""
    subgame, memory = exploit.whole.subgame, exploit.solver.memory
    view = view_at(exploit.whole, arrival.line, arrival.board)
    cards = holdings_of(view.public.variant.deck).cards
    agent = reach_at(memory, arrival.line, arrival.board)[1 - view.seat]
    against = compatible(subgame.items, agent)  # [H]
    return [
        BestPlay(
            replace(view, holding=tuple(cards[holding].tolist())),
            int(actions[holding]),
            float(cfvs[holding] / against[holding]),
            float(against[holding] * arrival.dealt / memory.pair_weight),
        )
        for holding in np.flatnonzero(arrival.plays & (against > _NEVER)).tolist()
    ]
