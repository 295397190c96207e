"""Compiled showdowns over lists of complete boards.

Each kernel adds, for every holding of the hero, the weight of the deals it wins and ties (and, with
more than two players, the share of ties it gets) to `out` [h, 3].
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.equity.runouts import Runouts
from riverboat.kernels import kernel, summing_kernel
from riverboat.strength.evaluate import board_strengths, strength
from riverboat.strength.tables import Tables

U64 = NDArray[np.uint64]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
WIN, TIE, SHARE = 0, 1, 2


@kernel
def compare_few(
    boards: Runouts,
    hero_keys: U64,
    hero_bits: U64,
    villain_keys: U64,
    villain_bits: U64,
    villain_weights: F64,
    tables: Tables,
    out: F64,
) -> None:
    """Heads-up with few holdings: evaluate just those."""
    found = np.zeros(villain_keys.size, np.uint16)
    for r in range(boards.starts.size):
        for t in range(boards.starts[r], boards.ends[r]):
            key, bits = boards.head_keys[r] + boards.tail_keys[t], boards.head_bits[r] | boards.tail_bits[t]
            count = boards.head_weights[r] * boards.tail_weights[t]
            for j in range(villain_keys.size):
                free = villain_bits[j] & bits == 0
                found[j] = strength(key + villain_keys[j], bits | villain_bits[j], tables) if free else 0
            for i in range(hero_keys.size):
                if hero_bits[i] & bits == 0:
                    mine = strength(key + hero_keys[i], bits | hero_bits[i], tables)
                    win, tie = 0.0, 0.0
                    for j in range(villain_keys.size):
                        if villain_bits[j] & hero_bits[i] == 0 and found[j] > 0:
                            win += villain_weights[j] * (found[j] < mine)
                            tie += villain_weights[j] * (found[j] == mine)
                    out[i, WIN] += count * win
                    out[i, TIE] += count * tie


@summing_kernel
def _row_sums(row: NDArray[np.uint16], mine: np.uint16, weights: F64) -> tuple[float, float]:
    """The weight of strengths below `mine`, those of 0 left out, and of strengths equal to it."""
    win, tie = 0.0, 0.0
    for j in range(row.size):
        # one less in 16 bits makes 0 the largest number
        win += weights[j] if np.uint16(row[j] - np.uint16(1)) < np.uint16(mine - np.uint16(1)) else 0.0
        tie += weights[j] if row[j] == mine else 0.0
    return win, tie


@kernel
def compare_rows(
    boards: Runouts,
    heroes: I64,
    weights: F64,
    lowest: int,
    tables: Tables,
    out: F64,
) -> None:
    """Heads-up with several holdings: all strengths of a board, then one row of weights per hero.

    `weights` [h, H] is the villain's range as each hero's holding sees it: 0 where they share a card.
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
def _sort_by_strength(row: NDArray[np.uint16], order: I64, spare: I64, starts: I64) -> int:
    """The places of the strengths above 0 into `order`, weakest first; returns how many there are."""
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
    boards: Runouts,
    cards: NDArray[np.uint8],
    weights: F64,
    lowest: int,
    tables: Tables,
    out: F64,
) -> None:
    """Heads-up for all holdings at once: one scan from the weakest to the strongest.

    What a holding beats is all weight below it, less the weight below it that holds one of its two
    cards. `cards` [H, 2], `weights` [H] the villain's; `out` [H, 3].
    """
    row = np.zeros(weights.size, np.uint16)
    order, spare = np.zeros(weights.size, np.int64), np.zeros(weights.size, np.int64)
    starts = np.zeros(130, np.int64)
    below_card, level_card = np.zeros(52), np.zeros(52)
    for r in range(boards.starts.size):
        for t in range(boards.starts[r], boards.ends[r]):
            key, bits = boards.head_keys[r] + boards.tail_keys[t], boards.head_bits[r] | boards.tail_bits[t]
            count = boards.head_weights[r] * boards.tail_weights[t]
            board_strengths(key, bits, lowest, tables, row)
            live = _sort_by_strength(row, order, spare, starts)
            below = 0.0
            below_card[:] = 0.0
            first = 0
            while first < live:
                last = first
                level = 0.0
                while last < live and row[order[last]] == row[order[first]]:
                    j = order[last]
                    level += weights[j]
                    level_card[cards[j, 0]] += weights[j]
                    level_card[cards[j, 1]] += weights[j]
                    last += 1
                for n in range(first, last):
                    j = order[n]
                    a, b = cards[j, 0], cards[j, 1]
                    out[j, WIN] += count * (below - below_card[a] - below_card[b])
                    out[j, TIE] += count * (level - level_card[a] - level_card[b] + weights[j])
                for n in range(first, last):
                    j = order[n]
                    below_card[cards[j, 0]] += weights[j]
                    below_card[cards[j, 1]] += weights[j]
                    level_card[cards[j, 0]] = 0.0
                    level_card[cards[j, 1]] = 0.0
                below += level
                first = last


