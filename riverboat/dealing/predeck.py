"""A shuffled deck whose cards can be opened one by one: a Merkle tree over its cards.

The server shuffles a pre-deck by a seed. Salt block k is SHA-256("riverboat deal v2 salt" + seed + k as 4 bytes,
big-endian); its halves are salts 2k and 2k + 1. The leaf at place i is SHA-256(0x00 + i + card + salt i), i and card as
one byte each. A node above is SHA-256(0x01 + left + right); an odd last node goes up unchanged. The root commits to all
cards. An opening of a card is its salt and its path: the siblings from the leaf up, without levels where there is none.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from riverboat.cards import Deck
from riverboat.dealing.shuffle import shuffle_by_seed

SALT_BYTES = 16
HASH_BYTES = 32
_SALT = b"riverboat deal v2 salt"
_LEAF, _NODE = b"\0", b"\1"


@dataclass(frozen=True, slots=True)
class Opening:
    """The proof of one card of a pre-deck."""

    salt: bytes
    path: bytes  # hashes from the leaf's sibling up


class PreDeck:
    """Cards in order, each with its salt, and the tree over them."""

    __slots__ = ("_levels", "_salts", "cards")

    def __init__(self, cards: Sequence[int], salts: Sequence[bytes]) -> None:
        self.cards, self._salts = tuple(cards), tuple(salts)
        leaves = [leaf(place, card, salt) for place, (card, salt) in enumerate(zip(cards, salts, strict=True))]
        self._levels = list(_levels(leaves))

    @property
    def root(self) -> str:
        """The commitment to all cards, as 64 hexadecimal digits."""
        return self._levels[-1][0].hex()

    def opening(self, place: int) -> Opening:
        """Return the proof of the card at a place."""
        path, index = b"", place
        for level in self._levels[:-1]:
            if index ^ 1 < len(level):
                path += level[index ^ 1]
            index //= 2
        return Opening(self._salts[place], path)


def pre_deck(deck: Deck, seed: bytes) -> PreDeck:
    """Return the pre-deck that a seed gives."""
    cards = shuffle_by_seed(deck, seed)
    blocks = [hashlib.sha256(_SALT + seed + k.to_bytes(4, "big")).digest() for k in range((len(cards) + 1) // 2)]
    salts = [block[half : half + SALT_BYTES] for block in blocks for half in (0, SALT_BYTES)]
    return PreDeck(cards, salts[: len(cards)])


def leaf(place: int, card: int, salt: bytes) -> bytes:
    """Return the hash of a card at its place."""
    return hashlib.sha256(_LEAF + bytes((place, card)) + salt).digest()


def opens(root: str, card_count: int, place: int, card: int, opening: Opening) -> bool:
    """Return whether an opening proves a card at a place of the pre-deck with this root."""
    if len(opening.salt) != SALT_BYTES:
        return False
    node, rest, index, width = leaf(place, card, opening.salt), opening.path, place, card_count
    while width > 1:
        if index ^ 1 < width:
            sibling, rest = rest[:HASH_BYTES], rest[HASH_BYTES:]
            if len(sibling) != HASH_BYTES:
                return False
            node = hashlib.sha256(_NODE + (sibling + node if index & 1 else node + sibling)).digest()
        index, width = index // 2, (width + 1) // 2
    return not rest and node.hex() == root


def _levels(leaves: list[bytes]) -> Iterator[list[bytes]]:
    level = leaves
    while True:
        yield level
        if len(level) == 1:
            return
        above = [hashlib.sha256(_NODE + level[i] + level[i + 1]).digest() for i in range(0, len(level) - 1, 2)]
        level = above + level[len(level) & ~1 :]
