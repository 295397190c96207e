"""All hands of a deck, counted by category: published numbers."""

from itertools import combinations

import numpy as np

from riverboat.cards import DECKS
from riverboat.clients.conformance.expectations import array, same
from riverboat.clients.conformance.oracle.common import texts
from riverboat.holdings import holdings_of
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub

_MOST_BYTES = 4_000_000  # of an answer
# The categories of an ordering, weakest first, and how many strengths each has: 7462 and 1404 in all.
_STANDARD = (
    ("high card", 1277), ("pair", 2860), ("two pair", 858), ("three of a kind", 858), ("straight", 10),
    ("flush", 1277), ("full house", 156), ("four of a kind", 156), ("straight flush", 9), ("royal flush", 1),
)  # fmt: skip
_SHORT = (
    ("high card", 120), ("pair", 504), ("two pair", 252), ("three of a kind", 252), ("straight", 6),
    ("full house", 72), ("flush", 120), ("four of a kind", 72), ("straight flush", 5), ("royal flush", 1),
)  # fmt: skip
_COUNTS = {
    ("52", 5): (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4),
    ("36", 5): (122_400, 193_536, 36_288, 16_128, 6_120, 1_728, 480, 288, 20, 4),
    ("24", 7): (0, 0, 142_560, 20_240, 91_120, 2_448, 81_600, 6_840, 612, 684),
}
_WAYS = {5: 10, 7: 21}  # ways to take two cards of a hand as the holding: each hand is counted this often


def check_census(oracle: OracleStub, name: str, card_count: int) -> None:
    """Ask for the strengths of all holdings on all boards, and count."""
    deck = DECKS[name]
    kinds = _SHORT if name == "36" else _STANDARD
    holding_count = holdings_of(deck).count
    boards = np.array(list(combinations(deck.cards, card_count - 2)), np.uint8)
    step = _MOST_BYTES // (2 * holding_count)
    counts = np.zeros(sum(size for _, size in kinds) + 1, np.int64)
    for first in range(0, len(boards), step):
        part = texts(boards[first : first + step])
        answer = oracle.Strengths(pb.StrengthsRequest(deck=name, boards=part))
        asked = f"Strengths of {len(part):,} boards of the deck {name}"
        values = array(asked, answer.strengths, "<u2", len(part), holding_count)
        same(f"{asked}, that are above the largest", int((values >= len(counts)).sum()), 0)
        counts += np.bincount(values.ravel(), minlength=len(counts))
    strength = 1
    for (category, size), wanted in zip(kinds, _COUNTS[name, card_count], strict=True):
        got = int(counts[strength : strength + size].sum())
        ways = _WAYS[card_count]
        asked = f"all hands of {card_count} of {name} cards, strengths {strength} to {strength + size - 1} ({category})"
        same(asked, f"{got / ways:,.1f} hands", f"{wanted:,.1f} hands")
        strength += size
