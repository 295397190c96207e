"""A review: a player's decisions in a finished hand, each with a grade and what it lost."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from riverboat.clients.analysis.explainer import Tell, explain_next, tracker_for
from riverboat.clients.analysis.explanation import Choice, Explanation
from riverboat.clients.analysis.tracker import TakenAction
from riverboat.clients.remote.resolver import ResolverClient

# The smallest loss for each grade, as a share of the pot at the decision.
_MISTAKE, _BLUNDER = 0.05, 0.15
_ROUGH = 3  # times that loss, where values are estimates


class Grade(StrEnum):
    """How good a decision was, by the share of the pot that it lost."""

    FINE = "fine"  # at most 1 %, or the solution's own error
    SMALL = "small"  # less than 5 %
    MISTAKE = "mistake"  # less than 15 %
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True, eq=False)
class Reviewed:
    """One decision: the action taken, the best one, and the grade for the difference."""

    explanation: Explanation
    taken: Choice
    best: Choice
    grade: Grade

    @property
    def pot_share(self) -> float:
        """Chips lost, as a share of the pot."""
        return self.taken.loss / self.explanation.public.pot


def review(
    link: ResolverClient,
    decisions: Sequence[TakenAction],
    seat: int,
    holding: tuple[int, ...],
    tell: Tell | None = None,
) -> list[Reviewed]:
    """Review each decision of a seat among all decisions of a two-player hand, in order."""
    turns = [place for place, (state, _) in enumerate(decisions) if state.actor == seat]
    if not turns:
        return []
    tracker = tracker_for(link, decisions[turns[0]][0])
    reviewed = list[Reviewed]()
    for number, place in enumerate(turns):
        state, action = decisions[place]
        part = (lambda done, number=number: tell((number + done) / len(turns))) if tell else None
        explained = explain_next(
            link, tracker, decisions=decisions[:place], public=state, holding=holding, taken=action, tell=part
        )
        taken = explained.choice(action)
        reviewed.append(Reviewed(explained, taken, explained.best, grade_of(taken.loss, explained)))
    return reviewed


def grade_of(loss: float, explanation: Explanation) -> Grade:
    """Return the grade for a loss in chips."""
    times = _ROUGH if explanation.is_estimate else 1
    if loss <= times * explanation.slack:
        return Grade.FINE
    share = loss / explanation.public.pot / times
    if share < _MISTAKE:
        return Grade.SMALL
    return Grade.MISTAKE if share < _BLUNDER or explanation.is_estimate else Grade.BLUNDER
