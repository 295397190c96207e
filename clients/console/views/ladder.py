"""A ladder as a matrix: for people and for programs."""

from math import isfinite
from typing import Any

from rich.table import Column, Table

from riverboat.arena.ladder import Ladder, pairing_document
from riverboat.arena.result import PlayerScore
from riverboat.clients.console.views.output import note, print_table
from riverboat.clients.console.views.text import plain
from riverboat.marks import warning_of


def score_text(score: PlayerScore | None) -> str:
    """Return "+549 ± 848"; a dot where there is no score."""
    if score is None:
        return "·"
    margin = f"{score.margin:,.0f}" if isfinite(score.margin) else "?"
    return f"{score.mbb:+,.0f} ± {margin}"


def print_ladder(ladder: Ladder) -> None:
    """Print the matrix, row against column, the best agent first, and what limits its meaning."""
    agents = ladder.ranking
    columns = [Column(plain(name), justify="right") for name in agents]
    table = Table("mbb/hand", *columns, Column("mean", justify="right"), box=None, padding=(0, 2, 0, 0))
    for row in agents:
        mean = ladder.mean(row)
        cells = ["" if row == column else score_text(ladder.score(row, column)) for column in agents]
        table.add_row(plain(row), *cells, "·" if mean is None else f"{mean:+,.0f}")
    print_table(table)
    for pair, result in ladder.results.items():
        for agent, counts in zip(pair, result.decisions, strict=True):
            if warning := warning_of(plain(agent), counts):
                note(f"{' against '.join(map(plain, pair))}: {warning}")


def saved_lines(ladder: Ladder) -> list[str]:
    """Return a line for each pairing: deals, and the standard deviation that its scoring saves."""
    lines = []
    for (row, column), result in ladder.results.items():
        saved = result.deviation_saved
        words = "unknown" if saved is None else f"{100 * saved:.0f} %"
        text = f"{plain(row)} against {plain(column)}: {result.deal_count:,} deals"
        lines.append(f"{text}, standard deviation saved: {words}")
    return lines


def ladder_document(ladder: Ladder) -> list[dict[str, Any]]:
    """Return every pairing for programs, from the side of its row."""
    return [
        {"row": row, "column": column, **pairing_document(result)} for (row, column), result in ladder.results.items()
    ]
