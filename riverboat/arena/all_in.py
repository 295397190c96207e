"""The average winnings of players once all decisions are made, over the board cards that are still to come.

The average is exact, over all run-outs and for any number of players. Folded cards are never
dealt to the board: players fold because of their cards, so dealing those again would bias the average.
Odd chips are ignored: pots are shared in fractions.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.compiled.kernels import kernel
from riverboat.equity.kernels import TIE, WIN, compare_few
from riverboat.equity.runouts import Runouts, runouts_of
from riverboat.holdings import Weights, holding_index, holdings_of
from riverboat.rules.state import PublicState
from riverboat.strength.evaluation import strength
from riverboat.strength.hands import strength_of
from riverboat.strength.tables import HoldingTables, Tables, holding_tables, tables_of

Cards = tuple[int, ...]
Seats = tuple[int, ...]
F64 = NDArray[np.float64]
U64 = NDArray[np.uint64]


def expected_payoffs(public: PublicState, holdings: tuple[Cards, ...], board: Cards) -> tuple[float, ...]:
    """Return the chips that each seat wins or loses on average [P] over all ways to complete `board`.

    `public` is the hand at its end: only what was paid and who folded counts.
    """
    pots = public.pots
    competitors = tuple(seats for _, seats in pots)
    chips = np.array([chips for chips, _ in pots], np.float64)  # [M]
    won = chips @ _shares(public.variant.deck, holdings, board, competitors)
    return tuple((won - np.array(public.paid) - np.array(public.dead)).tolist())


# Rotations of one deal often end in the same all-in: the last few are worth keeping.
@lru_cache(maxsize=16)
def _shares(deck: Deck, holdings: tuple[Cards, ...], board: Cards, competitors: tuple[Seats, ...]) -> F64:
    """Return the share of each pot that each seat wins on average [M, P], given the seats that compete for each."""
    in_pot = np.zeros((len(competitors), len(holdings)), np.bool_)
    for pot, seats in enumerate(competitors):
        in_pot[pot, list(seats)] = True
    live = np.flatnonzero(in_pot.any(axis=0))
    count_wins = _count_holdem if deck.is_holdem else _count_small
    shares = np.zeros(in_pot.shape)
    shares[:, live] = count_wins(deck, holdings, board, live.tolist(), in_pot[:, live])
    shares /= shares.sum(axis=1, keepdims=True)
    shares.flags.writeable = False
    return shares


def _count_holdem(
    deck: Deck, holdings: Sequence[Cards], board: Cards, live: Sequence[int], in_pot: NDArray[np.bool_]
) -> F64:
    """Return on how many boards each live seat wins each pot [M, n]; a tie counts as a fraction."""
    indices = [holding_index(deck, holdings[seat]) for seat in live]
    dead = [card for holding in holdings for card in holding]
    boards = runouts_of(deck, board, dead, [_only(deck, index) for index in indices])
    tables = tables_of(deck.ordering, deck.holding_size + deck.board_sizes[-1])
    keys, bits = holding_tables(deck)
    if len(live) > 2:
        out = np.zeros(in_pot.shape)
        share_runouts(boards, keys[indices], bits[indices], in_pot, tables, out)
        return out
    # Two players are the usual case, for which equity has a kernel that is nearly twice as fast.
    one, two = (HoldingTables(keys[[index]], bits[[index]]) for index in indices)
    counts = np.zeros((1, 3))  # of boards
    compare_few(boards, one, two, np.ones(1), tables, counts)
    win, tie = counts[0, WIN], counts[0, TIE]
    total = comb(len(deck.cards) - len(board) - len(dead), deck.board_sizes[-1] - len(board))
    shared = np.array([win + tie / 2, total - win - tie / 2])
    # A pot with one competitor holds chips that nobody matched: that player gets all of it.
    return np.where(in_pot.all(axis=1, keepdims=True), shared, in_pot)


def _only(deck: Deck, index: int) -> Weights:
    """Return the range that has only this holding [H]."""
    weights = np.zeros(holdings_of(deck).count, np.float32)
    weights[index] = 1
    return weights


@kernel
def share_runouts(boards: Runouts, keys: U64, bits: U64, in_pot: NDArray[np.bool_], tables: Tables, out: F64) -> None:
    """Add the number of boards on which each holding wins each pot to out [M, n]; in_pot [M, n] has the competitors."""
    count = keys.size
    strengths = np.zeros(count, np.uint16)
    for r in range(boards.starts.size):
        for t in range(boards.starts[r], boards.ends[r]):
            key, cards = boards.head_keys[r] + boards.tail_keys[t], boards.head_bits[r] | boards.tail_bits[t]
            weight = boards.head_weights[r] * boards.tail_weights[t]
            for i in range(count):
                strengths[i] = strength(key + keys[i], cards | bits[i], tables)
            share_pots(strengths, in_pot, weight, out)


@kernel
def share_pots(strengths: NDArray[np.uint16], in_pot: NDArray[np.bool_], weight: float, out: F64) -> None:
    """Add `weight` to out [M, n] for the strongest competitor of each pot; players who tie share it."""
    for pot in range(in_pot.shape[0]):
        best, winner, winners = 0, 0, 0
        for i in range(strengths.size):
            if in_pot[pot, i]:
                mine = int(strengths[i])
                if mine > best:
                    best, winner, winners = mine, i, 1
                elif mine == best:
                    winners += 1
        if winners == 1:  # the usual case, and faster than looking for ties
            out[pot, winner] += weight
            continue
        for i in range(strengths.size):
            if in_pot[pot, i] and strengths[i] == best:
                out[pot, i] += weight / winners


def _count_small(
    deck: Deck, holdings: Sequence[Cards], board: Cards, live: Sequence[int], in_pot: NDArray[np.bool_]
) -> F64:
    """Return on how many boards each live seat wins each pot [M, n]; for decks with one private card and few boards."""
    gone = {*board, *(card for holding in holdings for card in holding)}
    rest = [card for card in deck.cards if card not in gone]
    out = np.zeros(in_pot.shape)
    for runout in combinations(rest, deck.board_sizes[-1] - len(board)):
        strengths = [strength_of(deck, (*holdings[seat], *board, *runout)) for seat in live]
        share_pots(np.array(strengths, np.uint16), in_pot, 1.0, out)
    return out
