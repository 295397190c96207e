"""What everybody may know about a table: the events that are announced."""

from dataclasses import dataclass
from typing import NamedTuple

from riverboat.marks import Mark


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


class MarkedMove(NamedTuple):
    """A move of a hand that was not decided as intended."""

    action_number: int  # from 0
    seat: int
    mark: Mark
    reason: str


@dataclass(frozen=True, slots=True)
class HandFinished:
    """A hand is over, and its seed is known. Marks are told only now: they say something about who made them."""

    payoffs: tuple[int, ...]
    seed: str
    marks: tuple[MarkedMove, ...] = ()


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
