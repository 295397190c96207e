"""K-models clustering: the trees of each style, then for each player the style that explains its moves best."""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.opponents.boosted_moves import KIND_COUNT
from riverboat.opponents.features import FEATURE_COUNT
from riverboat.opponents.moves import CHOICE_COUNT, first_size
from riverboat.opponents.styles import LEAF, MoveTree
from riverboat.opponents.tendencies import SITUATION_COUNT
from riverboat.services.trainer.opponents.growth import grow_tree
from riverboat.services.trainer.opponents.table import DecisionTable

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I16 = NDArray[np.int16]
I32 = NDArray[np.int32]
EVERYBODY = -1  # in place of a style: the trees of all players together


def style_tree(table: DecisionTable, clusters: I16, style: int, situation: int, leaves: int, least: int) -> MoveTree:
    """Return the tree of a style in a situation, from players that are not held out."""
    learnt_from = ~table.held_out if style == EVERYBODY else (clusters == style) & ~table.held_out
    rows = np.flatnonzero((table.situation == situation) & learnt_from[table.player]).astype(np.int32)
    bins = np.ascontiguousarray(table.bins[rows, :FEATURE_COUNT])
    choices, places = table.choice[rows], np.arange(len(rows), dtype=np.int32)
    if not len(rows):
        return _usual_tree(situation)
    return grow_tree(bins, choices, places, CHOICE_COUNT, leaves, least)


def _usual_tree(situation: int) -> MoveTree:
    """Return a tree without questions for a situation that nobody was in."""
    chances = np.zeros(CHOICE_COUNT, np.float32)
    chances[: int(first_size(situation)) + 1] = 1
    return MoveTree(
        np.array([LEAF], np.int16), np.zeros(1, np.float32), np.zeros(1, np.int32), (chances / chances.sum())[None]
    )


def player_scores(table: DecisionTable, trees: list[MoveTree]) -> tuple[F64, F64]:
    """Return by player [P] the log-likelihood of all moves, and how many kinds of moves were foreseen.

    trees [SITUATION_COUNT] are a style's.
    """
    likelihood, hits = np.zeros(len(table.names)), np.zeros(len(table.names))
    for situation, tree in enumerate(trees):
        logs = np.log(np.maximum(tree.values, 1e-6))
        sums = kind_sums(tree.values, situation).argmax(1).astype(np.uint8)
        _score(tree, logs, sums, situation, table.bins, table.situation, table.choice, table.player, likelihood, hits)
    return likelihood, hits


def kind_sums(chances: F32, situation: int) -> F32:
    """Return the chances of kinds [B, KIND_COUNT] from those of moves [B, CHOICE_COUNT]."""
    first = int(first_size(situation))
    out = np.zeros((len(chances), KIND_COUNT), np.float32)
    out[:, 0], out[:, 2] = chances[:, 0], chances[:, first:].sum(1)
    if first == 2:
        out[:, 1] = chances[:, 1]
    return out


@kernel
def _score(
    tree: MoveTree, logs: F32, likeliest: U8, situation: int, bins: U8, situations: U8, choices: U8, players: I32,
    likelihood: F64, hits: F64,
) -> None:  # fmt: skip
    first = first_size(situation)
    for row in range(len(choices)):
        if situations[row] != situation:
            continue
        leaf = bin_leaf(tree, bins, row)
        likelihood[players[row]] += logs[leaf, choices[row]]
        kind = 2 if choices[row] >= first else choices[row]
        hits[players[row]] += likeliest[leaf] == kind


@kernel
def bin_leaf(tree: MoveTree, bins: U8, row: int) -> int:
    """Return the leaf that a row of bins comes to in a tree whose cuts are bins."""
    node = 0
    while tree.feature[node] != LEAF:
        node = node + 1 if bins[row, tree.feature[node]] <= tree.cut[node] else tree.right[node]
    return int(tree.right[node])


@kernel
def write_bin_leaves(tree: MoveTree, bins: U8, rows: I32, out: I32) -> None:
    """Write the leaves of some rows."""
    for at in range(len(rows)):
        out[at] = bin_leaf(tree, bins, rows[at])


def assigned(table: DecisionTable, styles: list[list[MoveTree]]) -> tuple[I16, dict[str, float]]:
    """Return the style of each player, and how often moves of the players were foreseen."""
    scores = [player_scores(table, trees) for trees in styles]
    clusters = np.array([likelihood for likelihood, _ in scores]).argmax(0).astype(np.int16)
    hits = np.array([hit for _, hit in scores])[clusters, np.arange(len(clusters))]
    moves = np.bincount(table.player, minlength=len(clusters))
    facts = {}
    for name, chosen in (("train", ~table.held_out), ("test", table.held_out)):
        facts[f"{name}_accuracy"] = float(hits[chosen].sum() / max(1, moves[chosen].sum()))
    return clusters, facts


def first_clusters(player_count: int, styles: int, rng: np.random.Generator) -> I16:
    """Return random styles of players."""
    return rng.integers(0, styles, player_count).astype(np.int16)


def real_tree(tree: MoveTree, cuts: list[F32]) -> MoveTree:
    """Return a tree whose cuts are numbers instead of bins."""
    values = [
        0.0 if feature == LEAF else _real(cuts[feature], int(cut))
        for feature, cut in zip(tree.feature.tolist(), tree.cut.tolist(), strict=True)
    ]
    return tree._replace(cut=np.array(values, np.float32))


def _real(cuts: F32, bin_number: int) -> float:
    if not len(cuts):
        return 0.0  # a feature that was always the same
    return float(cuts[min(bin_number, len(cuts) - 1)])


SITUATIONS = range(SITUATION_COUNT)
