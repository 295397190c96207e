"""The result of a match, for people and for programs."""

import math
from dataclasses import dataclass
from typing import Any

from rich.table import Column, Table

from riverboat.clients.console.views.game_words import whole_game
from riverboat.clients.console.views.match_progress import MatchOutcome
from riverboat.clients.console.views.output import note, out
from riverboat.clients.console.views.text import plain
from riverboat.clients.remote.documents import variant_document
from riverboat.marks import warning_of
from riverboat.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class MatchGame:
    """The game of a match, which belongs to its result."""

    variant: Variant
    stack: int

    @property
    def words(self) -> str:
        """The game in one line for people."""
        return whole_game(self.variant, self.stack)

    def as_dict(self) -> dict[str, Any]:
        """Return the game for programs."""
        return {"game": self.words, "variant": variant_document(self.variant), "stack": self.stack}


def result_dict(outcome: MatchOutcome) -> dict[str, Any]:
    """Return a result for programs."""
    result = outcome.result
    scores = [
        {
            "name": score.bot,
            "mbb": score.mbb,
            "margin": score.margin if math.isfinite(score.margin) else None,
            "decisions": made.decision_count,
            "partial": made.partial_count,
            "fallback": made.fallback_count,
            "timed_out": made.timed_out_count,
        }
        for score, made in zip(result.scores, result.decisions, strict=True)
    ]
    return {
        "match": outcome.match_id,
        "scores": scores,
        "hands": result.hand_count,
        "wanted": result.wanted_count,
        "timed_out": result.timed_out_count,
        "complete": outcome.is_complete,
    }


def print_result(outcome: MatchOutcome) -> None:
    """Print a table of scores, with what limits their meaning."""
    result = outcome.result
    if not result.scores:
        note(f"{result.hand_count:,} of {result.wanted_count:,} hands; no deal is complete yet")
        return
    right = [Column(name, justify="right") for name in ("mbb/hand", "± 95 %", "decisions", "partial", "fallback")]
    table = Table("agent", *right[:2], "", *right[2:], box=None, padding=(0, 2, 0, 0))
    pairs = list(zip(result.scores, result.decisions, strict=True))
    for score, made in sorted(pairs, key=lambda pair: -pair[0].mbb):
        margin = f"{score.margin:,.1f}" if math.isfinite(score.margin) else "?"
        sure = "wins" if score.mbb > score.margin else "loses" if score.mbb < -score.margin else "undecided"
        counts = [f"{count:,}" for count in (made.decision_count, made.partial_count, made.fallback_count)]
        table.add_row(plain(score.bot), f"{score.mbb:+,.1f}", margin, sure, *counts)
    out.print(table)
    note(f"{result.hand_count:,} of {result.wanted_count:,} hands")
    if result.timed_out_count:
        note(f"the clock acted {result.timed_out_count:,} times: an agent was too slow, or gone")
    for score, made in pairs:
        if warning := warning_of(plain(score.bot), made):
            note(warning)
