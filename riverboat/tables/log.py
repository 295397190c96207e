"""What everybody may know about a table, in order: the events that are announced."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """A player took a chair."""

    chair: int
    name: str
    stack: int


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A chair is free again."""

    chair: int


@dataclass(frozen=True, slots=True)
class ChipsBought:
    """A player bought chips."""

    chair: int
    chips: int


@dataclass(frozen=True, slots=True)
class HandBegan:
    """A hand was dealt; the hash of its seed is all that is known of the cards. Lists are by seat."""

    hand_number: int
    chairs: tuple[int, ...]
    stacks: tuple[int, ...]
    names: tuple[str, ...]
    commitment: str


@dataclass(frozen=True, slots=True)
class SeatMoved:
    """A seat folded, called or raised."""

    seat: int
    action: int
    timed_out: bool


@dataclass(frozen=True, slots=True)
class BoardOpened:
    """Board cards."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HoldingShown:
    """A seat's cards at showdown."""

    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandFinished:
    """A hand is over, and its seed is known."""

    payoffs: tuple[int, ...]
    seed: str


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table has ended."""


Entry = (
    PlayerJoined
    | PlayerLeft
    | ChipsBought
    | HandBegan
    | SeatMoved
    | BoardOpened
    | HoldingShown
    | HandFinished
    | TableClosed
)

KEPT_HANDS = 2_000  # of each table; older ones are only in the journal


class Log:
    """Entries by number, without gaps; the oldest are dropped when there are many hands."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._hands: list[int] = []  # where each hand begins that is kept
        self.first = 0  # the number of the oldest entry that is kept
        self.first_hand = 1

    @property
    def end(self) -> int:
        """The number that the next entry will have."""
        return self.first + len(self._entries)

    def since(self, number: int) -> list[Entry]:
        """All entries from `number` on, as far as they are kept."""
        return self._entries[max(0, number - self.first) :]

    def between(self, number: int, end: int) -> list[Entry]:
        """Entries from `number` up to `end`, as far as they are kept."""
        return self._entries[max(0, number - self.first) : max(0, end - self.first)]

    def hand(self, number: int) -> int:
        """Where a hand begins; after the last one, the end."""
        place = number - self.first_hand
        return self._hands[place] if place < len(self._hands) else self.end

    def append(self, entry: Entry) -> None:
        """Add an entry."""
        if isinstance(entry, HandBegan):
            self._hands.append(self.end)
            if len(self._hands) > 2 * KEPT_HANDS:
                self._drop()
        self._entries.append(entry)

    def _drop(self) -> None:
        keep = self._hands[KEPT_HANDS]
        del self._entries[: keep - self.first]
        del self._hands[:KEPT_HANDS]
        self.first, self.first_hand = keep, self.first_hand + KEPT_HANDS
