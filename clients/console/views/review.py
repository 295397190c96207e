"""A review, shown: as a table, as lines at the poker table, and as a list for programs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.table import Column, Table
from rich.text import Text

from riverboat.cards import format_cards
from riverboat.clients.analysis.actions import Amount, action_words
from riverboat.clients.analysis.caveats import estimate_words, graded_against
from riverboat.clients.analysis.counts import counted
from riverboat.clients.analysis.explanation import Explanation
from riverboat.clients.analysis.review import Grade, Reviewed
from riverboat.clients.analysis.tracker import TakenAction
from riverboat.clients.analysis.wording import share_words
from riverboat.clients.console.views.explanation import Names, as_dict, print_restrictions, street_of
from riverboat.clients.console.views.output import out
from riverboat.clients.console.views.text import cards_words, plain

GRADE_STYLES = {Grade.FINE: "green", Grade.SMALL: "yellow", Grade.MISTAKE: "dark_orange", Grade.BLUNDER: "bold red"}
_ORDER = ("#", "street", "pot", "decision", "best", "EV loss", "of the pot", "big blinds", "grade")
_NUMBERS = ("pot", "EV loss", "of the pot", "big blinds")
_NARROW = (("#", 2), ("street", 7), ("EV loss", 7), ("of the pot", 10), ("grade", 13))
_WIDE = (*_NARROW, ("pot", 7), ("big blinds", 10))
_WIDE_ENOUGH, _GAP = 100, 2  # columns of a terminal for all of them, and between two
_LEAST_BEST, _LONGEST_ACTION = 12, 24  # columns: longer actions take two lines
GRADE_WORDS = {Grade.FINE: "fine", Grade.SMALL: "small mistake", Grade.MISTAKE: "mistake", Grade.BLUNDER: "blunder"}


def roughly(explanation: Explanation) -> str:
    """Return the sign before numbers that are estimates."""
    return "~" if explanation.is_estimate else ""


def review_lines(reviewed: Iterable[Reviewed], amount: Amount) -> Iterator[str]:
    """Yield a line for each decision: "flop: call 300, small mistake: 12 chips (2 % of the pot) worse than fold"."""
    for one in reviewed:
        public = one.explanation.public
        done = f"{street_of(one.explanation)}: {action_words(public, one.taken.action, amount)}"
        line = f"{done}, {GRADE_WORDS[one.grade]}"
        if one.grade is not Grade.FINE:
            loss = f"{roughly(one.explanation)}{amount(one.taken.loss)} chips ({share_words(one.pot_share)} of the pot)"
            line += f": {loss} worse than {action_words(public, one.best.action, amount)}"
        yield line


def review_sum(reviewed: Sequence[Reviewed], amount: Amount) -> str:
    """Return the total EV loss of all decisions; good ones count as 0."""
    lost = sum(one.taken.loss for one in reviewed if one.grade is not Grade.FINE)
    blind = reviewed[0].explanation.public.variant.big_blind
    count = len(reviewed)
    decisions = counted(count, "decision")
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


class ReviewTable:
    """A table of decisions whose rows are printed as they become known, so its columns have fixed widths."""

    def __init__(self, decisions: Sequence[TakenAction], names: Names) -> None:
        """Take the decisions that will be reviewed, in order."""
        self._names, self._count = names, 0
        longest = max(len(action_words(state, action, names.amount)) for state, action in decisions)
        fixed = _NARROW if out.width < _WIDE_ENOUGH else _WIDE
        rest = out.width - sum(width + _GAP for _, width in fixed) - 2 * _GAP
        decision = max(len("decision"), min(longest, rest - _LEAST_BEST))
        best = max(_LEAST_BEST, min(_LONGEST_ACTION, rest - decision))
        self._widths = {**dict(fixed), "decision": decision, "best": best}
        self._row(
            dict.fromkeys(self._widths) | {name: Text(name, style="bold") for name in self._widths if name != "#"}
        )

    def add(self, one: Reviewed) -> None:
        """Print the next decision."""
        self._count += 1
        public, amount = one.explanation.public, self._names.amount
        self._row(
            {
                "#": Text(str(self._count)),
                "street": Text(street_of(one.explanation)),
                "pot": Text(amount(public.pot)),
                "decision": Text(action_words(public, one.taken.action, amount)),
                "best": Text(action_words(public, one.best.action, amount)),
                "EV loss": Text(roughly(one.explanation) + amount(one.taken.loss)),
                "of the pot": Text(f"{100 * one.pot_share:.1f} %"),
                "big blinds": Text(f"{one.taken.loss / public.variant.big_blind:.2f}"),
                "grade": Text(GRADE_WORDS[one.grade], style=GRADE_STYLES[one.grade]),
            }
        )

    def _row(self, cells: Mapping[str, Text | None]) -> None:
        columns = [
            Column(width=self._widths[name], justify="right" if name in _NUMBERS else "left")
            for name in _ORDER
            if name in self._widths
        ]
        row = Table(*columns, box=None, padding=(0, _GAP, 0, 0), show_header=False)
        row.add_row(*(cells[name] or Text() for name in _ORDER if name in self._widths))
        out.print(row)
        out.file.flush()  # also in a pipe each row comes at once


def print_review_title(
    seat: int, holding: Sequence[int], decisions: Sequence[TakenAction], names: Names, title: str
) -> None:
    """Print whose decisions follow, and the restrictions of the game."""
    out.print(Text(f"{title}{plain(names.players[seat])} with {cards_words(format_cards(holding))}", style="bold"))
    print_restrictions(decisions[0][0].variant, names)


def print_review_sum(reviewed: Sequence[Reviewed], names: Names) -> None:
    """Print the EV that all decisions lost, and the ranges that they were graded against."""
    out.print(review_sum(reviewed, names.amount), markup=False)
    for text in review_notes(reviewed, plain(names.players[1 - reviewed[0].explanation.seat])):
        out.print(text, style="dim", markup=False)
    out.file.flush()


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
