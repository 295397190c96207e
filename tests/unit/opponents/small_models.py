"""Small models of players, made without learning."""

import numpy as np

from riverboat.opponents.boosted_moves import KIND_COUNT, BoostedForest, BoostedMoves
from riverboat.opponents.buckets import BUCKET_COUNTS
from riverboat.opponents.card_models import CardModels, card_models
from riverboat.opponents.features import NAMES
from riverboat.opponents.models import OpponentModels
from riverboat.opponents.moves import CHOICE_COUNT, first_size
from riverboat.opponents.styles import LEAF, MoveTree, Styles, joined_trees
from riverboat.opponents.tendencies import SITUATION_COUNT

POT = NAMES.index("pot")


def chances_of(situation: int, aggression: float) -> np.ndarray:
    """Return chances of moves: bets and raises of all sizes together have a share of `aggression`."""
    first = int(first_size(situation))
    row = np.zeros(CHOICE_COUNT, np.float32)
    row[:first] = (1 - aggression) / first
    row[first : first + 7] = aggression / 7
    return row


def pot_tree(low: np.ndarray, high: np.ndarray) -> MoveTree:
    """Return a tree that asks whether the pot is at most ten big blinds."""
    return MoveTree(
        np.array([POT, LEAF, LEAF], np.int16),
        np.array([10, 0, 0], np.float32),
        np.array([2, 0, 1], np.int32),
        np.array([low, high], np.float32),
    )


def small_styles(count: int = 2) -> Styles:
    """Return styles of which later ones bet more."""
    trees = [
        pot_tree(chances_of(situation, 0.1 + 0.3 * style), chances_of(situation, 0.2 + 0.3 * style))
        for style in range(count)
        for situation in range(SITUATION_COUNT)
    ]
    forest, chances = joined_trees(trees, (count, SITUATION_COUNT))
    return Styles(forest=forest, chances=chances, shares=np.full(count, 1 / count))


def small_cards(count: int = 2) -> CardModels:
    """Return card models in which strong buckets bet or raise, and weak ones do not."""
    trees = [
        pot_tree(chances_of(situation, 0.1), chances_of(situation, 0.1))
        for _ in range(count)
        for situation in range(SITUATION_COUNT)
    ]
    forest, leaves = joined_trees(trees, (count, SITUATION_COUNT))
    rows = [
        chances_of(situation, 0.05 + 0.9 * bucket / BUCKET_COUNTS[situation >> 1])
        for _ in range(count)
        for situation in range(SITUATION_COUNT)
        for _ in range(2)
        for bucket in range(BUCKET_COUNTS[situation >> 1])
    ]
    return card_models(forest, len(leaves), np.array(rows, np.float32))


def small_models(player_count: int = 2) -> OpponentModels:
    """Return models of players."""
    leaf = MoveTree(
        np.array([LEAF], np.int16), np.zeros(1, np.float32), np.zeros(1, np.int32), np.zeros((1, 1), np.float32)
    )
    forest, points = joined_trees([leaf] * (SITUATION_COUNT * KIND_COUNT), (SITUATION_COUNT, KIND_COUNT))
    return OpponentModels(
        player_count=player_count,
        styles=small_styles(),
        everybody=small_styles(1),
        boosted=BoostedMoves(BoostedForest(forest, points[:, 0])),
        cards=small_cards(),
    )
