"""One learner at each of many tables, as Gymnasium's VectorEnv: compiled opponents, one call for all tables."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from riverboat.clients.gym.spaces import observation_space
from riverboat.environments.game import LearningGame, learning_game
from riverboat.environments.learning import LearningTables, OtherSeats
from riverboat.rules.variant import no_limit

Observations = dict[str, NDArray[Any]]
Infos = dict[str, Any]


class ManyTables(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Hands at many tables; rewards are big blinds at the end of a hand, and the next step starts the next hand.

    Impossible actions become a check or a fold. Observations are the environment's own arrays, which the next step
    changes, unless `copy` is true.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        num_envs: int = 1,
        game: LearningGame | None = None,
        opponents: OtherSeats = OtherSeats.RANDOM,
        copy: bool = True,
    ) -> None:
        """Make tables without hands: call `reset` first."""
        self.game = game or learning_game(no_limit(50, 100))
        self.num_envs, self.render_mode, self._copy = num_envs, None, copy
        self.single_observation_space = observation_space(self.game)
        self.single_action_space = spaces.Discrete(self.game.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._tables = LearningTables(self.game, num_envs, opponents)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: Infos | None = None
    ) -> tuple[Observations, Infos]:
        """Start a hand at every table; one seed is for all tables together."""
        if isinstance(seed, list):
            seed = seed[0]
        super().reset(seed=seed)
        self._tables.reset(self.np_random)
        return self._observations(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Let every learner act [N]; where its hand had ended, start the next one instead."""
        self._tables.step(np.asarray(actions, np.int64))
        steps = self._tables.steps
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._observations(), steps.rewards.copy(), steps.ended.copy(), truncated, self._infos()

    def _observations(self) -> Observations:
        arrays = self._tables.hands.arrays
        parts: Observations = {"observation": arrays.observations, "action_mask": arrays.masks}
        return {name: part.copy() for name, part in parts.items()} if self._copy else parts

    def _infos(self) -> Infos:
        """Return big blinds from hands that ended before the learner had a decision, for tables that start a hand."""
        return {"undecided": self._tables.steps.undecided.copy()}
