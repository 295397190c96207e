"""The public news of a tournament."""

from dataclasses import dataclass
from typing import NamedTuple

from riverboat.tournaments.structures import BlindLevel


@dataclass(frozen=True, slots=True)
class PlayerEntered:
    """An entrant registered."""

    name: str


@dataclass(frozen=True, slots=True)
class PlayerWithdrew:
    """An entrant withdrew before the draw."""

    name: str


@dataclass(frozen=True, slots=True)
class PlayBegan:
    """Seats were drawn."""

    table_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LevelBegan:
    """The forced bets rose."""

    level: int  # from 0
    blinds: BlindLevel


@dataclass(frozen=True, slots=True)
class PlayerEliminated:
    """An entrant lost the last chip."""

    name: str
    rank: int
    prize: int
    table_id: str
    hand_number: int


@dataclass(frozen=True, slots=True)
class PlayerMoved:
    """An entrant was moved to another table."""

    name: str
    from_table_id: str
    to_table_id: str
    to_chair: int


@dataclass(frozen=True, slots=True)
class TableBroken:
    """A table's last players have moved."""

    table_id: str


@dataclass(frozen=True, slots=True)
class PlayerWon:
    """An entrant has won all chips."""

    name: str
    prize: int


@dataclass(frozen=True, slots=True)
class PlayCancelled:
    """The tournament ended without a result."""

    reason: str


@dataclass(frozen=True, slots=True)
class UnknownNews:
    """An event of a kind that this version does not know; only clients have it."""


News = (
    PlayerEntered | PlayerWithdrew | PlayBegan | LevelBegan | PlayerEliminated | PlayerMoved | TableBroken | PlayerWon
    | PlayCancelled | UnknownNews
)  # fmt: skip


class NumberedNews(NamedTuple):
    """An event, and its number in the tournament."""

    number: int
    news: News
