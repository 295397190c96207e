"""Groups of holdings on boards.

Before the flop a group is a class of starting hands. On the flop and the turn it is the cluster that is nearest to a
holding's features, looked up in a table with one row for each board up to names of suits. On the river, where the only
feature is equity, it is looked up by the holding's points. One-card decks have a group for each pair of ranks.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.clusters import U16, cluster_centres, nearest_centres
from riverboat.blueprint.game import AbstractGame
from riverboat.cards import Deck
from riverboat.compiled.kernels import kernel
from riverboat.features.card_features import F32, all_features, feature_count
from riverboat.features.points import best_points
from riverboat.features.preflop import class_numbers
from riverboat.holdings import holdings_of
from riverboat.preflop import suit_exchanges
from riverboat.strength.boards import different_boards

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
U8 = NDArray[np.uint8]
ReportShare = Callable[[float], None]

_SUITS = 4
_SPAN = np.uint64(64)
_TABLE_SIZES = (3, 4)  # of boards whose groups are in tables
_BOARD = 5
_SAMPLE = 120_000  # vectors that clusters are fitted to
_BOARDS_SAMPLED = 1_500  # boards that these come from
NOBODY = 65535  # the group of a holding that has a card of the board


class GroupTables(NamedTuple):
    """Groups of all holdings, as kernels look them up."""

    first: U16  # [H], on the first street
    orders: U8  # [24, 4]: permutations of suits; one row in one-card decks
    exchanges: I64  # [24, H]: the holding that each permutation makes of a holding
    flop_keys: U64  # [K], ascending; of the boards of the second street
    flops: U16  # [K, H]
    turn_keys: U64  # [K]
    turns: U16  # [K, H]
    river: U16  # [points + 1]


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """The centres of all groups, and the table of flops, which takes long to make; other tables are made from these."""

    deck: Deck
    centres: tuple[F32, ...]  # of the streets after the first [G, F]; empty for one-card decks
    flops: U16  # [K, H]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many groups each street after the first has."""
        return tuple(len(centres) for centres in self.centres)

    def on_board(self, board: tuple[int, ...]) -> U16:
        """Return the group of each holding on a board of 0, 3, 4 or 5 cards [H]; NOBODY for blocked holdings."""
        if not self.deck.is_holdem:
            tables = _small_tables(self.deck)
            row = int(np.searchsorted(tables.flop_keys, np.uint64(board[0]))) if board else 0
            return tables.flops[row] if board else tables.first
        if not board:
            return class_numbers(self.deck).astype(np.uint16)
        if len(board) == _TABLE_SIZES[0]:
            keys = board_table_keys(self.deck, len(board))
            row, order = _canonical(np.array(board, np.uint8), keys, *_suit_tables(self.deck))
            groups: U16 = self.flops[row][suit_exchanges(self.deck)[order]]
            return groups
        return grouped(all_features(self.deck, board), self.centres[len(board) - _TABLE_SIZES[0]])


def grouped(features: F32, centres: F32) -> U16:
    """Return the nearest centre of each vector [H]; NOBODY for vectors of NaN."""
    live = ~np.isnan(features[:, 0])
    groups = np.full(len(features), NOBODY, np.uint16)
    groups[live] = nearest_centres(features[live], centres)
    return groups


def fit_groups(game: AbstractGame, rng: np.random.Generator, report: ReportShare = lambda done: None) -> Grouping:
    """Return groups fitted to boards sampled by `rng`. It takes some minutes with 52 cards, most of them for flops."""
    deck = game.variant.deck
    if not deck.is_holdem:
        return Grouping(deck, (), np.empty((0, holdings_of(deck).count), np.uint16))
    flops = different_boards(deck, _TABLE_SIZES[0])[0]
    rows = np.empty((len(flops), holdings_of(deck).count, feature_count(deck, _TABLE_SIZES[0])), np.float32)
    for place, flop in enumerate(flops.tolist()):
        rows[place] = all_features(deck, flop)
        report(0.9 * (place + 1) / len(flops))
    weights = different_boards(deck, _TABLE_SIZES[0])[1].astype(np.float64)
    drawn = rng.choice(len(flops), min(len(flops), _BOARDS_SAMPLED), p=weights / weights.sum())
    centres = [cluster_centres(_some_rows(rows[drawn], rng), game.group_counts[0], rng)]
    table = np.stack([grouped(row, centres[0]) for row in rows])
    report(0.95)
    for count, size in zip(game.group_counts[1:], (*_TABLE_SIZES[1:], _BOARD), strict=True):
        boards = [rng.choice(deck.cards, size, replace=False).tolist() for _ in range(_BOARDS_SAMPLED)]
        vectors = _some_rows(np.stack([all_features(deck, board) for board in boards]), rng)
        centres.append(cluster_centres(vectors, count, rng))
    report(1.0)
    return Grouping(deck, tuple(centres), table)


