"""Compiled showdowns over lists of complete boards.

Each kernel adds, for every holding of the hero, the weight of the deals it wins and ties (and, with
more than two players, the share of ties it gets) to `out` [h, 3].
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel, summing_kernel
from riverboat.equity.runouts import Runouts
from riverboat.strength.evaluation import board_strengths, strength
from riverboat.strength.tables import HoldingTables, Tables

U64 = NDArray[np.uint64]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
WIN, TIE, SHARE = range(3)  # columns of the totals of the hero's holdings
WEIGHT, NUMBER = range(2)  # columns of the ways to deal the opponents


class Opponents(NamedTuple):
    """The possible holdings of the opponents, one opponent after another.

    Opponent n holds one of holdings[starts[n] : starts[n + 1]], with the weight beside it. Of the first opponent's
    holdings only those from `first` up to `last` are dealt, so that work can be cut into slices.
    """

    holdings: I64
    weights: F64
    starts: I64  # [opponents + 1]
    first: int
    last: int


class DeckTables(NamedTuple):
    """A hold'em deck as kernels take it."""

    lowest: int  # the lowest rank of the deck
    holding_bits: U64  # [H]
    strengths: Tables  # of holding and whole board


@kernel
def compare_few(
    boards: Runouts, heroes: HoldingTables, opponents: HoldingTables, weights: F64, tables: Tables, out: F64
) -> None:
    """Compare few holdings heads-up: evaluate only those of the hero [h] and of the opponent, who has `weights`."""
    hero_keys, hero_bits, opponent_keys, opponent_bits = heroes.keys, heroes.bits, opponents.keys, opponents.bits
    strengths = np.zeros(opponent_keys.size, np.uint16)
    for r in range(boards.starts.size):
        for t in range(boards.starts[r], boards.ends[r]):
            key, bits = boards.head_keys[r] + boards.tail_keys[t], boards.head_bits[r] | boards.tail_bits[t]
            count = boards.head_weights[r] * boards.tail_weights[t]
            for j in range(opponent_keys.size):
                free = opponent_bits[j] & bits == 0
                strengths[j] = strength(key + opponent_keys[j], bits | opponent_bits[j], tables) if free else 0
            for i in range(hero_keys.size):
                if hero_bits[i] & bits == 0:
                    mine = strength(key + hero_keys[i], bits | hero_bits[i], tables)
                    win, tie = 0.0, 0.0
                    for j in range(opponent_keys.size):
                        if opponent_bits[j] & hero_bits[i] == 0 and strengths[j] > 0:
                            win += weights[j] * (strengths[j] < mine)
                            tie += weights[j] * (strengths[j] == mine)
                    out[i, WIN] += count * win
                    out[i, TIE] += count * tie


@summing_kernel
def _row_sums(row: NDArray[np.uint16], mine: np.uint16, weights: F64) -> tuple[float, float]:
    """Return the weight of strengths below `mine`, those of 0 left out, and of strengths equal to it."""
    win, tie = 0.0, 0.0
    for j in range(row.size):
        # one less in 16 bits makes 0 the largest number
        win += weights[j] if np.uint16(row[j] - np.uint16(1)) < np.uint16(mine - np.uint16(1)) else 0.0
        tie += weights[j] if row[j] == mine else 0.0
    return win, tie


@kernel
def compare_rows(boards: Runouts, heroes: I64, weights: F64, lowest: int, tables: Tables, out: F64) -> None:
    """Compare several holdings heads-up: evaluate all holdings of a board, then sum one row of weights per hero.

    `weights` [h, H] is the opponent's range as each hero's holding sees it: 0 where they share a card.
    """
    row = np.zeros(weights.shape[1], np.uint16)
    for r in range(boards.starts.size):
        for t in range(boards.starts[r], boards.ends[r]):
            key, bits = boards.head_keys[r] + boards.tail_keys[t], boards.head_bits[r] | boards.tail_bits[t]
            count = boards.head_weights[r] * boards.tail_weights[t]
            board_strengths(key, bits, lowest, tables, row)
            for i in range(heroes.size):
                mine = row[heroes[i]]
                if mine > 0:
                    win, tie = _row_sums(row, mine, weights[i])
                    out[i, WIN] += count * win
                    out[i, TIE] += count * tie


@kernel
def sort_by_strength(row: NDArray[np.uint16], order: I64, spare: I64, starts: I64) -> int:
    """Write the places of the strengths above 0 to `order`, weakest first; return how many there are."""
    starts[:] = 0
    for j in range(row.size):
        starts[(row[j] & 127) + 1] += row[j] > 0
    for digit in range(128):
        starts[digit + 1] += starts[digit]
    live = int(starts[128])
    for j in range(row.size):
        if row[j] > 0:
            spare[starts[row[j] & 127]] = j
            starts[row[j] & 127] += 1
    starts[:] = 0
    for j in range(row.size):
        starts[(row[j] >> 7) + 1] += row[j] > 0
    for digit in range(128):
        starts[digit + 1] += starts[digit]
    for n in range(live):
        j = spare[n]
        order[starts[row[j] >> 7]] = j
        starts[row[j] >> 7] += 1
    return live


