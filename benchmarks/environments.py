"""Steps a second of the environments, beside PettingZoo's own hold'em and open_spiel's Python environment.

All play heads-up no-limit hold'em with random legal actions. PettingZoo's and ours have half-pot, pot and all-in
raises, open_spiel's pot-sized and all-in raises.
"""

import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Row, in_turn, per_second

_STEPS = {"agents": 4_000, "peer": 800, "open_spiel": 2_000}
_TABLES, _ROUNDS = 1_000, 50
_BAR = 10


def rows() -> Iterator[Row]:
    """Yield the rows about environments."""
    warnings.simplefilter("ignore")
    from pettingzoo.classic import texas_holdem_no_limit_v6

    from riverboat.clients.gym import aec

    steps = (_agents(aec.env(), _STEPS["agents"]), _tables(), _agents(texas_holdem_no_limit_v6.env(), _STEPS["peer"]),
             _open_spiel(_STEPS["open_spiel"]))  # fmt: skip
    times = in_turn(*steps, rounds=5)
    counts = (_STEPS["agents"], _TABLES * _ROUNDS, _STEPS["peer"], _STEPS["open_spiel"])
    agents, tables, peer, open_spiel = (time / count for time, count in zip(times, counts, strict=True))
    for work, seconds in (("AEC environment, steps", agents), (f"environment of {_TABLES:,} tables, steps", tables)):
        for name, other in (("PettingZoo's texas_holdem_no_limit", peer), ("open_spiel's rl_environment", open_spiel)):
            ratio, has_bar = other / seconds, other is peer
            yield Row(work, per_second(1, seconds), f"{name} {per_second(1, other)}", f"{ratio:.3g}×",
                      f"{_BAR}×" if has_bar else "", ratio >= _BAR if has_bar else None)  # fmt: skip


def _agents(env: Any, count: int) -> Callable[[], None]:
    rng = random.Random(0)  # noqa: S311

    def steps() -> None:
        left = count
        while left > 0:
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                env.step(int(rng.choice(observation["action_mask"].nonzero()[0])))
                left -= 1

    return steps


def _tables() -> Callable[[], None]:
    from riverboat.clients.gym.many_tables import ManyTables

    envs, rng = ManyTables(_TABLES), np.random.default_rng(0)
    observations, _ = envs.reset(seed=0)
    masks = [observations["action_mask"]]

    def steps() -> None:
        for _ in range(_ROUNDS):
            actions = (rng.random(masks[0].shape) * masks[0]).argmax(axis=1)
            masks[0] = envs.step(actions)[0]["action_mask"]

    return steps


def _open_spiel(count: int) -> Callable[[], None]:
    from open_spiel.python.rl_environment import Environment

    game = {
        "betting": "nolimit", "bettingAbstraction": "fcpa", "numPlayers": 2, "numRounds": 4, "blind": "100 50",
        "firstPlayer": "2 1 1 1", "numSuits": 4, "numRanks": 13, "numHoleCards": 2, "numBoardCards": "0 3 1 1",
        "stack": "10000 10000",
    }  # fmt: skip
    env, rng = Environment("universal_poker", **game), random.Random(0)  # noqa: S311

    def steps() -> None:
        left = count
        while left > 0:
            step = env.reset()
            while not step.last():
                player = step.observations["current_player"]
                step = env.step([rng.choice(step.observations["legal_actions"][player])])
                left -= 1

    return steps
