"""What the players of a match have won so far."""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from riverboat.arena.result import Score, t_quantile
from riverboat.tables.table import Table


@dataclass(frozen=True, slots=True)
class MatchScore:
    """How a match stands."""

    scores: tuple[Score, ...]  # by chair
    hand_count: int  # played
    wanted_count: int
    timed_out_count: int  # actions that the clock had to take
    is_over: bool


def score_of(table: Table) -> MatchScore:
    """How the match at a table stands; deals of which some hands are missing do not count yet."""
    config, per_deal = table.config, table.config.hands_per_deal
    names = tuple(player.name if player else f"chair {i}" for i, player in enumerate(table.players))
    deal_count = len(table.results) // per_deal
    scores: tuple[Score, ...] = ()
    if deal_count:
        hands = np.array(table.results[: deal_count * per_deal], np.float64)  # [D * hands, P]
        chips = hands.reshape(deal_count, per_deal, len(names)).sum(axis=1)  # [D, P]
        mbb = chips * (1000 / (config.variant.big_blind * per_deal))
        margins = np.full(len(names), inf)
        if deal_count > 1:
            margins = t_quantile(deal_count - 1) * mbb.std(axis=0, ddof=1) / sqrt(deal_count)
        scores = tuple(map(Score, names, mbb.mean(axis=0).tolist(), margins.tolist()))
    return MatchScore(scores, len(table.results), config.hand_limit, table.timed_out_count, table.is_closed)
