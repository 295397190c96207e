"""A review: a player's decisions in a finished hand, each with a grade and the EV that it lost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from riverboat.clients.analysis.explainer import explanations
from riverboat.clients.analysis.explanation import Choice, Explanation
from riverboat.clients.analysis.hand_study import Tell
from riverboat.clients.analysis.tracker import TakenAction
from riverboat.clients.remote.resolver import ResolverClient

# The smallest loss for each grade, as a share of the pot at the decision.
_MISTAKE, _BLUNDER = 0.05, 0.15
_ROUGH = 3  # times these losses, where values are estimates


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
) -> Iterator[Reviewed]:
    """Review each decision of a seat among all of a two-player hand, in order, each as soon as it is known."""
    wanted = turns_of(decisions, seat)
    if not wanted:
        return
    for explained in explanations(link, decisions, seat=seat, holding=holding, wanted=wanted, tell=tell):
        taken = explained.choice(explained.taken or 0)
        yield Reviewed(explained, taken, explained.best, grade_of(taken.loss, explained))


def turns_of(decisions: Sequence[TakenAction], seat: int) -> list[int]:
    """Return the numbers of a seat's decisions."""
    return [number for number, (state, _) in enumerate(decisions) if state.actor == seat]


def grade_of(loss: float, explanation: Explanation) -> Grade:
    """Return the grade for a loss in chips."""
    times = _ROUGH if explanation.is_estimate else 1
    if loss <= times * explanation.slack:
        return Grade.FINE
    share = loss / explanation.public.pot / times
    if share < _MISTAKE:
        return Grade.SMALL
    return Grade.MISTAKE if share < _BLUNDER or explanation.is_estimate else Grade.BLUNDER
