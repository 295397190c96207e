"""A tree's questions in sentences."""

import numpy as np
import pytest

from riverboat.clients.analysis.tree_words import (
    PathStep,
    feature_words,
    mix_words,
    path_sentences,
    question_words,
    step_words,
    steps_of,
)
from riverboat.policies.trees import LEAF, TreeShape, tree_of_leaves
from riverboat.rules.state import start, start_random
from riverboat.rules.variant import no_limit
from tests.unit.policies.small_policies import small_policy


@pytest.mark.parametrize(
    ("street", "feature", "words"),
    [
        (0, 0, "you win now"),
        (0, 1, "on the worst 10 % of flops you win at most"),
        (0, 16, "on the best 40 % of turns you win at least"),
        (0, 30, "on the very best river you win"),
        (0, 31, "the opponent's bet on the preflop"),
        (1, 9, "on the best 10 % of turns you win at least"),
        (1, 24, "the opponent's bet on the river"),
        (2, 3, "on the worst 30 % of rivers you win at most"),
        (3, 4, "the opponent's bet on the river"),
    ],
)
def test_every_feature_has_words(street: int, feature: int, words: str) -> None:
    assert feature_words(street, feature) == words


def test_questions_have_units() -> None:
    assert question_words(3, 0, 0.573) == "you win now ≤ 57.3 %?"
    assert question_words(3, 2, 400.0) == "the opponent's bet on the flop ≤ 400?"


def test_questions_about_the_same_feature_are_one_step() -> None:
    shape = TreeShape(
        np.array([0, 1, LEAF, 0, LEAF, LEAF, LEAF], np.int16),
        np.array([0.8, 300, 0, 0.4, 0, 0, 0], np.float32),
        np.array([6, 3, 0, 5, 0, 0, 0], np.int32),
    )
    tree = tree_of_leaves(shape, np.ones(4, np.float32), np.eye(4, dtype=np.float32))
    steps = steps_of(tree, tree.path(np.array([0.5, 900], np.float32)))
    assert [(step.feature, step.above, step.at_most) for step in steps] == [
        (0, pytest.approx(0.4), pytest.approx(0.8)),
        (1, 300, None),
    ]
    words = step_words(3, steps[0], 0.5)
    assert words == "you win now 50 % (over 40 %, up to 80 %)"


def test_bets_are_written_in_the_chips_of_the_hand() -> None:
    assert (
        step_words(3, PathStep(4, 200.0, None), 400.0, scale=0.1) == "the opponent's bet on the river is 40 (over 20)"
    )


def test_a_mix_begins_with_the_likeliest() -> None:
    names = ("fold", "call", "raise")
    assert mix_words(names, np.array([0.3, 0.7, 0.0], np.float32)) == "call 70 %, fold 30 %"
    assert mix_words(names, np.array([0.0, 0.001, 0.999], np.float32)) == "raise"


def test_a_path_says_where_the_player_stands_and_what_follows() -> None:
    game = no_limit(50, 100, deck="24")
    hand = start_random(game, (2_000, 2_000), np.random.default_rng(1))
    view = hand.view(start(game, (2_000, 2_000)).actor or 0)
    sentences = path_sentences(small_policy(), view)
    assert sentences[0] == "You face 50 into 150."
    assert sentences[1].startswith("You win now ")
    assert sentences[2].startswith("So: ")
    assert "states of self-play" in sentences[3]
