"""Run all benchmarks and print one table: make bench."""

import sys

from rich.console import Console
from rich.table import Column, Table

from benchmarks import (
    environments,
    equities,
    features,
    rules,
    self_play,
    service,
    solving,
    strengths,
    tables,
    tournaments,
    training,
)


def main() -> None:
    """Print the table."""
    console = Console(width=None if sys.stdout.isatty() else 150)
    table = Table("work", Column("ours", justify="right"), Column("peer, in the same run", justify="right"),
                  Column("ratio", justify="right"), Column("bar", justify="right"), "")  # fmt: skip
    for group in (
        strengths,
        equities,
        features,
        rules,
        environments,
        tournaments,
        solving,
        self_play,
        tables,
        training,
        service,
    ):
        with Console(stderr=True).status(f"measuring {group.__name__}"):
            for row in group.rows():
                mark = "" if row.met is None else "met" if row.met else "MISSED"
                table.add_row(row.work, row.ours, row.peer, row.ratio, row.bar, mark)
        table.add_section()
    console.print(table)
    console.print(
        "The ratio is how many times faster than the peer we are, both in this run; the bar is our target. Bars "
        "that are rates or times were set on one quiet core: absolute numbers vary with the machine and its load, "
        "ratios vary much less."
    )


if __name__ == "__main__":
    main()
