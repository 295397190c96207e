"""A player's decisions in a hand that is over, each with what it lost."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from riverboat.clients.analysis.explanation import Choice, Decision, Explanation, Tell, explain_next, tracker_for
from riverboat.clients.remote.resolver import ResolverClient

# Chips lost as a share of the pot at the decision, from which on it is called so.
_MISTAKE, _BLUNDER = 0.05, 0.15
_ROUGH = 3  # times as much, where values are estimates


class Mark(StrEnum):
    """How good a decision was."""

    FINE = "fine"  # loses at most 1 % of the pot, or what the solution is exact to
    SMALL = "small"  # less than 5 %
    MISTAKE = "mistake"  # less than 15 %
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True, eq=False)
class Reviewed:
    """One decision: what was done, what would have been best, and the difference."""

    explanation: Explanation
    taken: Choice
    best: Choice
    mark: Mark

    @property
    def pot_share(self) -> float:
        """What it lost, as a share of the pot."""
        return self.taken.loss / self.explanation.public.pot


def review(
    link: ResolverClient, decisions: Sequence[Decision], seat: int, holding: tuple[int, ...], tell: Tell | None = None
) -> list[Reviewed]:
    """Every decision of a seat among all decisions of a hand of two players, in order."""
    turns = [place for place, (state, _) in enumerate(decisions) if state.actor == seat]
    found = list[Reviewed]()
    if not turns:
        return found
    tracker = tracker_for(link, decisions[turns[0]][0])
    for number, place in enumerate(turns):
        state, action = decisions[place]
        part = (lambda done, number=number: tell((number + done) / len(turns))) if tell else None
        explained = explain_next(link, tracker, decisions[:place], state, holding, action, part)
        taken = explained.choice(action)
        found.append(Reviewed(explained, taken, explained.best, mark_of(taken.loss, explained)))
    return found


def mark_of(loss: float, explanation: Explanation) -> Mark:
    """What to call a loss of so many chips."""
    times = _ROUGH if explanation.is_estimate else 1
    if loss <= times * explanation.slack:
        return Mark.FINE
    share = loss / explanation.public.pot / times
    if share < _MISTAKE:
        return Mark.SMALL
    return Mark.MISTAKE if share < _BLUNDER or explanation.is_estimate else Mark.BLUNDER
