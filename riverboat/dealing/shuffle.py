"""Shuffles by a seed, defined to the last bit so that any program can repeat them.

The stream is SHA-256 of the seed followed by a counter (8 bytes, big-endian), one block after another. Items in their
given order (cards in ascending order) are shuffled from the last place down: the item at place i is exchanged with the
one at place j, 0 <= j <= i, where j is the next 4 bytes of the stream (big-endian) modulo i + 1; numbers from the
largest multiple of i + 1 on are skipped, so that every j is equally likely.

A deal v1 comes from one seed of the server: its hash, the commitment, is published when the hand starts, the seed when
it is over. Matches, and hands in old journals, are dealt in this way.
"""

import hashlib
from collections.abc import Iterable, Iterator
from struct import Struct

from riverboat.cards import Deal, Deck
from riverboat.errors import InvalidInput

SEED_BYTES = 32
_COMMIT = b"riverboat deal v1"
_BLOCK = Struct(">8I")


def commitment(seed: bytes) -> str:
    """Return the hash of a seed of a deal v1, as 64 hexadecimal digits."""
    _check_seed(seed)
    return hashlib.sha256(_COMMIT + seed).hexdigest()


def shuffle_by_seed(deck: Deck, seed: bytes) -> tuple[int, ...]:
    """Return all cards of the deck in the order that the seed gives."""
    _check_seed(seed)
    return tuple(shuffled(deck.cards, seed))


def shuffled(items: Iterable[int], seed: bytes) -> list[int]:
    """Return the items in the order that a seed gives."""
    order, numbers = list(items), _numbers(seed)
    for place in range(len(order) - 1, 0, -1):
        other = _below(place + 1, numbers)
        order[place], order[other] = order[other], order[place]
    return order


def deal_by_seed(deck: Deck, holding_count: int, board_size: int, seed: bytes) -> Deal:
    """Deal holdings and the whole board from the shuffle that a seed gives."""
    return deal_in_order(deck, holding_count, board_size, shuffle_by_seed(deck, seed))


def deal_in_order(deck: Deck, holding_count: int, board_size: int, cards: tuple[int, ...]) -> Deal:
    """Deal cards that are in order: seat 0's first, then the next seats', then the board; the rest is the stub."""
    cut = holding_count * deck.holding_size
    if holding_count < 0 or board_size < 0 or cut + board_size > len(cards):
        raise InvalidInput("holding_count", f"the {deck.name} deck has {len(cards)} cards")
    holdings = tuple(cards[i : i + deck.holding_size] for i in range(0, cut, deck.holding_size))
    return Deal(holdings, cards[cut : cut + board_size], cards[cut + board_size :])


def derived_seed(seed: bytes, number: int) -> bytes:
    """Return the seed of deal `number` in a series that has one secret for all deals."""
    _check_seed(seed)
    return hashlib.sha256(b"riverboat series v1" + seed + number.to_bytes(8, "big")).digest()


def _check_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise InvalidInput("seed", f"must have {SEED_BYTES} bytes, not {len(seed)}")


def _numbers(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from _BLOCK.unpack(hashlib.sha256(seed + counter.to_bytes(8, "big")).digest())
        counter += 1


def _below(count: int, numbers: Iterator[int]) -> int:
    largest = 2**32 - 2**32 % count
    while (number := next(numbers)) >= largest:
        pass
    return number % count
