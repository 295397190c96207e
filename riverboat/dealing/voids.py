"""Void attempts at a hand, and the rules for them: without rules a server could void attempts until it likes a deal."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from riverboat.dealing.memory import DealMemory
from riverboat.dealing.mix import Lineup


@dataclass(frozen=True, slots=True)
class VoidAttempt:
    """An attempt to deal that the server gave up, and the chairs that it blames."""

    hand_number: int
    attempt: int
    chairs: tuple[int, ...]


@dataclass(slots=True, eq=False)
class Voids:
    """The void attempts at one hand, as they were announced."""

    _hand_number: int = 0
    _blamed: dict[int, frozenset[int]] = field(default_factory=dict)  # by attempt

    def see(self, void: VoidAttempt) -> None:
        """Remember a void attempt."""
        if void.hand_number != self._hand_number:
            self._hand_number, self._blamed = void.hand_number, {}
        self._blamed[void.attempt] = frozenset(void.chairs)

    def unexplained(self, before: DealMemory, attempt: int) -> Iterator[str]:
        """Yield what is wrong with a further attempt at a hand: a chair of the last lineup must be to blame.

        Whether we are to blame is not checked here. After attempts that we did not see, only the last void one can be
        known.
        """
        if attempt <= before.attempt or not before.is_in_lineup or before.lineup is None:
            return
        blamed = self._of(before.hand_number).get(attempt - 1, frozenset())
        if attempt == before.attempt + 1:
            blamed &= _contributing(before.lineup)
        if not blamed:
            yield f"the server gave up attempt {attempt - 1}, though no chair that had to reveal a secret is to blame"

    def returned(self, hand_number: int, lineup: Lineup) -> Iterator[str]:
        """Yield a problem for each chair that contributes again to a hand after voiding an attempt."""
        once = frozenset[int]().union(*self._of(hand_number).values())
        for chair in sorted(once & _contributing(lineup)):
            yield f"chair {chair} contributes again to a hand after voiding an attempt"

    def _of(self, hand_number: int) -> dict[int, frozenset[int]]:
        return self._blamed if hand_number == self._hand_number else {}


def _contributing(lineup: Lineup) -> frozenset[int]:
    return frozenset(chair for chair, listed in zip(lineup.chairs, lineup.commitments, strict=False) if listed)
