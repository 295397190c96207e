"""A player's winnings, hand by hand."""

from collections.abc import Sequence
from math import sqrt

from riverboat.clients.analysis.counts import counted
from riverboat.clients.console.views.text import chips_text
from riverboat.tables.entries import HandBegan, HandFinished, NumberedEntry

_WITHIN = 1.96  # standard errors of a 95 % interval
_PER = 100  # hands that a rate is for


class Winnings:
    """Chips that one chair has won or lost, from the public events of its hands."""

    def __init__(self, chair: int, big_blind: int) -> None:
        self._chair = chair
        self._big_blind = big_blind
        self.begun: set[int] = set()  # numbers of the hands it was dealt into
        self.results: dict[int, int] = {}
        self.stacks: dict[int, tuple[int, int]] = {}  # before and after each hand

    def note(self, events: Sequence[NumberedEntry]) -> None:
        """Take the events of one hand so far, HandBegan first."""
        begun = events[0].entry if events else None
        if not isinstance(begun, HandBegan) or self._chair not in begun.chairs:
            return
        self.begun.add(begun.hand_number)
        for _, entry in events:
            if isinstance(entry, HandFinished):
                seat = begun.chairs.index(self._chair)
                self.results[begun.hand_number] = entry.payoffs[seat]
                self.stacks[begun.hand_number] = (begun.stacks[seat], begun.stacks[seat] + entry.payoffs[seat])

    @property
    def chips(self) -> int:
        """Chips won or lost so far."""
        return sum(self.results.values())

    @property
    def rate(self) -> float:
        """Big blinds won in a hundred hands; there must be one."""
        return _PER * self.chips / self._big_blind / len(self.results)

    @property
    def rate_error(self) -> float | None:
        """Half the width of the rate's 95 % interval; None until there are two hands."""
        count = len(self.results)
        if count < 2:
            return None
        mean = self.chips / count
        variance = sum((chips - mean) ** 2 for chips in self.results.values()) / (count - 1)
        return _PER * _WITHIN * sqrt(variance / count) / self._big_blind

    def summary(self) -> str:
        """Return one line about all hands."""
        count = len(self.results)
        if not count:
            return "no hand was finished"
        error = "" if self.rate_error is None else f" ± {self.rate_error:,.1f}"
        left = "; the hand you left is not counted" if self.begun - self.results.keys() else ""
        hands = f"{counted(count, 'hand')}, {chips_text(self.chips, sign=True)} chips"
        return f"{hands}, {self.rate:+,.1f}{error} bb/100{left}"
