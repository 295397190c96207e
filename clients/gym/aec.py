"""A hand for several agents, as PettingZoo's AEC environment."""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils.seeding import np_random
from numpy.typing import NDArray
from pettingzoo import AECEnv

from riverboat.clients.gym.spaces import observation_space, table_text
from riverboat.environments.game import LearningGame, learning_game
from riverboat.environments.hands import NOBODY, Hands
from riverboat.environments.observation import observation_size
from riverboat.errors import IllegalAction
from riverboat.rules.variant import no_limit

Observation = dict[str, NDArray[Any]]


class AgentsTable(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One hand, by default heads-up no-limit hold'em with 100 big blinds; rewards are big blinds, at the end.

    The button moves by a player with each hand. An impossible action raises IllegalAction and changes nothing, so
    PettingZoo's wrappers, which cost three quarters of the speed, are not needed.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "name": "holdem_v0", "is_parallelizable": False}

    def __init__(self, game: LearningGame | None = None, render_mode: str | None = None) -> None:
        """Make a table without a hand: call `reset` first."""
        super().__init__()
        self.game = game or learning_game(no_limit(50, 100))
        self.render_mode = render_mode
        self.possible_agents = [f"player_{i}" for i in range(self.game.player_count)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(self.game) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.game.action_count) for agent in self.possible_agents}
        self._hands, self._button = Hands(self.game), 0
        self._hands.seed(np_random(None)[0])
        self._nothing: Observation = {
            "observation": np.zeros(observation_size(self.game), np.float32),
            "action_mask": np.zeros(self.game.action_count, np.int8),
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent's observations look like."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the next hand; with a seed the first of its sequence."""
        self._button += 1
        if seed is not None:
            self._hands.seed(np_random(seed)[0])
            self._button = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._hands.start(0)
        self.agent_selection = self.agents[0]
        self._select()

    def step(self, action: int | None) -> None:
        """Let the selected agent act."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalAction(f"{self.agent_selection} has to act")
        self._hands.choose(0, int(action))
        self._select()

    def _select(self) -> None:
        """Select the actor; if the hand is over, pay and end."""
        actor = self._hands.arrays.actors[0]
        if actor != NOBODY:
            self.agent_selection = self._agent(int(actor))
            return
        payoffs = self._hands.arrays.payoffs[0] / self.game.variant.big_blind
        for seat, payoff in enumerate(payoffs.tolist()):
            self.rewards[self._agent(seat)] = self._cumulative_rewards[self._agent(seat)] = payoff
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _agent(self, seat: int) -> str:
        """Return who sits in a seat of this hand."""
        return self.possible_agents[(self._button + 1 + seat) % self.game.player_count]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees when it has to act; zeros at other times."""
        arrays = self._hands.arrays
        actor = arrays.actors[0]
        if actor != NOBODY and self._agent(int(actor)) == agent:
            return {"observation": arrays.observations[0].copy(), "action_mask": arrays.masks[0].copy()}
        return {name: part.copy() for name, part in self._nothing.items()}

    def render(self) -> str | None:
        """Return the table in words, without anybody's cards."""
        return table_text(self._hands) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Close nothing: there are no windows and files."""


def env(game: LearningGame | None = None, render_mode: str | None = None) -> AgentsTable:
    """Return a table for agents: PettingZoo's name for what makes an environment."""
    return AgentsTable(game, render_mode)
