"""A review, shown: as a table, as lines at the poker table, and as a list for programs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.table import Column, Table
from rich.text import Text

from riverboat.cards import format_cards
from riverboat.clients.analysis.actions import Amount, action_words
from riverboat.clients.analysis.caveats import estimate_words, graded_against
from riverboat.clients.analysis.explanation import Explanation
from riverboat.clients.analysis.review import Grade, Reviewed
from riverboat.clients.analysis.wording import share_words
from riverboat.clients.console.views.explanation import Names, as_dict, print_restrictions, street_of
from riverboat.clients.console.views.output import out
from riverboat.clients.console.views.text import cards_words, plain

_GRADE_STYLES = {Grade.FINE: "green", Grade.SMALL: "yellow", Grade.MISTAKE: "dark_orange", Grade.BLUNDER: "bold red"}
_GRADE_WORDS = {Grade.FINE: "fine", Grade.SMALL: "small mistake", Grade.MISTAKE: "mistake", Grade.BLUNDER: "blunder"}


def _roughly(explanation: Explanation) -> str:
    """Return the sign before numbers that are estimates."""
    return "~" if explanation.is_estimate else ""


def review_lines(reviewed: Iterable[Reviewed], amount: Amount) -> Iterator[str]:
    """Yield a line for each decision: "flop: call 300, small mistake: 12 chips (2 % of the pot) worse than fold"."""
    for one in reviewed:
        public = one.explanation.public
        done = f"{street_of(one.explanation)}: {action_words(public, one.taken.action, amount)}"
        line = f"{done}, {_GRADE_WORDS[one.grade]}"
        if one.grade is not Grade.FINE:
            loss = (
                f"{_roughly(one.explanation)}{amount(one.taken.loss)} chips ({share_words(one.pot_share)} of the pot)"
            )
            line += f": {loss} worse than {action_words(public, one.best.action, amount)}"
        yield line


def review_sum(reviewed: Sequence[Reviewed], amount: Amount) -> str:
    """Return the total EV loss of all decisions; good ones count as 0."""
    lost = sum(one.taken.loss for one in reviewed if one.grade is not Grade.FINE)
    blind = reviewed[0].explanation.public.variant.big_blind
    count = len(reviewed)
    decisions = f"{count} decision{'s' * (count != 1)}"
    return (
        f"{decisions}, {amount(lost)} chips lost ({lost / blind:.2f} big blinds)" if lost else f"{decisions}, all fine"
    )


def review_notes(reviewed: Sequence[Reviewed], opponent: str) -> list[str]:
    """Return the range that the last decision was graded against, and why some values are rough."""
    rough = [
        f"~ {street_of(one.explanation)}: {estimate_words(one.explanation)}"
        for one in reviewed
        if one.explanation.is_estimate
    ]
    return [graded_against(reviewed[-1].explanation, opponent), *dict.fromkeys(rough)]


def print_review(reviewed: Sequence[Reviewed], names: Names, title: str) -> None:
    """Print a review for people."""
    seat, holding = reviewed[0].explanation.seat, reviewed[0].explanation.holding
    out.print(Text(f"{title}{plain(names.players[seat])} with {cards_words(format_cards(holding))}", style="bold"))
    print_restrictions(reviewed[0].explanation, names)
    right = [Column(name, justify="right") for name in ("EV loss", "of the pot", "big blinds")]
    table = Table("", "street", "pot", "decision", "best", *right, "", box=None, padding=(0, 2, 0, 0))
    for number, one in enumerate(reviewed, start=1):
        public = one.explanation.public
        table.add_row(
            str(number),
            street_of(one.explanation),
            names.amount(public.pot),
            action_words(public, one.taken.action, names.amount),
            action_words(public, one.best.action, names.amount),
            _roughly(one.explanation) + names.amount(one.taken.loss),
            f"{100 * one.pot_share:.1f} %",
            f"{one.taken.loss / public.variant.big_blind:.2f}",
            Text(_GRADE_WORDS[one.grade], style=_GRADE_STYLES[one.grade]),
        )
    out.print(table)
    out.print(review_sum(reviewed, names.amount), markup=False)
    for text in review_notes(reviewed, plain(names.players[1 - seat])):
        out.print(text, style="dim", markup=False)


def review_dict(reviewed: Sequence[Reviewed], names: Names) -> list[dict[str, Any]]:
    """Return a review for programs: explanations, each with its loss and grade."""
    return [
        {
            **as_dict(one.explanation, names),
            "loss": one.taken.loss,
            "pot_share": one.pot_share,
            "big_blinds": one.taken.loss / one.explanation.public.variant.big_blind,
            "mark": str(one.grade),
        }
        for one in reviewed
    ]
