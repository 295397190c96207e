"""Effective hand strength of one holding without tables: exactly on the river, by rollouts on any street."""

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Ordering
from riverboat.compiled.kernels import kernel
from riverboat.equity.sampler import advance, below, mixed
from riverboat.strength.evaluation import EMPTY_KEY, strength
from riverboat.strength.single_hand import strength_of_seven
from riverboat.strength.tables import tables_of

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

MOST_OPPONENTS = 9
_TABLES = tables_of(Ordering.STANDARD, 7)
_KEYS, _BITS = _TABLES.card_keys, _TABLES.card_bits
_ONE, _TWO = 990.0, 990.0 * 903.0  # deals to one and to two opponents beside a board of five and a holding
# How often the factor for two opponents applies to the n-th one: more often the fewer cards are left.
TIMES = np.cumsum([0.0, *(44 * 43 / ((44 - 2 * k) * (43 - 2 * k)) for k in range(MOST_OPPONENTS - 1))])


@kernel
def river_strength(first: int, second: int, board: I64, opponents: int) -> float:
    """Return the strength on a whole board: exact against one or two opponents."""
    key, bits = EMPTY_KEY, np.uint64(0)
    for i in range(5):
        key += _KEYS[board[i]]
        bits |= _BITS[board[i]]
    dead = bits | _BITS[first] | _BITS[second]
    mine = strength(key + _KEYS[first] + _KEYS[second], dead, _TABLES)
    weaker, up_to = np.zeros(52, np.int64), np.zeros(52, np.int64)
    for b in range(1, 52):
        if _BITS[b] & dead:
            continue
        key_b, bits_b = key + _KEYS[b], bits | _BITS[b]
        for a in range(b):
            if _BITS[a] & dead:
                continue
            theirs = strength(key_b + _KEYS[a], bits_b | _BITS[a], _TABLES)
            weaker[a] += theirs < mine
            weaker[b] += theirs < mine
            up_to[a] += theirs <= mine
            up_to[b] += theirs <= mine
    return 0.5 * (_chance_over(weaker, opponents) + _chance_over(up_to, opponents))


@kernel
def _chance_over(by_card: I64, opponents: int) -> float:
    """Return the chance that every opponent's holding is in a set; by_card [52] counts its holdings with each card."""
    total, squares = by_card.sum() // 2, (by_card * by_card).sum()
    if total == 0:
        return 0.0
    one = total / _ONE
    factor = max(0.0, (total * (total + 1.0) - squares) / _TWO) / one**2
    chance = 1.0
    for opponent in range(opponents):
        chance *= min(1.0, one * factor ** TIMES[opponent])
    return chance


@kernel
def rolled_strength(first: int, second: int, board: I64, size: int, opponents: int, rollouts: int, state: U64) -> float:
    """Return the strength by rollouts; state [1] is the random generator's, and is advanced."""
    cards, used = np.zeros(5 + 2 * MOST_OPPONENTS, np.int64), np.uint64(1)
    known = (np.uint64(1) << np.uint64(first)) | (np.uint64(1) << np.uint64(second))
    for i in range(size):
        cards[i] = board[i]
        known |= np.uint64(1) << np.uint64(board[i])
    wins, ties = 0, 0
    for _ in range(rollouts):
        used = known
        for i in range(size, 5 + 2 * opponents):
            while True:
                state[0] = advance(state[0])
                card = below(mixed(state[0]), np.uint64(52))
                if not used & (np.uint64(1) << card):
                    break
            used |= np.uint64(1) << card
            cards[i] = card
        mine = strength_of_seven(first, second, cards[0], cards[1], cards[2], cards[3], cards[4])
        best = 0
        for other in range(opponents):
            best = max(
                best,
                strength_of_seven(
                    cards[5 + 2 * other], cards[6 + 2 * other], cards[0], cards[1], cards[2], cards[3], cards[4]
                ),
            )  # fmt: skip
        wins += mine > best
        ties += mine == best
    return (wins + 0.5 * ties) / rollouts
