"""The log of a match in the competition's format, which `riverboat/history/acpc.py` reads."""

from pathlib import Path

from riverboat.clients.acpc.dealer import DealerPlan, DealerScore
from riverboat.history.acpc import score_line


class MatchLog:
    """Writes the lines of a match to a new file, each as soon as its hand is over; without a path it writes nothing."""

    def __init__(self, path: Path | None, plan: DealerPlan, game: str) -> None:
        self._file = None if path is None else path.open("x", encoding="ascii", buffering=1)
        self._plan = plan
        self._write(f"# {'/'.join(plan.names)}: {game}, {plan.hand_count} hands")

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def hand(self, line: str) -> None:
        """Add a finished hand."""
        self._write(line)

    def end(self, score: DealerScore, seed: int, reason: str = "") -> None:
        """Add the seed of the deals, the reason if the match ended early, and the score of all finished hands."""
        self._write(f"# seed {seed}")  # only at the end: the seed determines all cards
        if reason:
            self._write(f"# ended after {score.hand_count} of {self._plan.hand_count} hands: {reason}")
        self._write(score_line(score.won, score.names))

    def _write(self, line: str) -> None:
        if self._file is not None:
            self._file.write(f"{line}\n")
