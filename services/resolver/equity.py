"""Shares of the pot at a node if nobody bet any more."""

import numpy as np

from riverboat.services.resolver.spots import BuiltSpot
from riverboat.services.resolver.upstream import Upstream
from riverboat.solving.subgame import F32, F64, compatible

_SMALLEST = 1e-12


def equity_at(upstream: Upstream, built: BuiltSpot, board: int, reach: F64) -> F64:
    """For both players' holdings on a board, against the other's reach [2, H]; NaN where impossible."""
    subgame = built.subgame
    found = np.full(reach.shape, np.nan)
    live = [np.flatnonzero(subgame.boards.live[board] & (weights > 0)) for weights in subgame.weights]
    matrix = _utility(upstream, built, board, live[0].astype(np.int32), live[1].astype(np.int32)).astype(np.float64)
    wins = (matrix @ reach[1][live[1]], -(reach[0][live[0]] @ matrix))
    for player in (0, 1):
        opposing = compatible(subgame.items, reach[1 - player])[live[player]]
        shares = np.divide(wins[player], opposing, out=np.full(len(opposing), np.nan), where=opposing > _SMALLEST)
        found[player, live[player]] = (1 + shares) / 2
    return found


def _utility(upstream: Upstream, built: BuiltSpot, board: int, rows: np.ndarray, columns: np.ndarray) -> F32:
    """What holdings win against others; 0 where they exclude each other."""
    strengths = built.subgame.strengths[board]
    if not strengths.any():
        return upstream.utility(built.spot.deck, built.boards[board], rows, columns)
    items = built.subgame.items
    wins = np.sign(strengths[rows].astype(np.int32)[:, None] - strengths[columns].astype(np.int32)[None, :])
    shared = (items[rows][:, :, None, None] == items[columns].T[None, None, :, :]).any(axis=(1, 2))
    found: F32 = np.where(shared, 0, wins).astype(np.float32)
    return found
