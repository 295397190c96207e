"""Shares of the pot at a node without further bets."""

import numpy as np

from riverboat.services.resolver.spots import PreparedSpot
from riverboat.solving.subgame import F32, F64, I32, compatible

_SMALLEST = 1e-12


def equity_at(spot: PreparedSpot, board: int, reach: F64) -> F64:
    """Return both players' equities on a board, against the other's reach [2, H]; NaN where impossible."""
    subgame = spot.subgame
    equity = np.full(reach.shape, np.nan)
    live = [np.flatnonzero(subgame.boards.live[board] & (weights > 0)) for weights in subgame.weights]
    matrix = _utility(spot, board, live[0].astype(np.int32), live[1].astype(np.int32)).astype(np.float64)
    wins = (matrix @ reach[1][live[1]], -(reach[0][live[0]] @ matrix))
    for player in (0, 1):
        opposing = compatible(subgame.items, reach[1 - player])[live[player]]
        shares = np.divide(wins[player], opposing, out=np.full(len(opposing), np.nan), where=opposing > _SMALLEST)
        equity[player, live[player]] = (1 + shares) / 2
    return equity


def _utility(spot: PreparedSpot, board: int, rows: I32, columns: I32) -> F32:
    """Return the winnings of row holdings against column holdings; 0 where they exclude each other."""
    strengths, items = spot.subgame.strengths[board], spot.subgame.items
    if not strengths.any():
        return spot.terminals.utility(spot.built.dealt.cards[board], rows, columns)
    wins = np.sign(strengths[rows].astype(np.int32)[:, None] - strengths[columns].astype(np.int32)[None, :])
    shared = (items[rows][:, :, None, None] == items[columns].T[None, None, :, :]).any(axis=(1, 2))
    utility: F32 = np.where(shared, 0, wins).astype(np.float32)
    return utility
