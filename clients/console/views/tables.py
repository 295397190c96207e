"""Tables of a game manager and the hands played there."""

from collections.abc import Sequence

from rich.table import Column, Table
from rich.text import Text

from riverboat.cards import format_cards
from riverboat.clients.analysis.counts import counted
from riverboat.clients.analysis.wording import joined
from riverboat.clients.console.views.game_words import short_game
from riverboat.clients.console.views.output import note, print_table
from riverboat.clients.console.views.text import cards_words, chips_text, mark_words, plain
from riverboat.marks import DecisionCounts
from riverboat.tables.entries import BoardOpened, HandFinished
from riverboat.tables.records import HandRecord
from riverboat.tables.view import Status, TableInfo

_STATUS = {Status.WAITING: "waiting", Status.PLAYING: "playing", Status.CLOSED: "closed"}


def print_tables(infos: Sequence[TableInfo]) -> None:
    """Print a row for each table."""
    hand_column = Column("hands", justify="right", no_wrap=True)
    shown = Table("table", "status", hand_column, "game", "players", box=None, padding=(0, 2, 0, 0))
    for info in infos:
        players = ", ".join(plain(chair.name) + marks_text(chair.decisions) for chair in info.chairs)
        shown.add_row(
            Text(plain(info.table_id), no_wrap=True),
            _STATUS[info.status],
            f"{info.hand_count:,}",
            Text(short_game(info.config.variant)),
            Text(f"{len(info.chairs)} of {info.config.chair_count}: {players}".rstrip(": ")),
        )
    print_table(shown)


def marks_text(counts: DecisionCounts) -> str:
    """Return " (3 fallback of 40 decisions)"; nothing if all were made as intended."""
    marks = (
        ("partial", counts.partial_count),
        ("fallback", counts.fallback_count),
        ("by clock", counts.timed_out_count),
    )
    words = ", ".join(f"{count:,} {name}" for name, count in marks if count)
    return f" ({words} of {counts.decision_count:,} decisions)" if words else ""


def print_hands(records: Sequence[HandRecord]) -> None:
    """Print a row for each hand: board, result, and marks if there are any."""
    marked = any(marks_of(hand) for hand in records)
    columns = ["board", "result", *["marks"] * marked]
    shown = Table(Column("hand", justify="right"), *columns, box=None, padding=(0, 2, 0, 0))
    for hand in records:
        board = "".join(format_cards(entry.cards) for entry in hand.entries if isinstance(entry, BoardOpened))
        payoffs = [entry.payoffs for entry in hand.entries if isinstance(entry, HandFinished)]
        won = [f"{plain(name)} {chips_text(x, True)}" for name, x in zip(hand.names, payoffs[-1], strict=True) if x]
        shown.add_row(str(hand.hand_number), cards_words(board), Text(joined(won)), *[Text(marks_of(hand))] * marked)
    print_table(shown)
    note(counted(len(records), "hand"))


def marks_of(hand: HandRecord) -> str:
    """Return "rollout: action 3 was a fallback (…)" for each decision that was not made as intended."""
    marks = [mark for entry in hand.entries if isinstance(entry, HandFinished) for mark in entry.marks]
    return "; ".join(
        f"{plain(hand.names[mark.seat])}: action {mark.action_number + 1} was {mark_words(mark.mark)}"
        + (f" ({plain(mark.reason)})" if mark.reason else "")
        for mark in marks
    )
