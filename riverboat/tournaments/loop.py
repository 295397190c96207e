"""The compiled loop: whole tournaments from the draw to the winner, without Python.

All tables play hand for hand: a round is one hand at every table. All randomness comes from two seeds. Deals depend
only on the first seed, the table and the round, and cards belong to chairs, so that other players can play the same
deals again; decisions depend on the second seed.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.equity.effective_strength import StrengthTables
from riverboat.equity.sampler import advance, below, mixed
from riverboat.tournaments.field import Field
from riverboat.tournaments.loop_arrays import LoopRules, Scratch
from riverboat.tournaments.loop_hand import ROUND_STEP, TABLE_STEP, play_hand, shuffle, sit_down
from riverboat.tournaments.seating import EMPTY, NO_BUTTON, move_from_table, seat_in_order

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]


@kernel
def play_tournament(
    rules: LoopRules, field: Field, tables: StrengthTables, seeds: U64, shift: int, sums: I64, ranks: I64, own: Scratch
) -> int:
    """Play one tournament: write ranks [E], add to sums [E, SUM_SIZE], and return the number of hands.

    seeds [2] are the seed of the deals and the seed of the decisions. The draw is turned by `shift` places.
    """
    entrants = rules.entrant_count
    own.random[0] = seeds[1]
    _draw_seats(rules, seeds[0], shift, own)
    own.stacks[:], own.buttons[:] = rules.starting_chips, NO_BUTTON
    ranks[:] = 0
    left, hands, turn = entrants, 0, 0
    while left > 1:
        level = min(turn // rules.level_hands, rules.big_blinds.size - 1)
        own.before[:] = own.stacks
        for table in range(own.seats.shape[0]):
            count = sit_down(own, table)
            if count < 2:
                continue
            shuffle(own, seeds[0], table, turn)
            play_hand(rules, field, tables, level, count, left, sums, own)
            hands += 1
        turn += 1
        out = _rank_busted(own, left, ranks)
        if out > 0:
            left -= out
            _rebalance(own, seeds[0], turn)
    for entrant in range(entrants):
        if ranks[entrant] == 0:
            ranks[entrant] = 1
    return hands


@kernel
def _draw_seats(rules: LoopRules, seed: np.uint64, shift: int, own: Scratch) -> None:
    """Shuffle the entrants, turn their order by `shift` places and seat them."""
    entrants = rules.entrant_count
    order = own.before
    own.deal[0] = mixed(seed ^ TABLE_STEP)
    for i in range(entrants):
        order[i] = i
    for i in range(entrants - 1):
        own.deal[0] = advance(own.deal[0])
        j = i + np.int64(below(mixed(own.deal[0]), np.uint64(entrants - i)))
        order[i], order[j] = order[j], order[i]
    turned = own.stacks
    for i in range(entrants):
        turned[i] = order[(i + shift) % entrants]
    seat_in_order(turned, own.seats)


@kernel
def _rank_busted(own: Scratch, left: int, ranks: I64) -> int:
    """Rank the entrants who lost the last chip in this round and empty their chairs; return how many there are.

    More chips before the hand rank higher; among equals the lower table, then the first left of the button.
    """
    chair_count, out = own.seats.shape[1], 0
    for table in range(own.seats.shape[0]):
        for step in range(1, chair_count + 1):
            chair = (own.buttons[table] + step) % chair_count
            entrant = own.seats[table, chair]
            if entrant != EMPTY and own.stacks[entrant] == 0:
                own.seats[table, chair] = EMPTY
                place = out
                while place > 0 and own.before[own.busted[place - 1]] < own.before[entrant]:
                    own.busted[place] = own.busted[place - 1]
                    place -= 1
                own.busted[place] = entrant
                out += 1
    for place in range(out):
        ranks[own.busted[place]] = left - out + place + 1
    return out


@kernel
def _rebalance(own: Scratch, seed: np.uint64, turn: int) -> None:
    """Break and balance tables until nobody moves any more."""
    own.deal[0] = mixed(seed - np.uint64(turn) * ROUND_STEP)
    moved = 1
    while moved > 0:
        moved = 0
        for table in range(own.seats.shape[0] - 1, -1, -1):
            for i in range(own.lots.size):
                own.deal[0] = advance(own.deal[0])
                own.lots[i] = mixed(own.deal[0]) >> np.uint64(1)
            moved += move_from_table(own.seats, own.buttons, table, own.lots, own.moves)
