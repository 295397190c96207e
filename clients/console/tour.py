"""A short tour of what the oracle answers: make tour."""

import shlex
import sys

from typer.exceptions import TyperException

from clients.console.app import app
from clients.console.connection import oracle
from clients.console.failures import EXIT_REFUSED, Refused
from clients.console.output import err, out

_STOPS = (
    ("How good is ace-king suited against a strong range on this flop?",
     "equity AhKh --vs QQ+,AKs --board Td9d2c"),
    ("What do these seven cards make?", "classify KhKdKs4c4d2c7h"),
    ("Who wins?", "showdown Td9d2c5h3s AhAs Ts9s QdJd"),
    ("Deal a hand for six.", "deal --players 6 --board 3 --seed 7"),
    ("What is every pair of holdings worth on a board?", "utility --board Td9d2c --holding AhKh"),
    ("The chance to win with each starting hand, exactly.", "cheatsheet --opponents 1"),
)  # fmt: skip


def main() -> int:
    """Ask one oracle a few questions, showing each command before its answer."""
    try:
        with oracle(None, {}) as client:
            for number, (question, command) in enumerate(_STOPS):
                if number and sys.stdin.isatty() and sys.stdout.isatty():
                    out.input("\n[dim]Enter for the next question[/dim] ")
                out.print(f"\n{question}", style="bold")
                out.print(f"$ riverboat {command}\n", style="dim", markup=False)
                app([*shlex.split(command), "--server", client.address], standalone_mode=False)
    except (KeyboardInterrupt, EOFError):
        return 0
    except (Refused, TyperException) as error:
        err.print(f"riverboat: {error}", markup=False)
        return EXIT_REFUSED
    out.print("\nTry your own: . .venv/bin/activate, then riverboat --help\n", style="bold")
    return 0


if __name__ == "__main__":
    sys.exit(main())
