"""Drawing cards and moves inside a search, and what a finished hand is worth."""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.equity.sampler import next_unit
from riverboat.opponents.buckets import NOWHERE, write_membership
from riverboat.opponents.card_models import shares_on
from riverboat.opponents.features import situation_of, write_features
from riverboat.opponents.moves import CHOICE_COUNT, POT_SHARES, first_size
from riverboat.opponents.styles import leaf_of
from riverboat.rules.betting import (
    BET,
    CALL,
    DEAD,
    FOLD,
    HEAD,
    HIGH,
    LOW,
    OUT,
    PAID,
    PHASE,
    POT,
    SHOWDOWN,
    STREET,
    TO_CALL,
    nearest_raise,
)
from riverboat.rules.pots import write_payoffs
from riverboat.rules.variant import SEAT_COUNT
from riverboat.search.problem import Problem

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
ALL_IN_SIZE = len(POT_SHARES) + 1
_TRIES = 200  # to draw cards that are different; then the iteration is given up


@kernel
def draw(sums: F64, random: U64) -> int:
    """Return a place drawn from chances that are added up."""
    number, low, high = next_unit(random), 0, len(sums) - 1
    while low < high:
        middle = (low + high) // 2
        if sums[middle] > number:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def draw_world(problem: Problem, random: U64, styles: I64, holdings: I64) -> int:
    """Draw a board, and a style and a holding for each opponent; return the board, -1 if no cards were left."""
    count = problem.rules[SEAT_COUNT]
    for _ in range(_TRIES):
        board = int(next_unit(random) * len(problem.boards))
        used = problem.board_masks[board] | problem.masks[problem.holding]
        if problem.board_masks[board] & problem.masks[problem.holding]:
            continue
        fits = True
        for seat in range(count):
            if seat == problem.seat:
                styles[seat], holdings[seat] = problem.style, problem.holding
            elif not problem.state[HEAD + OUT * count + seat]:
                styles[seat] = draw(problem.styles[seat], random)
                holdings[seat] = draw(problem.ranges[seat, styles[seat]], random)
                mask = problem.masks[holdings[seat]]
                if used & mask:
                    fits = False
                    break
                used |= mask
        if fits:
            return board
    return -1


@kernel
def draw_move(
    problem: Problem, state: I64, record: I64, style: int, holding: int, board: int, random: U64, row: F64, room: F64
) -> int:
    """Return the number of a move in its situation, drawn from what a player of a style does with a holding."""
    street = state[STREET]
    situation = situation_of(street, state[TO_CALL] > 0)
    write_features(problem.rules, state, record, problem.boards[board], problem.big_blind, row)
    leaf = leaf_of(problem.tables.forest, problem.tables.forest.roots[style, situation], row)
    first_row, bucket = problem.tables.first_row[leaf], 0
    if street == 0:
        bucket = problem.tables.classes[holding]
    else:
        low, high = problem.places[board, street, holding, 0], problem.places[board, street, holding, 1]
        if low != NOWHERE:
            begin, end = write_membership(low, high, shares_on(problem.tables, street), room)
            number, bucket = next_unit(random), begin
            while bucket < end - 1 and number >= room[bucket]:
                number -= room[bucket]
                bucket += 1
    number, choice = next_unit(random), 0
    chances = problem.tables.chances[first_row + bucket]
    while choice < CHOICE_COUNT - 1 and number >= chances[choice]:
        number -= chances[choice]
        choice += 1
    first = first_size(situation)
    if choice >= first and state[HIGH] == 0:
        return int(first - 1)  # nobody could answer a raise
    return int(min(choice, first + len(POT_SHARES)))


@kernel
def action_of(problem: Problem, state: I64, choice: int) -> int:
    """Return the rules' action for the number of a move: fold, call, or the chips to raise to."""
    first = 1 + int(state[TO_CALL] > 0)
    if choice < first:
        return FOLD if choice == 0 and first == 2 else CALL
    return size_to(problem.rules, state, choice - first)


@kernel
def size_to(rules: I64, state: I64, size: int) -> int:
    """Return the raise of a size: the smallest one, a share of the pot, or everything."""
    if size == 0:
        return int(state[LOW])
    if size == ALL_IN_SIZE:
        return int(state[HIGH])
    by = POT_SHARES[size - 1] * (state[POT] + state[TO_CALL])
    wanted = min(float(state[HIGH]), max(float(state[LOW]), state[BET] + by))
    return int(nearest_raise(rules, state, int(wanted + 0.5)))


@kernel
def value_of(problem: Problem, state: I64, holdings: I64, board: int) -> float:
    """Return the chips that the searching player has at the end of a hand, over what it has at the decision."""
    count, seat = problem.rules[SEAT_COUNT], problem.seat
    payoffs = np.zeros(count, np.int64)
    if state[PHASE] == SHOWDOWN:
        for each in range(count):
            if not state[HEAD + OUT * count + each]:
                payoffs[each] = problem.strengths[board, holdings[each]]
    write_payoffs(problem.rules, state, payoffs)
    return float(payoffs[seat] - _paid(problem.state, count, seat))


@kernel
def _paid(state: I64, count: int, seat: int) -> int:
    """Return what folding at the decision costs, as a negative number: the chips already paid."""
    return -int(state[HEAD + PAID * count + seat] + state[HEAD + DEAD * count + seat])
