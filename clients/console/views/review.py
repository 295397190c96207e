"""How a review is shown: a table for people, lines at a table, a list for programs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.table import Column, Table
from rich.text import Text

from riverboat.cards import format_cards
from riverboat.clients.analysis.explanation import Explanation
from riverboat.clients.analysis.review import Mark, Reviewed
from riverboat.clients.analysis.scope import estimate_words, graded_against
from riverboat.clients.analysis.wording import Amount, action_words, share_words
from riverboat.clients.console.table.plain_text import cards_words, plain
from riverboat.clients.console.views.explanation import Names, as_dict, print_restrictions, street_of
from riverboat.clients.console.views.output import note, out

_MARK_STYLES = {Mark.FINE: "green", Mark.SMALL: "yellow", Mark.MISTAKE: "dark_orange", Mark.BLUNDER: "bold red"}
_MARK_WORDS = {Mark.FINE: "fine", Mark.SMALL: "small mistake", Mark.MISTAKE: "mistake", Mark.BLUNDER: "blunder"}


def about(explanation: Explanation) -> str:
    """The sign before numbers that are rough."""
    return "~" if explanation.is_estimate else ""


def review_lines(reviewed: Iterable[Reviewed], amount: Amount) -> Iterator[str]:
    """One line for each decision, like "flop: call 300, small mistake: 12 chips (2 % of the pot) less than fold"."""
    for one in reviewed:
        public = one.explanation.public
        done = f"{street_of(one.explanation)}: {action_words(public, one.taken.action, amount)}"
        line = f"{done}, {_MARK_WORDS[one.mark]}"
        if one.mark is not Mark.FINE:
            loss = f"{about(one.explanation)}{amount(one.taken.loss)} chips ({share_words(one.pot_share)} of the pot)"
            line += f": {loss} less than {action_words(public, one.best.action, amount)}"
        yield line


def review_sum(reviewed: Sequence[Reviewed], amount: Amount) -> str:
    """What all decisions lost together; those that are fine count as nothing."""
    lost = sum(one.taken.loss for one in reviewed if one.mark is not Mark.FINE)
    blind = reviewed[0].explanation.public.variant.big_blind
    count = len(reviewed)
    decisions = f"{count} decision{'s' * (count != 1)}"
    return (
        f"{decisions}, {amount(lost)} chips lost ({lost / blind:.2f} big blinds)" if lost else f"{decisions}, all fine"
    )


def review_notes(reviewed: Sequence[Reviewed], opponent: str) -> list[str]:
    """Against whom decisions were graded, the last one said for all, and why values are rough where they are."""
    rough = [
        f"~ {street_of(one.explanation)}: {estimate_words(one.explanation)}"
        for one in reviewed
        if one.explanation.is_estimate
    ]
    return [graded_against(reviewed[-1].explanation, opponent), *dict.fromkeys(rough)]


def print_review(reviewed: Sequence[Reviewed], names: Names, title: str) -> None:
    """For people."""
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
            about(one.explanation) + names.amount(one.taken.loss),
            f"{100 * one.pot_share:.1f} %",
            f"{one.taken.loss / public.variant.big_blind:.2f}",
            Text(_MARK_WORDS[one.mark], style=_MARK_STYLES[one.mark]),
        )
    out.print(table)
    out.print(review_sum(reviewed, names.amount), markup=False)
    note("\n".join(review_notes(reviewed, plain(names.players[1 - seat]))))


def review_dict(reviewed: Sequence[Reviewed], names: Names) -> list[dict[str, Any]]:
    """A review: explanations, with what was lost and what that is called."""
    return [
        {
            **as_dict(one.explanation, names),
            "loss": one.taken.loss,
            "pot_share": one.pot_share,
            "big_blinds": one.taken.loss / one.explanation.public.variant.big_blind,
            "mark": str(one.mark),
        }
        for one in reviewed
    ]