@kernel
def deal_opponents(
    boards: Runouts,
    heroes: I64,
    holding_bits: U64,
    holdings: I64,
    holding_weights: F64,
    starts: I64,
    lowest: int,
    tables: Tables,
    out: F64,
) -> None:
    """Any number of opponents: deal them holdings in turn, leaving as soon as one beats the hero.

    Opponent n holds one of holdings[starts[n] : starts[n + 1]] with the weight beside it.
    """
    others = starts.size - 1
    row = np.zeros(holding_bits.size, np.uint16)
    used, weight = np.zeros(others, np.uint64), np.zeros(others)
    ties, at = np.zeros(others, np.int64), np.zeros(others, np.int64)
    for r in range(boards.starts.size):
        for t in range(boards.starts[r], boards.ends[r]):
            key, bits = boards.head_keys[r] + boards.tail_keys[t], boards.head_bits[r] | boards.tail_bits[t]
            count = boards.head_weights[r] * boards.tail_weights[t]
            board_strengths(key, bits, lowest, tables, row)
            for i in range(heroes.size):
                mine = row[heroes[i]]
                if mine == 0:
                    continue
                level = 0
                used[0], weight[0], ties[0], at[0] = holding_bits[heroes[i]], count, 0, starts[0]
                while level >= 0:
                    if at[level] == starts[level + 1]:
                        level -= 1
                        continue
                    j = holdings[at[level]]
                    reached = weight[level] * holding_weights[at[level]]
                    at[level] += 1
                    if row[j] == 0 or row[j] > mine or holding_bits[j] & used[level]:
                        continue
                    level_ties = ties[level] + (row[j] == mine)
                    if level < others - 1:
                        used[level + 1] = used[level] | holding_bits[j]
                        level += 1
                        weight[level], ties[level], at[level] = reached, level_ties, starts[level]
                    elif level_ties == 0:
                        out[i, WIN] += reached
                    else:
                        out[i, TIE] += reached
                        out[i, SHARE] += reached / (level_ties + 1)


@kernel
def joint_weight(hero_bits: np.uint64, holding_bits: U64, holdings: I64, holding_weights: F64, starts: I64) -> float:
    """The weight of all ways to deal the opponents holdings that share no card, beside the hero's."""
    count = starts.size - 1
    if count == 0:
        return 1.0
    used, weight, at = np.zeros(count, np.uint64), np.zeros(count), np.zeros(count, np.int64)
    used[0], weight[0], at[0] = hero_bits, 1.0, starts[0]
    level, total = 0, 0.0
    while level >= 0:
        if at[level] == starts[level + 1]:
            level -= 1
            continue
        j = holdings[at[level]]
        reached = weight[level] * holding_weights[at[level]]
        at[level] += 1
        if holding_bits[j] & used[level]:
            continue
        if level == count - 1:
            total += reached
        else:
            used[level + 1] = used[level] | holding_bits[j]
            level += 1
            weight[level], at[level] = reached, starts[level]
    return total
