"""Advice at a table: a hint, the reasons for each action, and the review of a hand."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from riverboat.clients.analysis.actions import action_words, chips_words
from riverboat.clients.analysis.caveats import estimate_words, graded_against
from riverboat.clients.analysis.explainer import explain
from riverboat.clients.analysis.explanation import Explanation
from riverboat.clients.analysis.review import Reviewed, review
from riverboat.clients.analysis.tracker import TakenAction, decisions_of
from riverboat.clients.analysis.wording import why
from riverboat.clients.console.views.explanation import class_weights
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.clients.web.failures import ApiError
from riverboat.tables.entries import HandBegan
from riverboat.tables.view import TableView

Tell = Callable[[float], None]
_PLAYERS = 2


def reasons_for(link: ResolverClient, seen: TableView, tell: Tell) -> dict[str, Any]:
    """Return the value of each action of a view's acting chair, with reasons."""
    if not seen.is_your_turn or seen.public is None:
        raise ApiError(409, "it is not your turn")
    if seen.public.player_count != _PLAYERS:
        raise ApiError(409, f"only two-player hands can be solved, and this one has {seen.public.player_count}")
    view = seen.hand_view()
    explanation = explain(link, list(decisions_of(view)), view.public, tuple(view.holding), None, tell)
    began = next(entry for entry in seen.entries if isinstance(entry, HandBegan))
    return explanation_document(explanation, began.names[1 - view.seat])


def explanation_document(explanation: Explanation, opponent: str) -> dict[str, Any]:
    """Return an explanation for the page."""
    return {
        "choices": [
            {
                "words": action_words(explanation.public, choice.action),
                "action": choice.action,
                "frequency": round(choice.frequency, 4),
                "range_frequency": round(choice.range_frequency, 4),
                "ev": round(choice.ev, 2),
                "is_best": choice is explanation.best,
            }
            for choice in explanation.choices
        ],
        "equity": round(float(np.nan_to_num(explanation.equity)), 4),
        "why": why(explanation, opponent),
        "ranges": {
            "own": class_weights(explanation, explanation.seat),
            "opponent": class_weights(explanation, 1 - explanation.seat),
        },
        "caveat": graded_against(explanation, opponent),
        "estimate": estimate_words(explanation),
    }


def reviewed_hand(
    link: ResolverClient, decisions: list[TakenAction], seat: int, holding: tuple[int, ...], opponent: str, tell: Tell
) -> Iterator[dict[str, Any]]:
    """Yield each decision of a finished hand with its grade, as soon as it is known."""
    for reviewed in review(link, decisions, seat, holding, tell):
        yield _review_document(reviewed, opponent)


def _review_document(reviewed: Reviewed, opponent: str) -> dict[str, Any]:
    public = reviewed.explanation.public
    return {
        "street": public.street,
        "pot": public.pot,
        "taken": action_words(public, reviewed.taken.action),
        "best": action_words(public, reviewed.best.action),
        "grade": str(reviewed.grade),
        "loss": chips_words(reviewed.taken.loss),
        "pot_share": round(reviewed.pot_share, 4),
        "explanation": explanation_document(reviewed.explanation, opponent),
    }
