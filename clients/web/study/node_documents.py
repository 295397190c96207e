"""A node of a solution as the page draws it: every holding with its weight, value and strategy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.clients.analysis.actions import action_words
from riverboat.clients.analysis.notation import notation_of
from riverboat.clients.console.study.report import pair_weights
from riverboat.clients.web.play.pictures import cards_of
from riverboat.contracts.resolver import NodeAnswer, Solved
from riverboat.holdings import holdings_of
from riverboat.rules.state import PublicState
from riverboat.solving.subgame import F64

_DIGITS, _CHIP_DIGITS = 3, 2
_LEAST = 5e-4  # of the largest weight: a holding below is not drawn


def node_document(public: PublicState, node: NodeAnswer, path: str) -> dict[str, Any]:
    """Return one node; arrays are over the holdings that are in each range."""
    holdings = holdings_of(public.variant.deck)
    players = []
    for player in (0, 1):
        reach = node.reach[player]
        live = np.flatnonzero(reach > _LEAST * max(float(reach.max()), 1e-12))
        own: dict[str, Any] = {
            "holdings": [holdings.label(int(h)) for h in live],
            "weight": _plain(reach[live] / max(float(reach.max()), 1e-12)),
            "ev": _plain(node.evs[player][live], _CHIP_DIGITS),
            "equity": _plain(node.equity[player][live]),
        }
        if player == node.player:
            own["pairs"] = _plain(pair_weights(public.variant.deck, node)[live], 5)
            own["strategy"] = [_plain(row[live]) for row in node.strategy]
            own["action_evs"] = [_plain(row[live], _CHIP_DIGITS) for row in node.action_evs]
        players.append(own)
    return {
        "path": path,
        "player": node.player,
        "board": cards_of(node.board),
        "pot": node.pot,
        "stacks": list(public.stacks),
        "actions": [
            {"step": notation_of(public, action), "words": action_words(public, action), "action": int(action)}
            for action in node.actions
        ],
        "deals": list(node.deals),
        "players": players,
    }


def _plain(values: F64 | NDArray[np.float32], digits: int = _DIGITS) -> list[float | None]:
    return [round(float(value), digits) if np.isfinite(value) else None for value in values]


def cost_document(solved: Solved, pot: int) -> dict[str, Any]:
    """Return how far solving is."""
    cost = solved.cost
    share = cost.exploitability / pot
    return {
        "iterations": cost.iterations,
        "exploitability": round(100 * share, 4) if np.isfinite(share) else None,
        "seconds": round(cost.total_seconds, 2),
        "lines": cost.line_count,
        "boards": cost.board_count,
        "bytes": cost.byte_count,
        "below_cut": cost.leaf,
        "scope": str(cost.scope),
        "is_partial": cost.is_partial,
        "evs": [round(float(ev), 3) for ev in solved.evs],
    }
