"""A blueprint: the average strategy of self-play, quantised, and the groups of holdings that it is for."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.game import AbstractGame
from riverboat.blueprint.groups import NOBODY, Grouping
from riverboat.blueprint.traversal import PlayMemory, write_strategy
from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput

U8 = NDArray[np.uint8]
U16 = NDArray[np.uint16]
F32 = NDArray[np.float32]
LEVELS = 60  # chances are multiples of one part in sixty: halves, thirds, quarters and fifths are exact
_LEAST_CHANCE = 0.02  # rarer actions are left out: most of them were only tried in early epochs


@dataclass(frozen=True, slots=True, eq=False)
class Blueprint:
    """A strategy for a whole abstract game."""

    game: AbstractGame
    grouping: Grouping
    weights: U8  # [E]: the chance of each action of each group, in parts of LEVELS

    def __post_init__(self) -> None:
        if self.weights.shape != (self.game.entry_count,):
            raise InvalidInput("weights", f"must be {self.game.entry_count:,} numbers, not {self.weights.shape}")
        if self.grouping.counts != self.game.group_counts:
            raise InvalidInput("group_counts", f"are {self.game.group_counts}, but there are {self.grouping.counts}")

    def strategy(self, node: int, board: tuple[int, ...]) -> F32:
        """Return the strategy at a decision of the tree on a board [A, H]; blocked holdings have one too."""
        tree = self.game.tree
        count = int(tree.child_count[node])
        groups = self.groups(board)
        row = int(tree.row[node])
        size = int(tree.groups[tree.street[node]])
        table = self.weights[row : row + size * count].reshape(size, count).astype(np.float32)
        total = table.sum(axis=1, keepdims=True)
        table = np.where(total > 0, table / np.maximum(total, 1), np.float32(1 / count))
        strategy: F32 = table[np.where(groups == NOBODY, 0, groups)].T
        return strategy

    def groups(self, board: tuple[int, ...]) -> U16:
        """Return the group of each holding on a board [H]."""
        return _groups(self.grouping, board)


@lru_cache(maxsize=512)  # a board is looked up several times in a hand, and by both seats
def _groups(grouping: Grouping, board: tuple[int, ...]) -> U16:
    return grouping.on_board(board)


def average_blueprint(game: AbstractGame, grouping: Grouping, memory: PlayMemory) -> Blueprint:
    """Return the average strategy of self-play so far."""
    weights = np.empty(game.entry_count, np.uint8)
    tree = game.tree
    for node in np.flatnonzero(tree.kind == 0).tolist():
        count, size = int(tree.child_count[node]), int(tree.groups[tree.street[node]])
        row = int(tree.row[node])
        _write_weights(memory, row, size, count, weights)
    return Blueprint(game, grouping, weights)


@kernel
def _write_weights(memory: PlayMemory, row: int, group_count: int, count: int, out: U8) -> None:
    """Write the chances of a decision in parts of LEVELS; groups that never reached it play by their regrets."""
    average = np.empty(group_count * count, np.float32)
    current = np.empty(group_count * count, np.float32)
    write_strategy(memory.sums, row, group_count, count, average)
    write_strategy(memory.regrets, row, group_count, count, current)
    for g in range(group_count):
        at = g * count
        reached = np.float32(0.0)
        for a in range(count):
            reached += memory.sums[row + at + a]
        chances = average[at : at + count] if reached > 0 else current[at : at + count]
        for a in range(count):
            chance = chances[a] if chances[a] >= _LEAST_CHANCE else np.float32(0.0)
            out[row + at + a] = np.uint8(LEVELS * chance + np.float32(0.5))
