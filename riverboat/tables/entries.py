"""What everybody may know about a table: the events that are announced."""

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
