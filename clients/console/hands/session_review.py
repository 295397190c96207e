"""A review of many hands: every decision with what it cost, hand by hand as they are solved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from riverboat.clients.analysis.hand_study import Tell
from riverboat.clients.analysis.review import Grade, Reviewed, review, turns_of
from riverboat.clients.analysis.tracker import TakenAction
from riverboat.clients.console.hands.decisions import names_in
from riverboat.clients.console.hands.files import decisions_in, holding_in, seat_named
from riverboat.clients.console.views.explanation import Names
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.errors import RiverboatError
from riverboat.history.hand import History
from riverboat.history.phh import UnreadHand

_PLAYERS = 2


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SeatToReview:
    """One player of one hand, whose cards are known and who made a decision."""

    number: int  # of the hand in its file, from 1
    seat: int
    holding: tuple[int, ...]
    decisions: Sequence[TakenAction]  # all of the hand
    names: Names

    @property
    def turn_count(self) -> int:
        """How many decisions the player made."""
        return len(turns_of(self.decisions, self.seat))


@dataclass(frozen=True, slots=True, eq=False)
class CostlyDecision:
    """A decision, and where it was made."""

    at: SeatToReview
    number: int  # of the player's decisions in the hand, from 1
    reviewed: Reviewed

    @property
    def blinds_lost(self) -> float:
        """Big blinds lost; 0 for a decision that was fine."""
        one = self.reviewed
        return 0.0 if one.grade is Grade.FINE else one.taken.loss / one.explanation.public.variant.big_blind


@dataclass(slots=True)
class ReviewPlan:
    """What a review of many hands will look at, and what it leaves out."""

    seats: list[SeatToReview] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)  # how many hands, by reason

    def leave_out(self, reason: str) -> None:
        """Count a hand that cannot be reviewed."""
        self.left_out[reason] = self.left_out.get(reason, 0) + 1


def plan_review(path: Path, hands: Sequence[tuple[int, History | UnreadHand]], player: str | None) -> ReviewPlan:
    """Return the seats to review: the player's, or of everybody whose cards are known."""
    plan = ReviewPlan()
    for number, history in hands:
        if isinstance(history, UnreadHand):
            plan.leave_out("cannot be read")
        elif len(history.stacks) != _PLAYERS:
            plan.leave_out("have more than two players")
        else:
            _plan_hand(plan, path, number, history, player)
    return plan


def _plan_hand(plan: ReviewPlan, path: Path, number: int, history: History, player: str | None) -> None:
    try:
        decisions = decisions_in(path, history)
        seats = list(range(_PLAYERS)) if player is None else [seat_named(history, player)]
    except (Refused, RiverboatError):
        plan.leave_out("are not of this player" if player else "break the rules")
        return
    acted = [seat for seat in seats if turns_of(decisions, seat)]
    known = [(seat, holding) for seat in acted if (holding := holding_in(history, seat)) is not None]
    if not known:
        plan.leave_out("have a player whose cards are unknown" if acted else "have no decision")
    for seat, holding in known:
        plan.seats.append(
            SeatToReview(number=number, seat=seat, holding=holding, decisions=decisions, names=names_in(history))
        )


def review_seat(link: ResolverClient, at: SeatToReview, tell: Tell) -> Iterator[CostlyDecision]:
    """Yield the player's decisions in a hand, each as soon as it is graded."""
    for number, reviewed in enumerate(review(link, at.decisions, at.seat, at.holding, tell), start=1):
        yield CostlyDecision(at, number, reviewed)


def by_cost(decisions: Sequence[CostlyDecision]) -> list[CostlyDecision]:
    """Return the decisions that cost something, the most costly first."""
    return sorted((one for one in decisions if one.blinds_lost > 0), key=lambda one: -one.blinds_lost)
