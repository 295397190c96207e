"""The winnings of local best response against an agent, for people and for programs."""

import math
from typing import Any

from riverboat.arena.local_best_response import LocalResponse
from riverboat.arena.response_score import ResponseScore
from riverboat.clients.analysis.counts import counted
from riverboat.clients.console.views.game_words import whole_game
from riverboat.clients.console.views.output import note, out
from riverboat.clients.console.views.text import plain

_SEATS = ("big blind", "button")


def score_words(score: ResponseScore) -> str:
    """Return a score in a few words, for a progress bar."""
    return f"{_interval(score.mbb)} mbb/hand, {score.hand_count:,} hands"


def estimate_words(answer_count: int) -> str:
    """Return how an agent's strategy was estimated."""
    return f"strategy estimated from {counted(answer_count, 'answer')} per holding"


def print_response(
    agent: str, response: LocalResponse, score: ResponseScore, wanted_count: int, answer_count: int = 0
) -> None:
    """Print what the response wins, in both seats and on average; `answer_count` is 0 for a known strategy."""
    out.print(whole_game(response.variant, response.stack), markup=False, soft_wrap=True)
    if not score.hand_count:
        note("no deal is complete yet")
        return
    out.print(f"local best response wins {_interval(score.mbb)} mbb/hand from {plain(agent)}", markup=False)
    for name, seat_score in zip(_SEATS, score.by_seat, strict=True):
        out.print(f"  on the {name:9}  {_interval(seat_score)}", markup=False)
    streets = "bets on all streets" if not response.first_street else "only checks and calls before the turn"
    note(f"{score.hand_count:,} of {wanted_count:,} hands; it {streets}; bets: {response.bets}")
    if not answer_count and score.deviation_saved > 0:
        note(f"taking out luck saved {100 * score.deviation_saved:.0f} % of the standard deviation of a deal")
    if answer_count:
        note(f"{estimate_words(answer_count)}; the hands are real ones against the agent itself")


def response_dict(agent: str, response: LocalResponse, score: ResponseScore, wanted_count: int) -> dict[str, Any]:
    """Return the response's score for JSON: what it wins, in both seats and on average."""
    scores = [score.mbb, *score.by_seat] if score.hand_count else [(None, math.inf)] * 3
    (mbb, margin), *seats = [(mean, half if math.isfinite(half) else None) for mean, half in scores]
    return {
        "agent": agent,
        "mbb": mbb,
        "margin": margin,
        "by_seat": [
            {"seat": name, "mbb": won, "margin": half} for name, (won, half) in zip(_SEATS, seats, strict=True)
        ],
        "deviation_saved": saved if math.isfinite(saved := score.deviation_saved) else None,
        "hands": score.hand_count,
        "wanted": wanted_count,
        "late": bool(response.first_street),
        "bets": str(response.bets),
        "stack": response.stack,
    }


def _interval(score: tuple[float, float]) -> str:
    mbb, margin = score
    return f"{mbb:+,.0f} ± {f'{margin:,.0f}' if math.isfinite(margin) else '?'}"
