"""Self-play: Discounted CFR on sampled boards, epoch by epoch.

An epoch deals a number of boards and improves both players on each. After it all regrets and sums are discounted, so
that early epochs, played by poor strategies, count less. Every epoch is given its own generator: if that
depends on a seed and the epoch's number only, self-play continues from the state after any epoch as if it had never
stopped.
"""

from concurrent.futures import Executor
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.deals import DealTables, empty_live, sample_boards, write_live
from riverboat.blueprint.external_sampling import draw_pair, make_pair_room, walk_pair
from riverboat.blueprint.game import PLAYERS, AbstractGame, TreeArrays
from riverboat.blueprint.sampling import Sampling, SelfPlayRecipe
from riverboat.blueprint.traversal import PlayMemory, RoomSize, Walk, make_room, room_size, walk
from riverboat.cards import Deck
from riverboat.compiled.kernels import kernel

U8 = NDArray[np.uint8]


class SelfPlay:
    """The state of self-play: regrets and sums, and the number of epochs that made them."""

    def __init__(self, game: AbstractGame, tables: DealTables, settings: SelfPlayRecipe) -> None:
        self.game, self.tables, self.settings = game, tables, settings
        self.memory = PlayMemory(np.zeros(game.entry_count, np.float32), np.zeros(game.entry_count, np.float32))
        self.epochs = 0
        self.visited = 0  # nodes, in this process

    def play_epoch(self, rng: np.random.Generator, executor: Executor | None = None, threads: int = 1) -> None:
        """Play an epoch and discount; with several threads the result depends on how they interleave."""
        settings = self.settings
        boards = sample_boards(self.game.variant.deck, settings.boards, rng)
        seeds = rng.integers(2**63, size=threads, dtype=np.uint64)
        parts = [(np.ascontiguousarray(boards[part::threads]), seeds[part]) for part in range(threads)]
        if executor is None or threads == 1:
            self.visited += sum(self._play(*part) for part in parts)
        else:
            self.visited += sum(executor.map(lambda part: self._play(*part), parts))
        self.epochs += 1
        discount(self.memory, *discounts(self.epochs, settings))

    def _play(self, boards: U8, seed: np.uint64) -> int:
        game, settings = self.game, self.settings
        return play_boards(
            game.tree,
            self.memory,
            self.tables,
            boards,
            PlayRules(
                sampling=int(settings.sampling),
                repeats=settings.repeats,
                prune_below=settings.prune_below,
                share=opponent_share(game.variant.deck),
            ),
            room_size(game),
            seed,
        )


def opponent_share(deck: Deck) -> float:
    """Return the chance of each holding of an opponent, given a whole board and a player's own holding."""
    left = len(deck.cards) - deck.board_sizes[-1] - deck.holding_size
    return 1 / comb(left, deck.holding_size)


def discounts(epoch: int, settings: SelfPlayRecipe) -> tuple[float, float, float]:
    """Return the factors of positive regrets, negative regrets and sums after an epoch."""
    positive, negative = epoch**settings.alpha, epoch**settings.beta
    return positive / (positive + 1), negative / (negative + 1), (epoch / (epoch + 1)) ** settings.gamma


@kernel
def discount(memory: PlayMemory, positive: float, negative: float, sums: float) -> None:
    """Multiply regrets and sums by their factors."""
    regrets = memory.regrets
    up, down, share = np.float32(positive), np.float32(negative), np.float32(sums)
    for entry in range(regrets.size):
        regrets[entry] *= up if regrets[entry] > 0 else down
        memory.sums[entry] *= share


class PlayRules(NamedTuple):
    """The settings of self-play as kernels take them."""

    sampling: int  # a Sampling
    repeats: int  # of each board
    prune_below: float  # chips, as in Walk
    share: float  # how likely each holding of an opponent is


@kernel
def play_boards(
    tree: TreeArrays,
    memory: PlayMemory,
    tables: DealTables,
    boards: U8,
    rules: PlayRules,
    size: RoomSize,
    seed: np.uint64,
) -> int:
    """Improve both players on each board; return how many nodes were visited."""
    visited = 0
    live = empty_live(size.holdings, tree.groups.size)
    room = make_room(size, seed)
    pair_room = make_pair_room(size.depth)
    for k in range(boards.shape[0]):
        n = write_live(boards[k], tables, live)
        for _ in range(rules.repeats):
            for player in range(PLAYERS):
                if rules.sampling == Sampling.HOLDINGS:
                    pair = draw_pair(live, n, player, room.random)
                    visited += walk_pair(tree, memory, live, pair, pair_room, room.random)
                else:
                    room.reach[0, :n] = np.float32(rules.share)
                    how_to = Walk(
                        player=player,
                        samples=rules.sampling == Sampling.ACTIONS,
                        learns=True,
                        responds=False,
                        prune_below=rules.prune_below,
                    )
                    visited += walk(0, tree, memory, memory.regrets, live, n, how_to, room)
    return visited
