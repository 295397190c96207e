"""Run all benchmarks and print one table: make bench."""

import sys

from rich.console import Console
from rich.table import Column, Table

from benchmarks import equities, service, strengths


def main() -> int:
    """Print the table; exit code 1 if a bar is missed."""
    console = Console(width=None if sys.stdout.isatty() else 150)
    table = Table("work", Column("ours", justify="right"), Column("peer, in the same run", justify="right"),
                  Column("ratio", justify="right"), Column("bar", justify="right"), "")  # fmt: skip
    missed = 0
    for group in (strengths, equities, service):
        with Console(stderr=True).status(f"measuring {group.__name__}"):
            for row in group.rows():
                mark = "" if row.met is None else "met" if row.met else "MISSED"
                missed += row.met is False
                table.add_row(row.work, row.ours, row.peer, row.ratio, row.bar, mark)
        table.add_section()
    console.print(table)
    console.print("Ratios are how many times faster than the peer; absolute numbers move with the machine's load.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
