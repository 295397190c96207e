"""How the players of each style play, in the statistics that people use."""

import numpy as np
from numpy.typing import NDArray

from riverboat.opponents.moves import first_size
from riverboat.services.trainer.opponents.table import DecisionTable

I16 = NDArray[np.int16]
F64 = NDArray[np.float64]


def style_statistics(table: DecisionTable, clusters: I16, styles: int) -> list[dict[str, float]]:
    """Return VPIP, PFR and aggression of each style's players, with the spread of VPIP and PFR among them."""
    bets = table.choice >= np.array([first_size(situation) for situation in range(8)])[table.situation]
    calls = (table.situation & 1 == 1) & (table.choice == 1)
    player_count = len(table.names)
    preflop = table.situation < 2
    key = table.hand.astype(np.int64) * player_count + table.player
    hands = np.bincount(np.unique(key[preflop]) % player_count, minlength=player_count)
    entered = np.bincount(np.unique(key[preflop & (bets | calls)]) % player_count, minlength=player_count)
    raised = np.bincount(np.unique(key[preflop & bets]) % player_count, minlength=player_count)
    bet_counts = np.bincount(table.player[bets], minlength=player_count)
    call_counts = np.bincount(table.player[calls], minlength=player_count)
    out = []
    for style in range(styles):
        mine = clusters == style
        regular = mine & (hands >= 50)
        vpip, pfr = (_shares(counts, hands)[regular] for counts in (entered, raised))
        out.append({
            "players": float(mine.sum()),
            "hands": float(hands[mine].sum()),
            "vpip": float(entered[mine].sum() / max(1, hands[mine].sum())),
            "pfr": float(raised[mine].sum() / max(1, hands[mine].sum())),
            "aggression": float(bet_counts[mine].sum() / max(1, call_counts[mine].sum())),
            "vpip spread": float(vpip.std()) if len(vpip) else 0.0,
            "pfr spread": float(pfr.std()) if len(pfr) else 0.0,
        })  # fmt: skip
    return out


def _shares(part: NDArray[np.int64], whole: NDArray[np.int64]) -> F64:
    shares: F64 = part / np.maximum(1, whole)
    return shares
