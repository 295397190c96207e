"""Effective hand strength by tables: the chance to win against 1 to 9 random opponents, ties counted half.

On a whole board the chance to beat (or to beat or tie) one random holding is exact. Two opponents cannot hold the same
card, which changes the chance to beat both by a factor that is exact too; for more opponents the factor is extended as
if some cards beat the hero and the others did not. Streets before the river are means over the cards to come.

A row of the flop and turn tables is filled when it is first read: a turn takes two milliseconds, a flop up to fifty
times that, and all rows half a minute. Two threads that fill the same row write the same bytes.
"""

from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECKS
from riverboat.compiled.kernels import kernel
from riverboat.equity.kernels import sort_by_strength
from riverboat.equity.preflop_strengths import preflop_strengths
from riverboat.equity.river_strength import MOST_OPPONENTS, TIMES, river_strength
from riverboat.holdings import holdings_of
from riverboat.strength.boards import board_keys, different_boards
from riverboat.strength.evaluation import EMPTY_KEY, board_strengths
from riverboat.strength.tables import tables_of

I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

DECK = DECKS["52"]
HOLDING_COUNT = 1326
_SUITS = 4
_UNIT = 255.0  # tables hold 0..255 for 0..1
_TABLES = tables_of(DECK.ordering, 7)
_KEYS, _BITS = _TABLES.card_keys, _TABLES.card_bits
_CARDS = holdings_of(DECK).cards.astype(np.int64)
_OTHERS = 990.0  # holdings of an opponent beside a board of five and a holding
_ONE, _TWO = 1081.0, 1081.0 * 990.0  # deals to one and to two opponents beside a board of five


class BoardKinds(NamedTuple):
    """The kind of each board of three or four cards, up to names of suits, and the renaming that leads to it."""

    kinds: NDArray[np.uint16]  # [boards], by `board_place`
    renamings: U8  # [boards], the row of the exchanges that turns it into the board that stands for its kind


class StreetTable(NamedTuple):
    """Strengths on the flop or the turn, in 255ths; rows that are not ready are filled when they are needed."""

    boards: I64  # [kinds, size], one of each kind
    places: BoardKinds
    strengths: U8  # [kinds, H, opponents]
    is_ready: U8  # [kinds]


class StrengthTables(NamedTuple):
    """Effective hand strength before the river against 1 to MOST_OPPONENTS opponents."""

    preflop: U8  # [H, opponents], in 255ths
    flops: StreetTable
    turns: StreetTable
    exchanges: NDArray[np.int16]  # [24, H]: the holding with its suits renamed


