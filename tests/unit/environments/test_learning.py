"""One learner at each of many tables."""

import numpy as np

from riverboat.environments.game import CALL_NUMBER, FIRST_RAISE, FOLD_NUMBER, learning_game
from riverboat.environments.learning import LearningTables, OtherSeats
from riverboat.rules.variant import LEDUC, no_limit

GAME = learning_game(no_limit(50, 100), 3, 2_000)


def tables_of(count: int, opponents: OtherSeats, seed: int = 1) -> LearningTables:
    tables = LearningTables(GAME, count, opponents)
    tables.reset(np.random.default_rng(seed))
    return tables


def test_every_table_waits_for_its_learner() -> None:
    tables = tables_of(50, OtherSeats.RANDOM)
    rng, ended = np.random.default_rng(0), 0
    for _ in range(100):
        steps, arrays = tables.steps, tables.hands.arrays
        going = ~steps.ended
        assert np.array_equal(arrays.actors[going], steps.seats[going])
        assert not arrays.masks[steps.ended].any()
        assert np.all(steps.rewards[going] == 0)
        ended += int(steps.ended.sum())
        tables.step(rng.integers(0, GAME.action_count, 50))
    assert ended > 500


def test_rewards_are_what_the_hand_pays_the_learner() -> None:
    tables = tables_of(20, OtherSeats.CALLING)
    while not tables.steps.ended.all():
        before = tables.steps.ended.copy()
        tables.step(np.full(20, CALL_NUMBER))
        new = tables.steps.ended & ~before
        own = tables.hands.arrays.payoffs[np.arange(20), tables.steps.seats]
        assert np.array_equal(tables.steps.rewards[new], own[new] / 100)
        if not new.all() and tables.steps.ended.any():
            break
    assert set(np.round(tables.steps.rewards[tables.steps.ended], 6)) <= {-1.0, -0.0, 0.5, 2.0}


def test_an_impossible_action_becomes_a_check_or_a_fold() -> None:
    first, second = tables_of(200, OtherSeats.RANDOM), tables_of(200, OtherSeats.RANDOM)
    impossible = np.where(first.hands.arrays.masks[:, FIRST_RAISE + 2] == 0, FIRST_RAISE + 2, 99)
    folding = np.where(second.hands.arrays.masks[:, FOLD_NUMBER] == 1, FOLD_NUMBER, CALL_NUMBER)
    first.step(impossible)
    second.step(folding)
    assert np.array_equal(first.steps.rewards, second.steps.rewards)
    assert np.array_equal(first.hands.arrays.states, second.hands.arrays.states)


def test_hands_without_a_decision_are_not_lost() -> None:
    """Chips of all hands, those that ended before the learner had a decision too, are what seats win on average: 0."""
    game = learning_game(LEDUC)
    tables = LearningTables(game, 1_000, OtherSeats.RANDOM)
    tables.reset(np.random.default_rng(3))
    assert (tables.steps.undecided == 0).all(), "in Leduc nobody folds before the other has decided once"
    tables = tables_of(2_000, OtherSeats.RANDOM)
    won = tables.steps.undecided[tables.steps.undecided != 0]
    assert len(won) > 20
    assert set(won.tolist()) <= {0.5, 1.0, 1.5}, "everybody else folds to the big blind, once or twice"


def test_the_same_seed_gives_the_same_steps() -> None:
    runs = []
    for _ in range(2):
        tables, rewards = tables_of(30, OtherSeats.RANDOM, seed=9), []
        for step in range(40):
            tables.step(np.full(30, step % GAME.action_count))
            rewards.append(tables.steps.rewards.copy())
        runs.append(np.array(rewards))
    assert np.array_equal(runs[0], runs[1])
    assert runs[0].any()