def _some_rows(features: F32, rng: np.random.Generator) -> F32:
    """Return up to _SAMPLE vectors of features [K, H, F], without those of NaN."""
    vectors = features.reshape(-1, features.shape[-1])
    vectors = vectors[~np.isnan(vectors[:, 0])]
    return vectors if len(vectors) <= _SAMPLE else vectors[rng.choice(len(vectors), _SAMPLE, replace=False)]


def group_tables(grouping: Grouping, report: ReportShare = lambda done: None) -> GroupTables:
    """Return the tables of a grouping. It takes half a minute with 52 cards, most of it for turns."""
    deck = grouping.deck
    if not deck.is_holdem:
        return _small_tables(deck)
    best = best_points(deck)
    boards = different_boards(deck, _TABLE_SIZES[1])[0]
    turns = np.empty((len(boards), holdings_of(deck).count), np.uint16)
    for place, board in enumerate(boards.tolist()):
        turns[place] = grouped(all_features(deck, board), grouping.centres[1])
        report((place + 1) / len(boards))
    orders, exchanges = _suit_tables(deck)
    return GroupTables(
        first=class_numbers(deck).astype(np.uint16),
        orders=orders,
        exchanges=exchanges,
        flop_keys=board_table_keys(deck, _TABLE_SIZES[0]),
        flops=grouping.flops,
        turn_keys=board_table_keys(deck, _TABLE_SIZES[1]),
        turns=turns,
        river=nearest_centres((np.arange(best + 1) / best).astype(np.float32)[:, None], grouping.centres[2]),
    )


def _small_tables(deck: Deck) -> GroupTables:
    """Return the tables of a one-card deck: on the second street a group for each pair of ranks."""
    ranks = np.array([deck.ranks.index(card >> 2) for card in deck.cards], np.uint16)
    boards = np.array(deck.cards, np.uint8)[:, None]
    nothing = np.empty((0, len(deck.cards)), np.uint16)
    return GroupTables(
        first=ranks,
        orders=np.arange(_SUITS, dtype=np.uint8)[None],
        exchanges=np.arange(len(deck.cards))[None],
        flop_keys=boards[:, 0].astype(np.uint64),
        flops=(len(deck.ranks) * ranks[None, :] + ranks[:, None]).astype(np.uint16),
        turn_keys=np.empty(0, np.uint64),
        turns=nothing,
        river=np.empty(0, np.uint16),
    )


def board_table_keys(deck: Deck, size: int) -> U64:
    """Return the keys of all boards of a size up to names of suits, in the order of `different_boards` [K]."""
    boards = different_boards(deck, size)[0]
    keys = np.zeros(len(boards), np.uint64)
    for column in boards.T:
        keys = _SPAN * keys + column
    return keys


def _suit_tables(deck: Deck) -> tuple[U8, I64]:
    return np.array(list(permutations(range(_SUITS))), np.uint8), np.array(suit_exchanges(deck))


@kernel
def _canonical(board: U8, keys: U64, orders: U8, exchanges: I64) -> tuple[int, int]:
    """Return the row of a board in a table with these keys, and the permutation of suits that takes it there."""
    best, best_order = np.uint64(0xFFFFFFFFFFFFFFFF), 0
    renamed = np.empty(board.size, np.int64)
    for order in range(orders.shape[0]):
        for i in range(board.size):
            card = np.int64(board[i])
            card = (card & ~3) | np.int64(orders[order, card & 3])
            place = i
            while place > 0 and renamed[place - 1] > card:
                renamed[place] = renamed[place - 1]
                place -= 1
            renamed[place] = card
        key = np.uint64(0)
        for card in renamed:
            key = key * _SPAN + np.uint64(card)
        if key < best:
            best, best_order = key, order
    return int(np.searchsorted(keys, best)), best_order


@kernel
def write_table_groups(board: U8, keys: U64, table: U16, tables: GroupTables, out: U16) -> None:
    """Write the group of each holding on a board whose groups are in a table [H]."""
    row, order = _canonical(board, keys, tables.orders, tables.exchanges)
    for h in range(out.size):
        out[h] = table[row, tables.exchanges[order, h]]
