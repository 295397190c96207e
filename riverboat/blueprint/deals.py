"""Whole boards, dealt ahead: the holdings that each allows in order of strength, and their groups on each street."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.groups import GroupTables, write_table_groups
from riverboat.blueprint.showdowns import LiveHoldings
from riverboat.cards import Deck, Ordering
from riverboat.compiled.kernels import kernel
from riverboat.equity.kernels import sort_by_strength
from riverboat.features.points import BLOCKED, write_points
from riverboat.holdings import holdings_of
from riverboat.strength.evaluation import boards_strengths
from riverboat.strength.hands import strengths_on_boards
from riverboat.strength.tables import Tables, tables_of

U8 = NDArray[np.uint8]
U16 = NDArray[np.uint16]


class DealTables(NamedTuple):
    """The tables that boards are dealt from."""

    cards: U8  # [H, 2]; one-card decks have their card twice
    lowest: int  # the lowest rank of the deck
    strengths: Tables  # of hold'em hands
    small: U16  # [boards, H]: strengths in a one-card deck, by the board's card; no rows in hold'em
    groups: GroupTables


def deal_tables(deck: Deck, groups: GroupTables) -> DealTables:
    """Return the tables of a deck with these groups."""
    cards = holdings_of(deck).cards
    if deck.is_holdem:
        return DealTables(
            cards=cards,
            lowest=deck.ranks[0],
            strengths=tables_of(deck.ordering, 7),
            small=np.empty((0, len(cards)), np.uint16),
            groups=groups,
        )
    boards = np.array([deck.cards], np.uint8).T if deck.board_sizes[-1] else np.empty((1, 0), np.uint8)
    small = strengths_on_boards(deck, boards) + np.uint16(1)
    for row, board in zip(small, boards.tolist(), strict=True):
        row[np.isin(cards[:, 0], board)] = 0
    return DealTables(
        cards=np.repeat(cards, 2, axis=1),
        lowest=deck.ranks[0],
        strengths=tables_of(Ordering.STANDARD, 7),
        small=small,
        groups=groups,
    )


def sample_boards(deck: Deck, count: int, rng: np.random.Generator) -> U8:
    """Return whole boards dealt at random [count, cards]."""
    size = deck.board_sizes[-1]
    shuffled = rng.random((count, len(deck.cards))).argsort(axis=1)[:, :size]
    return np.array(deck.cards, np.uint8)[shuffled]


@kernel
def empty_live(holding_count: int, street_count: int) -> LiveHoldings:
    """Return empty arrays for the live holdings of a board."""
    return LiveHoldings(
        first_card=np.empty(holding_count, np.uint8),
        second_card=np.empty(holding_count, np.uint8),
        holding=np.empty(holding_count, np.int32),
        block_end=np.empty(holding_count, np.int32),
        groups=np.empty((street_count, holding_count), np.uint16),
    )


@kernel
def write_live(board: U8, tables: DealTables, live: LiveHoldings) -> int:
    """Write the live holdings of a whole board, weakest first, with their groups; return how many there are."""
    count = tables.cards.shape[0]
    strengths = np.zeros((1, count), np.uint16)
    if tables.small.shape[0]:
        place = np.searchsorted(tables.groups.flop_keys, np.uint64(board[0])) if board.size else 0
        strengths[0] = tables.small[place]
    else:
        boards_strengths(board.reshape(1, board.size), tables.lowest, tables.strengths, strengths)
    order, spare, starts = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(130, np.int64)
    n = sort_by_strength(strengths[0], order, spare, starts)
    for h in range(n):
        live.holding[h] = order[h]
        live.first_card[h], live.second_card[h] = tables.cards[order[h], 0], tables.cards[order[h], 1]
    end = n
    for h in range(n - 1, -1, -1):
        if h + 1 < n and strengths[0, order[h]] != strengths[0, order[h + 1]]:
            end = h + 1
        live.block_end[h] = end
    _write_groups(board, tables, order[:n], live.groups)
    return int(n)


@kernel
def _write_groups(board: U8, tables: DealTables, order: NDArray[np.int64], out: U16) -> None:
    """Write the groups on each street [streets, H] of the holdings in `order`."""
    groups = tables.groups
    row = np.empty(tables.cards.shape[0], np.uint16)
    for street in range(out.shape[0]):
        if street == 0:
            row[:] = groups.first
        elif street == 1:
            write_table_groups(board[: max(1, board.size - 2)], groups.flop_keys, groups.flops, groups, row)
        elif street == 2:
            write_table_groups(board[: board.size - 1], groups.turn_keys, groups.turns, groups, row)
        else:
            points = np.empty((1, row.size), np.uint16)
            write_points(board.reshape(1, board.size), tables.cards, tables.lowest, tables.strengths, points)
            for h in range(row.size):
                row[h] = groups.river[points[0, h]] if points[0, h] != BLOCKED else np.uint16(0)
        for h in range(order.size):
            out[street, h] = row[order[h]]
