"""Hands seen by one learner at each table: the others act by themselves, and hands follow each other."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.environments.game import CALL_NUMBER, FOLD_NUMBER, GameArrays, LearningGame, game_arrays
from riverboat.environments.hands import NOBODY, Hands, TableArrays, choose_at, start_table
from riverboat.equity.sampler import advance, below, mixed

I64 = NDArray[np.int64]


class OtherSeats(IntEnum):
    """How the other seats act."""

    RANDOM = 0  # each possible action with the same chance
    CALLING = 1  # always check or call


class LearnerArrays(NamedTuple):
    """The results of one step at N tables."""

    rewards: NDArray[np.float64]  # [N], big blinds that the learner won or lost; 0 unless its hand has ended
    ended: NDArray[np.bool_]  # [N]
    undecided: NDArray[np.float64]  # [N], big blinds from hands that ended before the learner had a decision
    seats: I64  # [N], the learner's seat
    randoms: NDArray[np.uint64]  # [N], states of the random generators of opponents


class LearningTables:
    """N tables with a learner at each, which moves on by a seat from hand to hand."""

    def __init__(self, game: LearningGame, table_count: int, opponents: OtherSeats = OtherSeats.RANDOM) -> None:
        """Make tables without hands: call `reset` first."""
        self.hands = Hands(game, table_count)
        self.steps = LearnerArrays(
            rewards=np.zeros(table_count),
            ended=np.zeros(table_count, np.bool_),
            undecided=np.zeros(table_count),
            seats=np.zeros(table_count, np.int64),
            randoms=np.zeros(table_count, np.uint64),
        )
        self._game, self._opponents = game_arrays(game), int(opponents)

    def reset(self, rng: np.random.Generator) -> None:
        """Start hands at all tables, as drawn by `rng`."""
        self.hands.seed(rng)
        self.steps.randoms[:] = rng.integers(0, 2**64, len(self.steps.randoms), np.uint64)
        self.steps.seats[:] = rng.integers(0, self.hands.game.player_count, len(self.steps.seats))
        self.steps.ended[:] = True
        self.step(np.full(len(self.steps.seats), CALL_NUMBER))

    def step(self, numbers: I64) -> None:
        """Let each learner act [N]; where its last hand has ended, the action is ignored and a hand starts.

        An impossible action becomes a check or a fold.
        """
        step_all(self._game, self.hands.arrays, self.steps, numbers, self._opponents)


@kernel
def step_all(game: GameArrays, hands: TableArrays, steps: LearnerArrays, numbers: I64, opponents: int) -> None:
    """Step at every table."""
    for table in range(numbers.size):
        steps.rewards[table], steps.undecided[table] = 0.0, 0.0
        if steps.ended[table]:
            _start(game, hands, steps, table, opponents)
            continue
        number = numbers[table]
        if number < 0 or number >= hands.masks.shape[1] or not hands.masks[table, number]:
            number = FOLD_NUMBER if hands.masks[table, FOLD_NUMBER] else CALL_NUMBER
        choose_at(game, hands, table, number)
        _go_on(game, hands, steps, table, opponents)
        if hands.actors[table] == NOBODY:
            steps.ended[table] = True
            steps.rewards[table] = hands.payoffs[table, steps.seats[table]] / game.big_blind


@kernel
def _start(game: GameArrays, hands: TableArrays, steps: LearnerArrays, table: int, opponents: int) -> None:
    """Deal hands until the learner has a decision."""
    while True:
        steps.seats[table] = (steps.seats[table] + 1) % game.stacks.size
        start_table(game, hands, table)
        _go_on(game, hands, steps, table, opponents)
        if hands.actors[table] != NOBODY:
            steps.ended[table] = False
            return
        steps.undecided[table] += hands.payoffs[table, steps.seats[table]] / game.big_blind


@kernel
def _go_on(game: GameArrays, hands: TableArrays, steps: LearnerArrays, table: int, opponents: int) -> None:
    """Let the other seats act until it is the learner's turn or the hand is over."""
    while hands.actors[table] != NOBODY and hands.actors[table] != steps.seats[table]:
        number = CALL_NUMBER
        if opponents == 0:
            number = _random_number(hands, steps, table)
        choose_at(game, hands, table, number)


@kernel
def _random_number(hands: TableArrays, steps: LearnerArrays, table: int) -> int:
    """Return one of the possible actions."""
    mask = hands.masks[table]
    steps.randoms[table] = advance(steps.randoms[table])
    left = np.int64(below(mixed(steps.randoms[table]), np.uint64(mask.sum())))
    for number in range(mask.size):
        left -= mask[number]
        if left < 0:
            return number
    return CALL_NUMBER
