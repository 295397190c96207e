"""The events of a table as the journal has them. They contain secrets and never leave the service."""

import json
from dataclasses import MISSING, asdict, dataclass, fields
from typing import Any, get_args, get_origin

from riverboat.cards import find_deck
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.variant import Street, Structure, Variant
from riverboat.tables.config import Reveal, TableConfig


@dataclass(frozen=True, slots=True)
class Created:
    """A table was set up."""

    config: TableConfig
    dealer_hash: str  # of the dealer's token
    secret: str  # hexadecimal; makes the chairs' tokens, and the deals of a match without a secret of its own
    creator: str = ""  # hash of the client that owns the table, so that one client cannot take all; "" if unknown
    deal_secret: str = ""  # hexadecimal; makes the deals of a duplicate match, the same at all its sides


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A player took a chair."""

    chair: int
    name: str
    token_hash: str
    request_id: str
    is_agent: bool
    contributes: bool = False  # the first hand waits for its contribution to the shuffle
    host: str = ""  # the process that plays it, for agents
    chips: int = 0  # to sit down with; 0 for the buy-in


@dataclass(frozen=True, slots=True)
class Leaving:
    """A player will get up after this hand, and may have given the hand up."""

    chair: int
    gives_up: bool = False


@dataclass(frozen=True, slots=True)
class Left:
    """A chair is free again."""

    chair: int


@dataclass(frozen=True, slots=True)
class Handed:
    """An agent's chair went to another host: the previous token expires."""

    chair: int
    token_hash: str
    host: str = ""  # the process that plays it now


@dataclass(frozen=True, slots=True)
class Rebought:
    """A player bought chips."""

    chair: int
    chips: int


@dataclass(frozen=True, slots=True)
class BlindsSet:
    """A tournament set the blinds of the hands that follow."""

    small_blind: int
    big_blind: int
    ante: int


@dataclass(frozen=True, slots=True)
class Cleared:
    """A tournament has counted a hand and seated everybody: the next hand may start."""

    hand_number: int


@dataclass(frozen=True, slots=True)
class Offered:
    """The next deal was prepared: two pre-decks, to which everybody may contribute now."""

    hand_number: int
    attempt: int  # from 1
    secret: str  # hexadecimal; both pre-decks are made from it
    roots: tuple[str, ...]  # of the pre-decks


@dataclass(frozen=True, slots=True)
class LinedUp:
    """The lineup is fixed: the chairs that are dealt in, and their commitments. Secrets may now be revealed."""

    chairs: tuple[int, ...]  # by seat
    commitments: tuple[str, ...]  # by seat; "" for a seat that contributes nothing


@dataclass(frozen=True, slots=True)
class Voided:
    """An attempt to deal was given up: these chairs did not reveal their secrets, or their players got up before."""

    hand_number: int
    attempt: int
    chairs: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandStarted:
    """A hand was dealt: by the pre-decks of the last offer and secrets of the seats, or (deal v1) by a seed."""

    hand_number: int
    chairs: tuple[int, ...]  # by seat; the last one is the button
    stacks: tuple[int, ...]  # by seat
    seed: str  # hexadecimal; secret until the hand is over. "" unless it is a deal v1
    secrets: tuple[str, ...] = ()  # by seat; "" for a seat that contributed nothing
    posts: tuple[int, ...] = ()  # by seat, of newcomers; none if nobody posts


@dataclass(frozen=True, slots=True)
class Moved:
    """The seat to act has acted."""

    action: int
    request_id: str
    timed_out: bool
    mark: int = 0  # how it was decided: a Mark
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Closing:
    """The table will end after this hand."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The table has ended."""


JournalEvent = (
    Created | Joined | Leaving | Left | Handed | Rebought | BlindsSet | Cleared | Offered | LinedUp | Voided
    | HandStarted | Moved | Closing | Closed
)  # fmt: skip
_ALL: tuple[type[Any], ...] = get_args(JournalEvent)
_KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in _ALL}
_PLAIN: tuple[Any, ...] = (int, str, bool, tuple)


def encode(event: JournalEvent) -> dict[str, Any]:
    """Return an event as a JSON object."""
    document = {field.name: getattr(event, field.name) for field in fields(event)}
    for field in fields(event):  # defaults are not written: most moves have no mark
        if field.default is not MISSING and document[field.name] == field.default:
            del document[field.name]
    if isinstance(event, Created):
        config = event.config
        document["config"] = {field.name: getattr(config, field.name) for field in fields(config)}
        document["config"]["variant"] = _encode_variant(config.variant)
    return {"kind": type(event).__name__, **document}


def decode(document: dict[str, Any]) -> JournalEvent:
    """Return the event in a JSON object, as `encode` wrote it."""
    values = dict(document)
    kind = _KINDS[values.pop("kind")]
    if kind is Created:
        config = dict(values["config"])
        config["variant"] = _decode_variant(config["variant"])
        config["reveal"] = Reveal(config.get("reveal", Reveal.UNSPECIFIED))
        values["config"] = TableConfig(**with_tuples(config))
    event: JournalEvent = kind(**with_tuples(values))
    check_types(event)
    if isinstance(event, Created):
        check_types(event.config)
    return event


def dumps(document: Any) -> str:
    """Return JSON on one line."""
    return json.dumps(document, separators=(",", ":"))


def check_types(value: Any) -> None:
    """Raise unless plain fields have the types that they are declared with: a journal may be damaged."""
    for field in fields(value):
        declared: Any = get_origin(field.type) or field.type
        if declared in _PLAIN and type(getattr(value, field.name)) is not declared:
            raise TypeError(f"{type(value).__name__}.{field.name} is not of type {declared.__name__}")


def with_tuples(values: dict[str, Any]) -> dict[str, Any]:
    """Return values with tuples instead of lists, as events have them."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def _encode_variant(variant: Variant) -> dict[str, Any]:
    return {
        "name": variant.name,
        "deck": variant.deck.name,
        "structure": int(variant.structure),
        "streets": [asdict(street) for street in variant.streets],
        "blinds": variant.blinds,
        "antes": variant.antes,
        "posts": variant.posts,
        "pot_cap": variant.pot_cap,
        "all_in": variant.all_in,
        "free_folds": variant.free_folds,
        "bet_sizes": "" if variant.bet_sizes is None else str(variant.bet_sizes),
    }


def _decode_variant(document: dict[str, Any]) -> Variant:
    return Variant(
        name=document["name"],
        deck=find_deck(document["deck"]),
        structure=Structure(document["structure"]),
        streets=tuple(Street(**street) for street in document["streets"]),
        blinds=tuple(document["blinds"]),
        antes=tuple(document["antes"]),
        posts=tuple(document.get("posts", ())),  # older journals have none
        pot_cap=document["pot_cap"],
        all_in=document["all_in"],
        free_folds=document["free_folds"],
        bet_sizes=parse_bet_sizes(document["bet_sizes"])
        if document.get("bet_sizes")
        else None,  # older journals have none
    )
