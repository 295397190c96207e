"""Scores of entrants over a number of tournaments: fitness and its parts, return on investment, playing style."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.features.tournament_inputs import CALLS_MADE, ENTERED, FOLDS_MADE, HANDS, RAISED_PREFLOP, RAISES_MADE
from riverboat.tournaments.loop_arrays import CHIPS_LOST, CHIPS_WON, HANDS_LOST, HANDS_WON
from riverboat.tournaments.series import SeriesResult
from riverboat.tournaments.structures import TournamentStructure

F64 = NDArray[np.float64]
_INTERVAL = 1.96  # standard errors: 95 % of a normal distribution


@dataclass(frozen=True, slots=True)
class FitnessWeights:
    """The weight of each part of the fitness; they add up to 1."""

    ranking: float = 0.8
    hands_won: float = 0.02
    mean_money: float = 0.18

    def __post_init__(self) -> None:
        parts = (self.ranking, self.hands_won, self.mean_money)
        if min(parts) < 0 or abs(sum(parts) - 1) > 1e-9:
            raise InvalidInput("weights", f"must be at least 0 and add up to 1, not {parts}")


DEFAULT_WEIGHTS = FitnessWeights()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Scores:
    """Scores of every entrant [E], over all tournaments of a result.

    The parts of the fitness are within 0 and 1: ranking is 1 for the first and 0 for the last place, hands won are a
    part of the hands dealt, mean money is a part of all chips in play (below 0 it counts as 0).
    """

    fitness: F64
    ranking: F64
    hands_won: F64
    mean_money: F64
    mean_rank: F64
    mean_prize: F64  # in buy-ins
    vpip: F64
    pfr: F64
    afq: F64


def scores_of(structure: TournamentStructure, result: SeriesResult, weights: FitnessWeights) -> Scores:
    """Return the scores of all entrants."""
    sums = result.sums.astype(np.float64)
    mean_rank = result.ranks.mean(axis=0)
    ranking = (structure.entrant_count - mean_rank) / (structure.entrant_count - 1)
    hands_won = sums[:, HANDS_WON] / np.maximum(sums[:, HANDS], 1)
    money = sums[:, CHIPS_WON] / np.maximum(sums[:, HANDS_WON], 1) - sums[:, CHIPS_LOST] / np.maximum(
        sums[:, HANDS_LOST], 1
    )
    mean_money = np.clip(money / structure.chip_count, 0.0, 1.0)
    acts = sums[:, RAISES_MADE] + sums[:, CALLS_MADE] + sums[:, FOLDS_MADE]
    return Scores(
        fitness=weights.ranking * ranking + weights.hands_won * hands_won + weights.mean_money * mean_money,
        ranking=ranking,
        hands_won=hands_won,
        mean_money=mean_money,
        mean_rank=mean_rank,
        mean_prize=prizes_of(structure, result).mean(axis=0),
        vpip=sums[:, ENTERED] / np.maximum(sums[:, HANDS], 1),
        pfr=sums[:, RAISED_PREFLOP] / np.maximum(sums[:, HANDS], 1),
        afq=sums[:, RAISES_MADE] / np.maximum(acts, 1),
    )


def prizes_of(structure: TournamentStructure, result: SeriesResult) -> F64:
    """Return the prize of every entrant in every tournament, in buy-ins [tournaments, E]."""
    paid = [0, *(structure.prize_of(rank) for rank in range(1, structure.entrant_count + 1))]
    prizes: F64 = np.array(paid, np.float64)[result.ranks] / max(1, structure.buy_in)
    return prizes


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupScore:
    """Scores of some entrants that play alike, each with half a 95 % interval where it is a mean over tournaments."""

    entrant_count: int
    tournament_count: int
    mean_rank: float
    rank_interval: float
    fitness: float
    roi: float  # return on investment: prizes less buy-ins, per buy-in; 0.8 is 80 %
    roi_interval: float
    vpip: float
    pfr: float
    afq: float


def group_score(
    structure: TournamentStructure,
    result: SeriesResult,
    places: Sequence[int],
    weights: FitnessWeights = DEFAULT_WEIGHTS,
) -> GroupScore:
    """Return the scores of the entrants at some places; tournaments are the independent samples."""
    scores, places = scores_of(structure, result, weights), list(places)
    prizes = prizes_of(structure, result)[:, places].mean(axis=1)
    ranks = result.ranks[:, places].mean(axis=1)
    count = len(ranks)
    error = _INTERVAL / sqrt(max(1, count - 1))
    return GroupScore(
        entrant_count=len(places),
        tournament_count=count,
        mean_rank=float(ranks.mean()),
        rank_interval=float(error * ranks.std()),
        fitness=float(scores.fitness[places].mean()),
        roi=float(prizes.mean() - 1),
        roi_interval=float(error * prizes.std()),
        vpip=float(scores.vpip[places].mean()),
        pfr=float(scores.pfr[places].mean()),
        afq=float(scores.afq[places].mean()),
    )
