"""The base of agents that play a strategy from a file: it finds the file, and decides by rollouts in other games."""

import numpy as np

from riverboat.arena.bot import Bot
from riverboat.clients.bots.agents.rollout import Rollout
from riverboat.clients.bots.shelf_files import ShelfFile


class ShelvedAgent(Bot):
    """Plays the strategy in a file: the file that was named, or the one that fits the hand."""

    def __init__(self, rng: np.random.Generator, shelved: ShelfFile | None = None) -> None:
        super().__init__(rng)
        self._shelved = shelved
        self._rollout = Rollout(rng)