def suit_exchanges() -> NDArray[np.int16]:
    """Return for every renaming of suits the place of each holding's image [24, H]."""
    rows = []
    for order in permutations(range(_SUITS)):
        images = np.sort(_CARDS - _CARDS % _SUITS + np.array(order)[_CARDS % _SUITS], axis=1)
        rows.append(images[:, 1] * (images[:, 1] - 1) // 2 + images[:, 0])
    return np.array(rows, np.int16)


def board_kinds(size: int) -> BoardKinds:
    """Return the kinds of all boards of three or four cards, in the order of `different_boards`."""
    boards = np.array(list(combinations(range(len(DECK.cards)), size)), np.uint8)
    standing, _ = different_boards(DECK, size)
    keys = board_keys(boards)
    places = np.array([board_place(np.array(board, np.int64), size) for board in boards])
    kinds, renamings = np.zeros(len(boards), np.uint16), np.zeros(len(boards), np.uint8)
    kinds[places] = np.searchsorted(board_keys(standing), keys)
    for number, order in enumerate(permutations(range(_SUITS))):
        renamed = np.sort(boards - boards % _SUITS + np.array(order, np.uint8)[boards % _SUITS], axis=1)
        stands = (renamed == standing[kinds[places]]).all(axis=1)
        renamings[places[stands]] = number
    return BoardKinds(kinds, renamings)


@kernel
def board_place(board: I64, size: int) -> int:
    """Return the place of a board of three or four cards, in any order, among all of that size."""
    a, b, c = board[0], board[1], board[2]
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    if size == 3:
        return int(a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6)
    d = board[3]
    if c > d:
        c, d = d, c
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    return int(a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6 + d * (d - 1) * (d - 2) * (d - 3) // 24)


@cache
def strength_tables() -> StrengthTables:
    """Return the tables of this process; at first only strengths before the flop are filled."""
    return StrengthTables(
        preflop=preflop_strengths(), flops=_empty_table(3), turns=_empty_table(4), exchanges=suit_exchanges()
    )


def _empty_table(size: int) -> StreetTable:
    boards = different_boards(DECK, size)[0].astype(np.int64)
    strengths = np.zeros((len(boards), HOLDING_COUNT, MOST_OPPONENTS), np.uint8)
    return StreetTable(
        boards=boards, places=board_kinds(size), strengths=strengths, is_ready=np.zeros(len(boards), np.uint8)
    )


def no_tables() -> StrengthTables:
    """Return tables of the strengths before the flop only, for players that need no tables of later streets."""
    kinds = BoardKinds(np.zeros(0, np.uint16), np.zeros(0, np.uint8))
    table = StreetTable(
        boards=np.zeros((0, 0), np.int64),
        places=kinds,
        strengths=np.zeros((0, 0, 0), np.uint8),
        is_ready=np.zeros(0, np.uint8),
    )
    return StrengthTables(preflop=preflop_strengths(), flops=table, turns=table, exchanges=np.zeros((0, 0), np.int16))


@kernel
def table_strength(tables: StrengthTables, first: int, second: int, board: I64, size: int, opponents: int) -> float:
    """Return the strength of a holding on a board of 0, 3, 4 or 5 cards against 1 to MOST_OPPONENTS opponents."""
    if size == 5:
        return river_strength(first, second, board, opponents)
    low, high = min(first, second), max(first, second)
    holding = high * (high - 1) // 2 + low
    if size == 0:
        return float(tables.preflop[holding, opponents - 1] / _UNIT)
    place = board_place(board, size)
    table = tables.flops if size == 3 else tables.turns
    kind = table.places.kinds[place]
    if not table.is_ready[kind]:
        if size == 3:
            fill_flop(tables, kind)
        else:
            fill_turn(tables.turns, kind)
    image = tables.exchanges[table.places.renamings[place], holding]
    return float(table.strengths[kind, image, opponents - 1] / _UNIT)


@kernel
def fill_turn(turns: StreetTable, kind: int) -> None:
    """Fill the row of a kind of turn: means over the river."""
    row = np.zeros(HOLDING_COUNT, np.uint16)
    order, spare = np.zeros(HOLDING_COUNT, np.int64), np.zeros(HOLDING_COUNT, np.int64)
    starts, below_card, equal_card = np.zeros(130, np.int64), np.zeros(52, np.int64), np.zeros(52, np.int64)
    sums, counts = np.zeros((HOLDING_COUNT, MOST_OPPONENTS), np.float32), np.zeros(HOLDING_COUNT, np.int64)
    board = turns.boards[kind]
    for river in range(52):
        if (board == river).any():
            continue
        key, bits = EMPTY_KEY + _KEYS[river], _BITS[river]
        for card in board:
            key += _KEYS[card]
            bits |= _BITS[card]
        board_strengths(key, bits, 0, _TABLES, row)
        live = sort_by_strength(row, order, spare, starts)
        _add_powers(row, order, live, below_card, equal_card, sums)
        for n in range(live):
            counts[order[n]] += 1
    for h in range(HOLDING_COUNT):
        for n in range(MOST_OPPONENTS):
            turns.strengths[kind, h, n] = int(_UNIT * sums[h, n] / max(1, counts[h]) + 0.5)
    turns.is_ready[kind] = 1


@kernel
def fill_flop(tables: StrengthTables, kind: int) -> None:
    """Fill the row of a kind of flop: means over the turn."""
    flops, turns = tables.flops, tables.turns
    longer = np.zeros(4, np.int64)
    longer[:3] = flops.boards[kind]
    sums, counts = np.zeros((HOLDING_COUNT, MOST_OPPONENTS), np.int64), np.zeros(HOLDING_COUNT, np.int64)
    for card in range(52):
        if (longer[:3] == card).any():
            continue
        longer[3] = card
        place = board_place(longer, 4)
        turn, images = turns.places.kinds[place], tables.exchanges[turns.places.renamings[place]]
        if not turns.is_ready[turn]:
            fill_turn(turns, turn)
        for h in range(HOLDING_COUNT):
            if _CARDS[h, 0] != card and _CARDS[h, 1] != card:
                counts[h] += 1
                for n in range(MOST_OPPONENTS):
                    sums[h, n] += turns.strengths[turn, images[h], n]
    for h in range(HOLDING_COUNT):
        for n in range(MOST_OPPONENTS):
            flops.strengths[kind, h, n] = int(sums[h, n] / max(1, counts[h]) + 0.5)
    flops.is_ready[kind] = 1


@kernel
def _add_powers(row: NDArray[np.uint16], order: I64, live: int, below_card: I64, equal_card: I64, sums: F32) -> None:
    """Add each holding's strength on one whole board against 1, 2, … opponents to sums [H, opponents]."""
    below_card[:] = 0
    factors = np.zeros((2, MOST_OPPONENTS), np.float32)
    weaker, squares, first = 0, 0, 0  # holdings beaten, and the sum over cards of their number squared
    while first < live:
        last = first
        _write_factors(weaker, squares, factors[0])
        while last < live and row[order[last]] == row[order[first]]:
            j = order[last]
            for card in _CARDS[j]:
                equal_card[card] += 1
                squares += 2 * (below_card[card] + equal_card[card]) - 1
            last += 1
        _write_factors(weaker + last - first, squares, factors[1])
        for n in range(first, last):
            j = order[n]
            a, b = _CARDS[j, 0], _CARDS[j, 1]
            win = np.float32((weaker - below_card[a] - below_card[b]) / _OTHERS)
            both = win + np.float32((last - first - equal_card[a] - equal_card[b] + 1) / _OTHERS)
            wins, boths = np.float32(0.5), np.float32(0.5)
            for opponent in range(MOST_OPPONENTS):
                wins *= win * factors[0, opponent]
                boths *= both * factors[1, opponent]
                sums[j, opponent] += wins + boths
        for n in range(first, last):
            for card in _CARDS[order[n]]:
                below_card[card] += equal_card[card]
                equal_card[card] = 0
        weaker += last - first
        first = last


@kernel
def _write_factors(weaker: int, squares: int, out: F32) -> None:
    """Write the factors of the chance to beat the 1st, 2nd, … opponent, given that those before are beaten.

    They are taken over all holdings beside the board, because those with the hero's cards hardly change them.
    """
    factor = 1.0
    if weaker > 0:
        factor = (weaker * (weaker + 1.0) - squares) / _TWO / (weaker / _ONE) ** 2
    if factor <= 0.0:  # all beaten holdings share a card: no two opponents can hold them
        out[:], out[0] = 0.0, 1.0
        return
    power = np.log(factor)
    for opponent in range(MOST_OPPONENTS):
        out[opponent] = np.exp(power * TIMES[opponent])
