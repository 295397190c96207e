"""How the server's two pre-decks and the seats' secrets become one deal.

All hashes here are SHA-256 of lines of UTF-8 text with a newline between them (none at the end), as 64 lower-case
hexadecimal digits; numbers are decimal:

    commitment of the server   "riverboat deal v2 server", table id, hand number, attempt, root 0, root 1
    commitment of a seat       "riverboat deal v2 seat", commitment of the server, chair, secret
    mix                        "riverboat deal v2 mix", commitment of the server, then a line for each seat:
                               its chair, a space, and its secret, or "-" if it contributes none
    seed of the order          "riverboat deal v2 order", mix

The last bit of the mix says which pre-deck is dealt, 0 or 1. The order is a shuffle of the places 0, 1, 2, … of a
pre-deck by its seed: the card dealt at position j is the one at place order[j]. Positions are dealt in the usual
order: seat 0's cards first, then the next seats', then the board.
"""

import hashlib
import string
from dataclasses import dataclass

from riverboat.dealing.shuffle import shuffled

DIGEST_DIGITS = 64
SECRET_BYTES = 32
_NONE = "-"
_HEX = frozenset(string.digits + "abcdef")


@dataclass(frozen=True, slots=True)
class Offer:
    """Two pre-decks that the server offers for a hand, one of which will be dealt."""

    table_id: str
    hand_number: int
    attempt: int  # from 1
    roots: tuple[str, ...]  # two

    @property
    def commitment(self) -> str:
        """The commitment that binds the server to both pre-decks."""
        return _hash("server", self.table_id, self.hand_number, self.attempt, *self.roots)


@dataclass(frozen=True, slots=True)
class Lineup:
    """The chairs that are dealt in, with their commitments: fixed before anybody reveals a secret."""

    chairs: tuple[int, ...]  # by seat
    commitments: tuple[str, ...]  # by seat; "" for a seat that contributes nothing


def seat_commitment(server_commitment: str, chair: int, secret: str) -> str:
    """Return the commitment to a chair's secret of 64 hexadecimal digits."""
    return _hash("seat", server_commitment, chair, secret)


def mix_of(server_commitment: str, chairs: tuple[int, ...], secrets: tuple[str, ...]) -> str:
    """Return the mix of all secrets, by seat; "" for a seat that contributes nothing."""
    seats = (f"{chair} {secret or _NONE}" for chair, secret in zip(chairs, secrets, strict=True))
    return _hash("mix", server_commitment, *seats)


def dealt_index(mix: str) -> int:
    """Return which pre-deck is dealt; the seed of the other is opened."""
    return int(mix[-1], 16) & 1


def order_of(mix: str, card_count: int) -> tuple[int, ...]:
    """Return the place in the pre-deck of each card in the order of dealing."""
    return tuple(shuffled(range(card_count), bytes.fromhex(_hash("order", mix))))


def is_digest(text: str) -> bool:
    """Return whether a text is 64 lower-case hexadecimal digits."""
    return len(text) == DIGEST_DIGITS and _HEX.issuperset(text)


def _hash(kind: str, *lines: str | int) -> str:
    return hashlib.sha256("\n".join([f"riverboat deal v2 {kind}", *map(str, lines)]).encode()).hexdigest()
