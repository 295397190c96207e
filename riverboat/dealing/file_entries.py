"""The proof of a deal as plain values for a hand's file; the cards themselves are in the hand."""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from riverboat.dealing.mix import Offer
from riverboat.dealing.predeck import SALT_BYTES, Opening
from riverboat.dealing.record import Cards, DealRecord, Opened
from riverboat.errors import InvalidInput

T = TypeVar("T")

_NOUNS = {str: "text", int: "number", dict: "table", list: "list"}


def plain_openings(opened: Iterable[tuple[int, Sequence[Opening]]]) -> dict[str, str]:
    """Return openings by position, each as its salt and path in base64, from positions of first cards."""
    return {
        str(position + i): b64encode(opening.salt + opening.path).decode()
        for position, openings in opened
        for i, opening in enumerate(openings)
    }


def deal_of_plain(
    deal: Mapping[str, Any],
    hand_number: int,
    said: tuple[str, str],
    board_size: int,
    known: Sequence[tuple[int, Cards]],
) -> DealRecord:
    """Return a deal from its entries in a file, and from the hand's cards by position.

    `said` has the commitment and the seed. Raise InvalidInput if an entry is missing or of another type.
    """
    table_id, attempt = _entry(deal, "table", str), _entry(deal, "attempt", int)
    openings: dict[str, Any] = _entry(deal, "openings", dict)
    opened = tuple(
        Opened(position, cards, tuple(_opening(openings.get(str(position + i))) for i in range(len(cards))))
        for position, cards in known
    )
    return DealRecord(
        offer=Offer(table_id, hand_number, attempt, _list(deal, "roots", str)),
        commitment=said[0],
        chairs=_list(deal, "chairs", int),
        secrets=_list(deal, "secrets", str),
        other_seed=_entry(deal, "other_seed", str),
        board_size=board_size,
        opened=opened,
        seed=said[1],
    )


def _entry(deal: Mapping[str, Any], name: str, kind: type[T]) -> T:
    value = deal.get(name)
    if not isinstance(value, kind):
        raise InvalidInput(f"_deal.{name}", f"must be a {_NOUNS[kind]}")
    return value


def _list(deal: Mapping[str, Any], name: str, kind: type[T]) -> tuple[T, ...]:
    values: list[Any] = _entry(deal, name, list)
    if not all(isinstance(value, kind) for value in values):
        raise InvalidInput(f"_deal.{name}", f"must be a list in which every item is a {_NOUNS[kind]}")
    return tuple(values)


def _opening(text: Any) -> Opening:
    """Return an opening; if it is missing or not base64, it proves nothing."""
    try:
        data = b64decode(text, validate=True) if isinstance(text, str) else b""
    except ValueError:
        data = b""
    return Opening(data[:SALT_BYTES], data[SALT_BYTES:])
