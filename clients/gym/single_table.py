"""One learner against bots, as Gymnasium's Env: an episode is a hand."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from riverboat.arena.bot import Bot
from riverboat.arena.bots import CallBot
from riverboat.clients.gym.spaces import observation_space, table_text
from riverboat.environments.game import CALL_NUMBER, FOLD_NUMBER, LearningGame, learning_game
from riverboat.environments.hands import NOBODY, Hands
from riverboat.errors import InvalidInput
from riverboat.rules.state import View
from riverboat.rules.variant import no_limit

Observation = dict[str, NDArray[Any]]


class SingleTable(gymnasium.Env[Observation, np.int64]):
    """A hand against bots, which may be any of Riverboat's agents or your own; rewards are big blinds, at the end.

    The learner moves on by a seat with each hand. A hand that ends before it has a decision is not an episode; what it
    won there is in the next reset's info as `undecided`. An impossible action becomes a check or a fold, and the info
    of the step has `impossible`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self, game: LearningGame | None = None, opponents: Sequence[Bot] | None = None, render_mode: str | None = None
    ) -> None:
        """Make a table with these opponents from the learner's left on, by default bots that always call."""
        self.game = game or learning_game(no_limit(50, 100))
        others = self.game.player_count - 1
        self.opponents = list(opponents) if opponents is not None else _calling(others)
        if len(self.opponents) != others:
            raise InvalidInput(
                "opponents", f"{others} bots are needed for {others + 1} seats, not {len(self.opponents)}"
            )
        self.render_mode = render_mode
        self.observation_space = observation_space(self.game)
        self.action_space = spaces.Discrete(self.game.action_count)
        self._hands, self._seat, self._actions = Hands(self.game), 0, list[int]()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start the next hand in which the learner has a decision."""
        super().reset(seed=seed)
        if seed is not None:
            self._seat = 0
        self._hands.seed(self.np_random)
        undecided = 0.0
        while True:
            self._seat = (self._seat + 1) % self.game.player_count
            self._actions.clear()
            self._hands.start(0)
            self._let_others_act()
            if self._hands.arrays.actors[0] != NOBODY:
                return self._observation(), {"undecided": undecided}
            undecided += self._payoff()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Let the learner act, and the others until it is its turn again or the hand is over."""
        number, mask, info = int(action), self._hands.arrays.masks[0], dict[str, Any]()
        if self._hands.arrays.actors[0] != NOBODY and not (0 <= number < len(mask) and mask[number]):
            number, info = FOLD_NUMBER if mask[FOLD_NUMBER] else CALL_NUMBER, {"impossible": number}
        self._play(self._hands.chips_of(0, number))
        self._let_others_act()
        is_over = bool(self._hands.arrays.actors[0] == NOBODY)
        return self._observation(), self._payoff() if is_over else 0.0, is_over, False, info

    def _play(self, action: int) -> None:
        self._hands.play(0, action)
        self._actions.append(action)

    def _let_others_act(self) -> None:
        while (actor := int(self._hands.arrays.actors[0])) not in (NOBODY, self._seat):
            public = self._hands.public_state(0)
            bot = self.opponents[(actor - self._seat) % self.game.player_count - 1]
            self._play(int(bot.act(View(actor, public, self._hands.holding(0, actor), tuple(self._actions)))))

    def _payoff(self) -> float:
        return float(self._hands.arrays.payoffs[0, self._seat]) / self.game.variant.big_blind

    def _observation(self) -> Observation:
        arrays = self._hands.arrays
        return {"observation": arrays.observations[0].copy(), "action_mask": arrays.masks[0].copy()}

    def render(self) -> str | None:
        """Return the table in words, without anybody's cards."""
        return table_text(self._hands) if self.render_mode == "ansi" else None


def _calling(count: int) -> list[Bot]:
    return [CallBot(np.random.default_rng(seat)) for seat in range(count)]
