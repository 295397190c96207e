"""A review of many hands, shown: a line for each hand as it is solved, then the decisions by what they cost."""

from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from rich.table import Column, Table
from rich.text import Text

from riverboat.cards import format_cards
from riverboat.clients.analysis.actions import action_words
from riverboat.clients.console.hands.session_review import CostlyDecision, ReviewPlan, SeatToReview, by_cost
from riverboat.clients.console.views.explanation import street_of
from riverboat.clients.console.views.output import note, out, print_table
from riverboat.clients.console.views.review import GRADE_STYLES, GRADE_WORDS, review_sum, roughly
from riverboat.clients.console.views.text import cards_words, plain

_MOST = 20  # decisions in the table


def plan_words(plan: ReviewPlan) -> list[str]:
    """Return what will be reviewed, and what is left out and why."""
    hands, decisions = len({at.number for at in plan.seats}), sum(at.turn_count for at in plan.seats)
    lines = [f"{hands} hand{'s' * (hands != 1)}, {decisions} decision{'s' * (decisions != 1)} to review"]
    return [*lines, *([f"left out: {left_out_words(plan)}"] if plan.left_out else [])]


def left_out_words(plan: ReviewPlan) -> str:
    """Return how many hands are left out, by reason; "" for none."""
    return ", ".join(f"{count:,} hand{'s' * (count != 1)} {reason}" for reason, count in plan.left_out.items())


def print_hand_review(at: SeatToReview, done: Sequence[CostlyDecision]) -> None:
    """Print what one hand cost."""
    who = f"{plain(at.names.players[at.seat])} with {cards_words(format_cards(at.holding))}"
    out.print(f"hand {at.number}: {who}: {review_sum([one.reviewed for one in done], at.names.amount)}", markup=False)
    out.file.flush()  # also in a pipe each hand comes at once


def print_by_cost(decisions: Sequence[CostlyDecision], path: Path) -> None:
    """Print the decisions that cost something, the most costly first, and how to look at one."""
    costly = by_cost(decisions)
    out.print()
    if not costly:
        out.print(f"all {len(decisions)} decisions are fine")
        return
    right = [Column(name, justify="right") for name in ("lost", "of the pot", "blinds")]
    columns: list[Column | str] = [Column("hand", justify="right"), "street", "played", "best", *right, "grade"]
    table = Table(*columns, box=None, padding=(0, 2, 0, 0))
    for one in costly[:_MOST]:
        table.add_row(*_cells(one))
    print_table(table)
    lost = sum(one.blinds_lost for one in costly)
    more = f"; {len(costly) - _MOST} more are not shown" if len(costly) > _MOST else ""
    out.print(f"{len(costly)} of {len(decisions)} decisions cost {lost:.1f} big blinds in all{more}", markup=False)
    first = costly[0]
    note(f"the first of them in detail: {explain_command(first, path)}")


def _cells(one: CostlyDecision) -> list[str | Text]:
    public, amount = one.reviewed.explanation.public, one.at.names.amount
    rough = roughly(one.reviewed.explanation)
    return [
        str(one.at.number),
        street_of(one.reviewed.explanation),
        Text(action_words(public, one.reviewed.taken.action, amount)),
        Text(action_words(public, one.reviewed.best.action, amount)),
        rough + amount(one.reviewed.taken.loss),
        f"{100 * one.reviewed.pot_share:.0f} %",
        f"{one.blinds_lost:.1f}",
        Text(GRADE_WORDS[one.reviewed.grade], style=GRADE_STYLES[one.reviewed.grade]),
    ]


def explain_command(one: CostlyDecision, path: Path) -> str:
    """Return the command that explains a decision."""
    player = quote(one.at.names.players[one.at.seat])
    where = f"--hand {one.at.number} --player {player} --decision {one.number}"
    return f"riverboat explain {quote(str(path))} {where}"
