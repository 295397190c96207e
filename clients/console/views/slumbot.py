"""The score of a match against Slumbot, for people and for programs."""

from typing import Any

from riverboat.clients.console.views.output import note, out
from riverboat.clients.console.views.text import plain
from riverboat.clients.console.views.winnings import winnings_dict, winnings_words
from riverboat.clients.slumbot.session import SlumbotScore
from riverboat.history.slumbot import GAME
from riverboat.marks import DecisionCounts, warning_of

_BIG_BLIND = GAME.big_blind


def score_words(score: SlumbotScore) -> str:
    """Return the score in a few words, with luck removed where that is possible."""
    adjusted = score.adjusted if score.has_baseline else score.won
    return f"{score.hand_count:,} hands, {winnings_words(adjusted, _BIG_BLIND)}"


def slumbot_dict(agent: str, score: SlumbotScore, decisions: DecisionCounts) -> dict[str, Any]:
    """Return a score for programs."""
    return {
        "agent": agent,
        "plain": winnings_dict(score.won, _BIG_BLIND),
        "adjusted": winnings_dict(score.adjusted, _BIG_BLIND) if score.has_baseline else None,
        "deviation_saved": score.deviation_saved,
        "abandoned": score.abandoned_count,
        "different": score.different_count,
        "decisions": decisions.decision_count,
        "partial": decisions.partial_count,
        "fallback": decisions.fallback_count,
    }


def print_slumbot(agent: str, score: SlumbotScore, decisions: DecisionCounts) -> None:
    """Print a score."""
    name = plain(agent)
    won = f"{name} wins {winnings_words(score.won, _BIG_BLIND)}, {score.won.total:+,.0f} chips"
    out.print(f"{won} in {score.hand_count:,} hands", markup=False, soft_wrap=True)
    if score.has_baseline:
        words = f"{winnings_words(score.adjusted, _BIG_BLIND)} beyond the server's own player with the same cards"
        out.print(f"{name} wins {words}", markup=False, soft_wrap=True)
    if score.deviation_saved is not None:
        note(f"the comparison saves {100 * score.deviation_saved:.0f} % of the standard deviation of a hand")
    elif score.hand_count and not score.has_baseline:
        note("the server did not say for every hand what its own player would have won")
    if score.abandoned_count:
        note(f"{score.abandoned_count:,} more hands were begun and not finished; they do not count")
    if score.different_count:
        note(f"{score.different_count:,} hands ended differently than by our rules: do not trust this result")
    if warning := warning_of(name, decisions):
        note(warning)
