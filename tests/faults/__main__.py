"""Take every service away in turn during a match; print what a player sees and what remains of the match."""

import argparse
import shlex
import tempfile
from pathlib import Path

from tests.faults.boat import Boat
from tests.faults.containers import Composed
from tests.faults.match import Hands, check_match, count_of, disturbed, hands_of
from tests.signals import restore_signals


def main() -> None:
    """Run and print; fail if a hand or a chip is missing."""
    parser = argparse.ArgumentParser("python -m tests.faults", description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=30, help="seconds for which each service is away (default: 30)"
    )
    parser.add_argument(
        "--compose",
        metavar="COMMAND",
        help="use containers: docker compose or a replacement. They are stopped and started again, and removed at "
        "the end; their volumes stay",
    )
    options = parser.parse_args()
    restore_signals()
    with tempfile.TemporaryDirectory() as name:
        boat = Composed(shlex.split(options.compose)) if options.compose else Boat(Path(name))
        ended = disturbed(boat, Path(name), options.seconds, lambda text: print(text, flush=True))
        print(f"{count_of(ended.hands)} hands; the clock acted {ended.late} times. What the player saw:\n{ended.shown}")
        check_match(ended)
        print("no hand was lost or duplicated, and no chip appeared or vanished", flush=True)
        if isinstance(boat, Composed):
            _check_that_all_is_kept(boat, ended.hands)


def _check_that_all_is_kept(boat: Composed, hands: Hands) -> None:
    boat.start()
    kept = count_of(hands_of(boat.addresses["gamemanager"], list(hands)))
    boat.end()
    print(f"after down and up again the match has {kept} hands")
    assert kept == count_of(hands)


if __name__ == "__main__":
    main()