@kernel
def compare_sorted(
    boards: Runouts, cards: NDArray[np.uint8], weights: F64, lowest: int, tables: Tables, out: F64
) -> None:
    """Compare all holdings at once heads-up: one scan from the weakest to the strongest.

    What a holding beats is all weight below it, less the weight below it that holds one of its two
    cards. `cards` [H, 2], `weights` [H] the opponent's; `out` [H, 3].
    """
    row = np.zeros(weights.size, np.uint16)
    order, spare = np.zeros(weights.size, np.int64), np.zeros(weights.size, np.int64)
    starts = np.zeros(130, np.int64)
    below_card, equal_card = np.zeros(52), np.zeros(52)
    for r in range(boards.starts.size):
        for t in range(boards.starts[r], boards.ends[r]):
            key, bits = boards.head_keys[r] + boards.tail_keys[t], boards.head_bits[r] | boards.tail_bits[t]
            count = boards.head_weights[r] * boards.tail_weights[t]
            board_strengths(key, bits, lowest, tables, row)
            live = sort_by_strength(row, order, spare, starts)
            below = 0.0
            below_card[:] = 0.0
            first = 0
            while first < live:
                last = first
                equal = 0.0
                while last < live and row[order[last]] == row[order[first]]:
                    j = order[last]
                    equal += weights[j]
                    equal_card[cards[j, 0]] += weights[j]
                    equal_card[cards[j, 1]] += weights[j]
                    last += 1
                for n in range(first, last):
                    j = order[n]
                    a, b = cards[j, 0], cards[j, 1]
                    out[j, WIN] += count * (below - below_card[a] - below_card[b])
                    out[j, TIE] += count * (equal - equal_card[a] - equal_card[b] + weights[j])
                for n in range(first, last):
                    j = order[n]
                    below_card[cards[j, 0]] += weights[j]
                    below_card[cards[j, 1]] += weights[j]
                    equal_card[cards[j, 0]] = 0.0
                    equal_card[cards[j, 1]] = 0.0
                below += equal
                first = last


@kernel
def deal_opponents(boards: Runouts, heroes: I64, opponents: Opponents, deck: DeckTables, out: F64) -> None:
    """Deal any number of opponents holdings in turn, and stop as soon as one beats the hero."""
    holdings, starts, holding_bits = opponents.holdings, opponents.starts, deck.holding_bits
    others = starts.size - 1
    row = np.zeros(holding_bits.size, np.uint16)
    used, weight = np.zeros(others, np.uint64), np.zeros(others)
    ties, at = np.zeros(others, np.int64), np.zeros(others, np.int64)
    for r in range(boards.starts.size):
        for t in range(boards.starts[r], boards.ends[r]):
            key, bits = boards.head_keys[r] + boards.tail_keys[t], boards.head_bits[r] | boards.tail_bits[t]
            count = boards.head_weights[r] * boards.tail_weights[t]
            board_strengths(key, bits, deck.lowest, deck.strengths, row)
            for i in range(heroes.size):
                mine = row[heroes[i]]
                if mine == 0:
                    continue
                depth = 0
                used[0], weight[0], ties[0], at[0] = holding_bits[heroes[i]], count, 0, opponents.first
                while depth >= 0:
                    if at[depth] == (starts[depth + 1] if depth else opponents.last):
                        depth -= 1
                        continue
                    j = holdings[at[depth]]
                    reached = weight[depth] * opponents.weights[at[depth]]
                    at[depth] += 1
                    if row[j] == 0 or row[j] > mine or holding_bits[j] & used[depth]:
                        continue
                    ties_now = ties[depth] + (row[j] == mine)
                    if depth < others - 1:
                        used[depth + 1] = used[depth] | holding_bits[j]
                        depth += 1
                        weight[depth], ties[depth], at[depth] = reached, ties_now, starts[depth]
                    elif ties_now == 0:
                        out[i, WIN] += reached
                    else:
                        out[i, TIE] += reached
                        out[i, SHARE] += reached / (ties_now + 1)


@kernel
def count_joint_deals(heroes: I64, holding_bits: U64, opponents: Opponents, out: F64) -> None:
    """Add the weight and the number of ways to deal the opponents holdings that share no card to out [h, 2]."""
    # The loop is that of deal_opponents: as a shared function, even inlined, it makes both a third slower.
    holdings, starts = opponents.holdings, opponents.starts
    others = starts.size - 1
    used, weight, at = np.zeros(others, np.uint64), np.zeros(others), np.zeros(others, np.int64)
    for i in range(heroes.size):
        used[0], weight[0], at[0] = holding_bits[heroes[i]], 1.0, opponents.first
        depth = 0
        while depth >= 0:
            if at[depth] == (starts[depth + 1] if depth else opponents.last):
                depth -= 1
                continue
            place = at[depth]
            at[depth] += 1
            j = holdings[place]
            if holding_bits[j] & used[depth]:
                continue
            reached = weight[depth] * opponents.weights[place]
            if depth == others - 1:
                out[i, WEIGHT] += reached
                out[i, NUMBER] += 1
            else:
                used[depth + 1] = used[depth] | holding_bits[j]
                depth += 1
                weight[depth], at[depth] = reached, starts[depth]
