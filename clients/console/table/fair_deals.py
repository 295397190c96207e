"""A player's part in fair deals: contributes to the shuffle, keeps a witness, and checks every deal."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from riverboat.clients.bots.fairness import Fairness
from riverboat.clients.console.hands.witnesses import WitnessFile
from riverboat.clients.console.table.chair import Chair, Declined, NoAnswer
from riverboat.clients.console.table.story import Sentence
from riverboat.contracts.tables import Unreadable
from riverboat.dealing.memory import Contribution
from riverboat.dealing.witness import DealFinding, Severity
from riverboat.tables.records import HandRecord
from riverboat.tables.view import TableView

_MOST_SEALED = 3  # hands whose records are fetched at a time


@dataclass(slots=True)
class _Count:
    """The number of deals that were verified, those not proved, and false ones."""

    proved: int = 0
    notes: dict[str, int] = field(default_factory=dict)  # deals that are not proved, by the reason
    problems: int = 0
    hands: set[int] = field(default_factory=set)  # all hands with a finding


class FairDeals:
    """Takes views, sends contributions, and counts verified, unproved and false deals."""

    def __init__(self, chair: Chair, file: WitnessFile | None, tell: Callable[[list[Sentence]], None]) -> None:
        self._chair, self._file, self._tell = chair, file, tell
        self._fairness = Fairness(self._note)
        self._unsent: list[Contribution] = []
        self._count = _Count()
        self.alarm = ""  # a false deal; empty while all is well

    def see(self, view: TableView | Unreadable) -> None:
        """Check a view, write down what must be remembered, then contribute: in this order."""
        contributions = self._fairness.see(view)
        self._keep()
        if contributions:
            self._unsent = contributions
        self.try_again()

    def see_records(self, records: list[HandRecord | Unreadable]) -> None:
        """Check hands whose ends were not in a view."""
        for record in records:
            self._fairness.see_record(record)

    @property
    def missed(self) -> list[int]:
        """Return the numbers of hands whose ends were not seen."""
        witness = self._fairness.witness
        return [*witness.missed, *witness.sealed[:_MOST_SEALED]]

    def reconnect(self) -> None:
        """Send again what may not have arrived: the server is back."""
        self._fairness.witness.reconnect()

    def try_again(self) -> None:
        """Send contributions that have not arrived; one that is refused came too late, and the hand will show it."""
        unsent, self._unsent = self._unsent, []
        for contribution in unsent:
            try:
                self._chair.contribute(contribution)
            except NoAnswer:
                self._unsent.append(contribution)
            except Declined:
                continue

    def summary(self, dealt: Collection[int]) -> list[str]:
        """Return the summary of all deals; empty if no deal was checked. `dealt` are the hands dealt in."""
        count = self._count
        if count.problems:
            return [self.alarm]
        if not count.proved and not count.notes:
            return []
        parts = [f"{count.proved} verified", *(f"{times} not proved: {text}" for text, times in count.notes.items())]
        if unchecked := set(dealt) - count.hands:
            parts.append(f"{len(unchecked)} not checked: you left before the end")
        return [f"deals: {'; '.join(parts)}"]

    def _keep(self) -> None:
        if self._file is None:
            return
        try:
            self._file.keep(self._fairness.witness.memories)
        except OSError as error:
            self._file = None
            text = f"your record of the deals, which riverboat verify reads, cannot be written: {error.strerror}"
            self._tell([Sentence(0, "table", text)])

    def _note(self, finding: DealFinding) -> None:
        self._count.hands.add(finding.hand_number)
        if finding.level == Severity.PROBLEM:
            self._count.problems += 1
            self.alarm = f"THE DEAL OF HAND {finding.hand_number} IS NOT THE ONE ANNOUNCED: {finding.text}"
            self._tell([Sentence(0, "table", self.alarm)])
        elif finding.level == Severity.NOTE:
            self._count.notes[finding.text] = self._count.notes.get(finding.text, 0) + 1
        else:
            self._count.proved += 1
            self._tell([Sentence(0, "deal", "deal verified")])
