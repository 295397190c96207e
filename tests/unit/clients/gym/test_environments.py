"""The environments pass the tests of PettingZoo and Gymnasium, and play by our rules."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from riverboat.arena.bot import Bot
from riverboat.clients.gym import aec
from riverboat.clients.gym.many_tables import ManyTables
from riverboat.clients.gym.single_table import SingleTable
from riverboat.environments.game import CALL_NUMBER, FOLD_NUMBER, learning_game
from riverboat.environments.learning import OtherSeats
from riverboat.errors import IllegalAction, InvalidInput
from riverboat.rules.betting import FOLD
from riverboat.rules.state import View
from riverboat.rules.variant import KUHN, LEDUC, fixed_limit, no_limit

SIX = learning_game(no_limit(50, 100), 6)


@pytest.mark.parametrize(
    "game", [None, SIX, learning_game(fixed_limit(100), 3), learning_game(LEDUC), learning_game(KUHN)]
)
def test_pettingzoo_api(game: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # about observations that are dictionaries
        api_test(aec.env(game), num_cycles=300)


def test_pettingzoo_seeds() -> None:
    seed_test(aec.env, num_cycles=20)


def test_agents_play_for_each_others_chips() -> None:
    env, rng = aec.env(SIX), np.random.default_rng(0)
    won = dict.fromkeys(env.possible_agents, 0.0)
    first = []
    env.reset(seed=4)
    for _ in range(60):
        rewards = dict.fromkeys(env.possible_agents, 0.0)
        first.append(env.agent_selection)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            rewards[agent] += reward
            if terminated or truncated:
                env.step(None)
                continue
            assert observation is not None
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        assert sum(rewards.values()) == pytest.approx(0)
        for agent, reward in rewards.items():
            won[agent] += reward
        env.reset()
    assert set(first) == set(env.possible_agents), "the button moves on"
    assert all(won.values())


def test_nobody_observes_out_of_turn_and_impossible_actions_are_refused() -> None:
    env = aec.env(SIX, render_mode="ansi")
    env.reset(seed=1)
    waiting = next(agent for agent in env.agents if agent != env.agent_selection)
    assert not env.observe(waiting)["observation"].any()
    assert env.observe(env.agent_selection)["observation"].any()
    before = env.render()
    assert "pot 150" in str(before)
    with pytest.raises(IllegalAction, match="cannot choose action 99"):
        env.step(99)
    with pytest.raises(IllegalAction, match="has to act"):
        env.step(None)
    assert env.render() == before


def test_gymnasium_api() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check_env(gymnasium.make("riverboat/Holdem-v0").unwrapped)
        check_env(SingleTable(SIX, render_mode="ansi"))


class Folding(Bot):
    """Folds whenever it can, and remembers what it saw."""

    views: list[View]

    def act(self, view: View) -> int:
        self.views = [*getattr(self, "views", []), view]
        return FOLD if view.public.to_call else 0


def test_a_learner_against_bots() -> None:
    bot = Folding(np.random.default_rng(0))
    env = SingleTable(opponents=[bot])
    observation, info = env.reset(seed=1)  # the first hand of a seed: the learner is on the button
    assert info == {"undecided": 0.0}
    assert observation["action_mask"].tolist()[:2] == [1, 1]
    _, reward, terminated, truncated, info = env.step(np.int64(2))  # a raise, to which the bot folds
    assert (reward, terminated, truncated, info) == (1.0, True, False, {})
    (view,) = bot.views
    assert view.actions == (300 - 100,)
    assert len(view.holding) == 2
    observation, info = env.reset()  # on the button the bot folds at once, which is no decision of the learner's
    assert info == {"undecided": 0.5}
    _, reward, terminated, _, info = env.step(np.int64(17))
    assert (reward, terminated, info) == (-0.5, True, {"impossible": 17})
    with pytest.raises(IllegalAction, match="the hand is over"):
        env.step(np.int64(FOLD_NUMBER))
    with pytest.raises(InvalidInput, match="5 bots are needed for 6 seats, not 1"):
        SingleTable(SIX, opponents=[bot])


def test_many_tables_follow_gymnasiums_interface() -> None:
    envs = gymnasium.make_vec("riverboat/Holdem-v0", num_envs=8, vectorization_mode="vector_entry_point")
    assert isinstance(envs.unwrapped, ManyTables)
    observations, _ = envs.reset(seed=3)
    for _ in range(50):
        assert observations in envs.observation_space
        actions = np.array([np.flatnonzero(row)[-1] if row.any() else 0 for row in observations["action_mask"]])
        assert actions in envs.action_space
        observations, rewards, ended, truncated, _ = envs.step(actions)
        assert rewards.shape == ended.shape == truncated.shape == (8,)
        assert not truncated.any()
        assert not observations["action_mask"][ended].any(), "a hand that has ended starts again with the next step"


def test_many_tables_pay_what_hands_pay() -> None:
    """Against players who always call, calling wins nothing on average; here it is exact: chips are conserved."""
    envs = ManyTables(4_000, learning_game(KUHN), OtherSeats.CALLING)
    envs.reset(seed=5)
    _, rewards, ended, _, _ = envs.step(np.full(4_000, CALL_NUMBER))
    assert ended.all()
    assert set(rewards.tolist()) == {-1.0, 1.0}
    assert abs(rewards.mean()) < 0.1  # six standard deviations


def test_copies_are_kept_and_arrays_can_be_shared() -> None:
    for copy in (True, False):
        envs = ManyTables(3, copy=copy)
        first, _ = envs.reset(seed=[1, None, None])
        before = first["observation"].copy()
        envs.step(np.full(3, CALL_NUMBER))
        assert np.array_equal(first["observation"], before) is copy
