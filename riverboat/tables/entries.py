"""Entries: the public events of a table.

Their field `dealt` is secret: the deck that openings are made from. It stays in the service; a client has only the
openings that it was told.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from riverboat.dealing.predeck import Opening
from riverboat.marks import Mark
from riverboat.tables.deals import DealtDeck


@dataclass(frozen=True, slots=True)
class ToldOpenings:
    """The openings of some cards, as a server told them."""

    told: tuple[Opening, ...]

    def openings(self, position: int, count: int) -> tuple[Opening, ...]:  # as a DealtDeck has it
        """Return the openings that were told; they are for the cards of the entry that has them."""
        return self.told

    def holding_openings(self, seat: int) -> tuple[Opening, ...]:
        """Return the openings that were told; they are for the holding of the entry that has them."""
        return self.told


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
class DealVoided:
    """An attempt to deal was given up: these chairs did not reveal their secrets, or their players got up."""

    hand_number: int
    attempt: int
    chairs: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandBegan:
    """A hand was dealt. Lists are by seat."""

    hand_number: int
    chairs: tuple[int, ...]
    stacks: tuple[int, ...]
    names: tuple[str, ...]
    commitment: str  # to both pre-decks, or (deal v1) to the seed
    attempt: int = 0  # 0 for a deal v1
    roots: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()  # "" for a seat that contributed nothing
    other_seed: str = ""  # of the pre-deck that was not dealt
    posts: tuple[int, ...] = ()  # of newcomers; none if nobody posts
    dealt: DealtDeck | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SeatMoved:
    """A seat folded, called or raised."""

    seat: int
    action: int
    timed_out: bool


@dataclass(frozen=True, slots=True)
class BoardOpened:
    """Board cards were dealt."""

    cards: tuple[int, ...]
    position: int = 0  # of the first, in the order of dealing; 0 at a client
    dealt: DealtDeck | ToldOpenings | None = field(default=None, compare=False, repr=False)

    @property
    def openings(self) -> tuple[Opening, ...]:
        """The proof of the cards; nothing in a deal v1."""
        return self.dealt.openings(self.position, len(self.cards)) if self.dealt else ()


@dataclass(frozen=True, slots=True)
class HoldingShown:
    """A seat showed its cards."""

    seat: int
    cards: tuple[int, ...]
    dealt: DealtDeck | ToldOpenings | None = field(default=None, compare=False, repr=False)

    @property
    def openings(self) -> tuple[Opening, ...]:
        """The proof of the cards; nothing in a deal v1."""
        return self.dealt.holding_openings(self.seat) if self.dealt else ()


class MarkedMove(NamedTuple):
    """A move of a hand that was not decided as intended."""

    action_number: int  # from 0
    seat: int
    mark: Mark
    reason: str


@dataclass(frozen=True, slots=True)
class HandFinished:
    """A hand is over. Marks are announced only now, because they say something about the players who made them."""

    payoffs: tuple[int, ...]
    seed: str  # of the deck that was dealt; "" where not all cards are revealed
    marks: tuple[MarkedMove, ...] = ()


@dataclass(frozen=True, slots=True)
class BlindsRaised:
    """The hands that follow have these blinds."""

    small_blind: int
    big_blind: int
    ante: int


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table has ended."""


@dataclass(frozen=True, slots=True)
class UnknownEntry:
    """An event of a kind that this version does not know; only clients have it."""


Entry = (
    PlayerJoined
    | PlayerLeft
    | ChipsBought
    | DealVoided
    | HandBegan
    | SeatMoved
    | BoardOpened
    | HoldingShown
    | HandFinished
    | BlindsRaised
    | TableClosed
    | UnknownEntry
)


class NumberedEntry(NamedTuple):
    """An event, and its number in the table's log."""

    number: int
    entry: Entry


def numbered(first: int, entries: Iterable[Entry]) -> tuple[NumberedEntry, ...]:
    """Return events in a row with their numbers, from `first` on."""
    return tuple(NumberedEntry(number, entry) for number, entry in enumerate(entries, start=first))
