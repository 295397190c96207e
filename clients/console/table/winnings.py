"""A player's winnings, hand by hand."""

from collections.abc import Sequence

from riverboat.clients.console.views.text import chips_text
from riverboat.tables.entries import HandBegan, HandFinished, NumberedEntry


class Winnings:
    """Chips that one chair has won or lost, from the public events of its hands."""

    def __init__(self, chair: int, big_blind: int) -> None:
        self._chair = chair
        self._big_blind = big_blind
        self.begun: set[int] = set()  # numbers of the hands it was dealt into
        self.results: dict[int, int] = {}

    def note(self, events: Sequence[NumberedEntry]) -> None:
        """Take the events of one hand so far, HandBegan first."""
        begun = events[0].entry if events else None
        if not isinstance(begun, HandBegan) or self._chair not in begun.chairs:
            return
        self.begun.add(begun.hand_number)
        for _, entry in events:
            if isinstance(entry, HandFinished):
                self.results[begun.hand_number] = entry.payoffs[begun.chairs.index(self._chair)]

    @property
    def chips(self) -> int:
        """Chips won or lost so far."""
        return sum(self.results.values())

    def summary(self) -> str:
        """Return one line about all hands."""
        count = len(self.results)
        if not count:
            return "no hand was finished"
        rate = 100 * self.chips / self._big_blind / count
        left = "; the hand you left is not counted" if self.begun - self.results.keys() else ""
        return f"{count} hand{'s' * (count != 1)}, {chips_text(self.chips, sign=True)} chips, {rate:+,.1f} bb/100{left}"
