"""Deals that nobody can predict and everybody can check.

A deal comes from a secret seed of 32 bytes. Before the hand its hash is published, after the hand the seed
itself: whoever has both can shuffle the deck again and see that it was not changed meanwhile.

The shuffle is defined to the last bit, so that any program can repeat it. The stream is SHA-256 of the seed
followed by a counter (8 bytes, big-endian), one block after another. Cards in ascending order are shuffled
from the last place down: the card at place i changes with the one at place j, 0 <= j <= i, where j is the
next 4 bytes of the stream (big-endian) modulo i + 1; numbers beyond the largest multiple of i + 1 are passed
over, so that every j is equally likely.
"""

import hashlib
from collections.abc import Iterator

from riverboat.cards import Deal, Deck
from riverboat.errors import InvalidInput

SEED_BYTES = 32
_COMMIT = b"riverboat deal v1"


def commitment(seed: bytes) -> str:
    """The hash of a seed, as 64 hexadecimal digits; it says nothing about the deal until the seed is known."""
    _check_seed(seed)
    return hashlib.sha256(_COMMIT + seed).hexdigest()


def shuffle_by_seed(deck: Deck, seed: bytes) -> tuple[int, ...]:
    """All cards of the deck in the order that the seed gives."""
    _check_seed(seed)
    cards, numbers = list(deck.cards), _numbers(seed)
    for place in range(len(cards) - 1, 0, -1):
        other = _below(place + 1, numbers)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards)


def deal_by_seed(deck: Deck, holding_count: int, board_size: int, seed: bytes) -> Deal:
    """Holdings in turn and the whole board from a shuffle: seat 0's cards first, then the board, the rest undealt."""
    cards = shuffle_by_seed(deck, seed)
    cut = holding_count * deck.holding_size
    if holding_count < 0 or board_size < 0 or cut + board_size > len(cards):
        raise InvalidInput("holding_count", f"the {deck.name} deck has {len(cards)} cards")
    holdings = tuple(cards[i : i + deck.holding_size] for i in range(0, cut, deck.holding_size))
    return Deal(holdings, cards[cut : cut + board_size], cards[cut + board_size :])


def derived_seed(seed: bytes, number: int) -> bytes:
    """The seed of the nth deal of a series that has one secret for all."""
    _check_seed(seed)
    return hashlib.sha256(b"riverboat series v1" + seed + number.to_bytes(8, "big")).digest()


def _check_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise InvalidInput("seed", f"must have {SEED_BYTES} bytes, not {len(seed)}")


def _numbers(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hashlib.sha256(seed + counter.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, len(block), 4))
        counter += 1


def _below(count: int, numbers: Iterator[int]) -> int:
    largest = 2**32 - 2**32 % count
    return next(number for number in numbers if number < largest) % count
