"""Checks of deals: the hands of files and tables, compared with what a witness saw before each hand."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from riverboat.clients.analysis.wording import joined
from riverboat.clients.console.hands.deals import (
    DealtHand,
    dealt_in_history,
    dealt_in_json,
    false_listing,
    problems,
    unlisted,
    unproved,
    with_seeds,
)
from riverboat.clients.console.hands.witnesses import WitnessFile
from riverboat.clients.remote.refusals import Refused
from riverboat.dealing.memory import DealMemory
from riverboat.errors import RiverboatError
from riverboat.history.phh import read_phh

_ENDINGS = (".phh", ".phhs", ".json")


class Verification:
    """Hands checked against witnesses, and the problems so far."""

    def __init__(self, witness_folder: Path, tell: Callable[[str], None]) -> None:
        self._folder, self._tell = witness_folder, tell
        self._memories: dict[str, dict[int, DealMemory]] = {}  # by table
        self.hand_count = self.witnessed_count = 0
        self.unproved: Counter[str] = Counter()
        self.problems: list[dict[str, Any]] = []

    def hands(self, where: str, hands: Iterable[DealtHand]) -> None:
        """Check some hands, and report each problem."""
        for hand in with_seeds(hands):
            memory = self._memory(hand)
            self.hand_count += 1
            self.witnessed_count += memory is not None
            wrong = list(problems(hand, memory))
            self.unproved.update([] if wrong else unproved(hand, memory))
            for problem in wrong:
                self._add(where, hand.line, hand.label, problem)

    def table(self, where: str, table_id: str, hands: Sequence[DealtHand]) -> None:
        """Check the hands that a server lists for a table; the table's id comes from the user, not from the server."""
        memories = self._memories_of(table_id)
        wrong = list(false_listing(table_id, hands, memories))
        for label, problem in wrong:
            self._add(where, 0, label, problem)
        wrong_labels = {label for label, _ in wrong}
        missing = [number for number in unlisted(hands, memories) if str(number) not in wrong_labels]
        if missing:
            self.unproved["you were dealt in, but the server does not list the hand (any more)"] += len(missing)
        self.hands(where, [replace(hand, table_id=table_id) for hand in hands])

    def _add(self, where: str, line: int, label: str, problem: str) -> None:
        self.problems.append({"file": where, "line": line or None, "hand": label, "problem": problem})
        place = f"line {line}: " if line else ""
        self._tell(f"{where}: {place}hand {label}: {problem}")

    def _memory(self, hand: DealtHand) -> DealMemory | None:
        return self._memories_of(hand.table_id).get(hand.hand_number) if hand.table_id else None

    def _memories_of(self, table_id: str) -> dict[int, DealMemory]:
        if table_id not in self._memories:
            self._memories[table_id] = WitnessFile(self._folder, table_id).read()
        return self._memories[table_id]


def hands_to_verify(path: Path) -> Iterator[DealtHand]:
    """Yield the hands of a file; refuse by file and line whatever cannot be read."""
    if path.suffix.lower() not in _ENDINGS:
        raise Refused(f"{path}: must end in {joined(_ENDINGS, ' or ')}")
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == ".json":
            yield from dealt_in_json(text)
        else:
            yield from (dealt_in_history(history, place) for place, history in enumerate(read_phh(text), start=1))
    except OSError as error:
        raise Refused(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise Refused(f"{path}: not UTF-8 text") from None
    except RiverboatError as error:
        raise Refused(f"{path}: {error}") from None
