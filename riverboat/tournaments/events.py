"""The events of a tournament as the journal has them. They contain secrets and never leave the service.

Events have the results of draws and moves, not only their seeds, so that a later version of the rules reads the same
tournament from an old journal.
"""

from dataclasses import asdict, dataclass, fields
from typing import Any, get_args

from riverboat.tables.events import check_types, with_tuples
from riverboat.tournaments.structures import BlindLevel, TournamentStructure


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentCreated:
    """A tournament was announced, and its agents entered."""

    name: str
    structure: TournamentStructure
    agents: tuple[str, ...]  # one for each entry
    clock_ms: int
    pause_ms: int
    dealer_hash: str  # of the dealer's token
    secret: str  # hexadecimal; makes tokens, draws and the tables' own secrets
    creator: str = ""  # hash of the client that owns the tournament


@dataclass(frozen=True, slots=True)
class EntrantRegistered:
    """A person entered."""

    name: str
    token_hash: str
    request_id: str
    contributes: bool = False


@dataclass(frozen=True, slots=True)
class EntrantWithdrew:
    """A person withdrew before the draw; the numbers of later entrants go down by one."""

    entrant: int


@dataclass(frozen=True, slots=True)
class TokenIssued:
    """An agent was given to a host: the previous token expires."""

    entrant: int
    token_hash: str


@dataclass(frozen=True, slots=True)
class SeatsDrawn:
    """Seats were drawn and play began."""

    entrants: tuple[int, ...]  # in drawn order; see `seat_in_order`


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCounted:
    """A hand ended at a table: chips, ranks, seats and the level after it. Everything else follows from these."""

    table: int
    hand_number: int
    entrants: tuple[int, ...]  # those who were dealt in
    stacks: tuple[int, ...]  # their chips after the hand
    out: tuple[int, ...]  # entrants who went out, the best rank first
    moved: tuple[int, ...]  # entrants who change tables, from this table or another
    to_tables: tuple[int, ...]
    to_chairs: tuple[int, ...]
    level: int  # from 0
    elapsed_ms: int  # of play since the draw, without the time while the service was down


@dataclass(frozen=True, slots=True)
class TournamentCancelled:
    """The tournament ends without a result."""

    reason: str


TournamentChange = (
    TournamentCreated
    | EntrantRegistered
    | EntrantWithdrew
    | TokenIssued
    | SeatsDrawn
    | HandCounted
    | TournamentCancelled
)
_ALL: tuple[type[Any], ...] = get_args(TournamentChange)
_KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in _ALL}


def is_of_tournament(document: dict[str, Any]) -> bool:
    """Return whether a JSON object is an event of a tournament, not of a table."""
    return document["kind"] in _KINDS


def encode_change(event: TournamentChange) -> dict[str, Any]:
    """Return an event as a JSON object."""
    document = {field.name: getattr(event, field.name) for field in fields(event)}
    if isinstance(event, TournamentCreated):
        document["structure"] = asdict(event.structure)
    return {"kind": type(event).__name__, **document}


def decode_change(document: dict[str, Any]) -> TournamentChange:
    """Return the event in a JSON object, as `encode_change` wrote it."""
    values = dict(document)
    kind = _KINDS[values.pop("kind")]
    if kind is TournamentCreated:
        plain = dict(values["structure"])
        plain["levels"] = tuple(BlindLevel(**level) for level in plain["levels"])
        values["structure"] = TournamentStructure(**with_tuples(plain))
    event: TournamentChange = kind(**with_tuples(values))
    check_types(event)
    return event
