"""Small policies for the 24-card deck, each made once."""

from functools import cache

import numpy as np

from riverboat.features.preflop import class_features
from riverboat.policies.game_states import StateSource, StreetStates
from riverboat.policies.menus import menus_of
from riverboat.policies.policy import F32, LearnedPolicy
from riverboat.policies.trees import LEAF, TreeShape, tree_of_leaves
from riverboat.streets import STREETS
from tests.unit.blueprint.games import random_blueprint

EQUITY_CUT = 0.5


@cache
def preflop_of_24() -> F32:
    """Return the preflop card features of the 24-card deck."""
    return class_features(random_blueprint("24").game.variant.deck)


@cache
def state_source() -> StateSource:
    """Return a source of states of a small game."""
    return StateSource(random_blueprint("24"), preflop_of_24())


@cache
def drawn_states() -> tuple[StreetStates, ...]:
    """Return states by street."""
    return state_source().draw(150, 3, 0.1, np.random.default_rng(4))


@cache
def small_policy() -> LearnedPolicy:
    """Return a policy that folds below an equity of a half, and calls, raises or shoves above it."""
    game = random_blueprint("24").game
    menus = menus_of(game.sizes, len(STREETS))
    models = []
    for menu in menus:
        shape = TreeShape(
            np.array([0, LEAF, LEAF], np.int16), np.array([EQUITY_CUT, 0, 0], np.float32), np.array([2, 0, 0], np.int32)
        )
        chances = np.zeros((2, len(menu)), np.float32)
        chances[0, 0], chances[1, 1:] = 1, 1 / (len(menu) - 1)
        models.append(tree_of_leaves(shape, np.array([3, 5], np.float32), chances))
    return LearnedPolicy(
        kind="cart",
        deck=game.variant.deck,
        stack=game.stack,
        preflop=preflop_of_24(),
        menus=menus,
        models=tuple(models),
    )
