"""Values that only the client and the server of the tables' contract use; the tables' own are in `riverboat.tables`."""

from dataclasses import dataclass

from riverboat.errors import RiverboatError
from riverboat.tables.view import TableInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedTable:
    """A new table, and the token that lets its creator close it and, if only agents play, see all cards."""

    info: TableInfo
    dealer_token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTables:
    """The tables of a game manager, and the ids of those whose journal is damaged."""

    tables: tuple[TableInfo, ...]
    damaged_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedChair:
    """A chair that a player has taken, and the token for it."""

    chair: int
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An action to take at one place of a hand. The request id makes it safe to send it again."""

    request_id: str
    hand_number: int
    action_number: int
    action: int  # FOLD, CALL or the chips to raise to; a MarkedAction has a mark
    table_id: str = ""  # where the decision was asked for; "" is not checked

    @property
    def place(self) -> tuple[int, int]:
        """The hand's number, and how many actions it has had."""
        return self.hand_number, self.action_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A view or a record that cannot be true: the server has another version, or it lies."""

    hand_number: int
    reason: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Refusal:
    """A decision that the table refused, on a stream that goes on."""

    request_id: str
    error: RiverboatError
