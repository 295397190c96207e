"""The score of a match so far."""

from dataclasses import dataclass
from math import inf

from riverboat.arena.result import PlayerScore, margins_of
from riverboat.marks import DecisionCounts
from riverboat.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchScore:
    """The score of a match."""

    scores: tuple[PlayerScore, ...]  # by chair
    decisions: tuple[DecisionCounts, ...]  # by chair, of deals that are complete
    hand_count: int  # hands played so far
    wanted_count: int  # hands of the whole match
    timed_out_count: int  # actions that the clock made
    is_over: bool
    waits_for: str = ""  # why it is stalled; "" while it goes on


def score_of(table: Table, waits_for: str = "") -> MatchScore:
    """Return the score of the match at a table; deals with hands missing do not count yet."""
    config, tally = table.config, table.tally
    names = tuple(player.name if player else f"chair {i}" for i, player in enumerate(table.players))
    scores: tuple[PlayerScore, ...] = ()
    if tally.deal_count:
        scale = 1000 / (config.variant.big_blind * config.hands_per_deal)
        margins = [inf] * len(names)
        if tally.deal_count > 1:
            margins = (scale * margins_of(tally.mean(), tally.deviation(), tally.deal_count)).tolist()
        scores = tuple(map(PlayerScore, names, (scale * tally.mean()).tolist(), margins))
    sides = table.sides
    return MatchScore(
        scores=scores,
        decisions=tally.decisions,
        hand_count=tally.hand_count,
        wanted_count=config.deal_count * config.hands_per_deal,
        timed_out_count=sides.timed_out_count if sides else table.timed_out_count,
        is_over=sides.is_over if sides else table.is_closed,
        waits_for=waits_for,
    )
