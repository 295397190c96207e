"""Card models: at each leaf of a style's tree, the chances of moves for each bucket of holdings."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput
from riverboat.opponents.buckets import BUCKET_COUNTS, NOWHERE, SHARES, holding_classes, write_membership
from riverboat.opponents.features import FEATURE_COUNT
from riverboat.opponents.moves import CHOICE_COUNT
from riverboat.opponents.styles import LEAF, Forest, check_forest

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]


class CardTables(NamedTuple):
    """Chances of moves given a bucket, as kernels take them."""

    forest: Forest
    first_row: I32  # [L]: the row of each leaf's weakest bucket
    chances: F32  # [R, CHOICE_COUNT]
    classes: I64  # [H]: the bucket of each holding before the flop
    flop_shares: F64  # of buckets, on the flop and the turn
    river_shares: F64


@dataclass(frozen=True, slots=True, eq=False)
class CardModels:
    """C styles, each with trees whose leaves have a row of chances for each bucket."""

    tables: CardTables

    def __post_init__(self) -> None:
        tables = self.tables
        check_forest(tables.forest, len(tables.first_row), FEATURE_COUNT)
        rows = leaf_buckets(tables.forest, len(tables.first_row)).cumsum()
        if (
            tables.chances.shape != (rows[-1], CHOICE_COUNT)
            or (tables.first_row[1:] != rows[:-1]).any()
            or tables.first_row[0]
        ):
            raise InvalidInput("cards", "the rows of chances do not fit the trees")
        if not np.allclose(tables.chances.sum(1), 1, atol=1e-2) or (tables.chances < 0).any():
            raise InvalidInput("cards", "chances of a bucket must add up to one")


def card_models(forest: Forest, leaf_count: int, chances: F32) -> CardModels:
    """Return card models of trees and the rows of their leaves, leaf by leaf and bucket by bucket."""
    counts = leaf_buckets(forest, leaf_count)
    first_row = np.concatenate([[0], counts.cumsum()[:-1]]).astype(np.int32)
    return CardModels(card_tables(forest, first_row, chances))


def card_tables(forest: Forest, first_row: I32, chances: F32) -> CardTables:
    """Return tables with the buckets of hold'em."""
    return CardTables(
        forest=forest,
        first_row=first_row,
        chances=chances,
        classes=holding_classes(),
        flop_shares=SHARES[1],
        river_shares=SHARES[3],
    )


def leaf_buckets(forest: Forest, leaf_count: int) -> I64:
    """Return how many buckets each leaf [L] has: as its street."""
    counts: I64 = np.array(BUCKET_COUNTS)[leaf_situations(forest, leaf_count) >> 1]
    return counts


def leaf_situations(forest: Forest, leaf_count: int) -> I64:
    """Return the situation of each leaf [L]."""
    out = np.zeros(leaf_count, np.int64)
    for row in forest.roots:
        for situation, root in enumerate(row.tolist()):
            end = root
            open_nodes = 1
            while open_nodes:  # a tree is in preorder: it ends where all children have been seen
                inner = forest.feature[end] != LEAF
                if not inner:
                    out[forest.right[end]] = situation
                open_nodes += 1 if inner else -1
                end += 1
    return out


@kernel
def shares_on(tables: CardTables, street: int) -> F64:
    """Return the shares of a street's buckets; on the flop and the turn they are the same."""
    return tables.river_shares if street == 3 else tables.flop_shares


@kernel
def chance_of(tables: CardTables, leaf: int, street: int, holding: int, places: U8, choice: int, room: F64) -> float:
    """Return the chance of a move by one holding; room [20] is scratch. Places [H, 2] are the board's."""
    row = tables.first_row[leaf]
    if street == 0:
        return float(tables.chances[row + tables.classes[holding], choice])
    if places[holding, 0] == NOWHERE:
        return 0.0
    first, end = write_membership(places[holding, 0], places[holding, 1], shares_on(tables, street), room)
    chance = 0.0
    for bucket in range(first, end):
        chance += room[bucket] * tables.chances[row + bucket, choice]
    return chance


@kernel
def multiply_by_move(tables: CardTables, leaf: int, street: int, places: U8, choice: int, weights: F64) -> None:
    """Multiply the weight of each holding [H] by its chance of a move."""
    room = np.empty(20, np.float64)
    for holding in range(len(weights)):
        if weights[holding] > 0:
            weights[holding] *= chance_of(tables, leaf, street, holding, places, choice, room)


@kernel
def holding_chances(tables: CardTables, leaf: int, street: int, places: U8, count: int) -> F64:
    """Return the chances of all moves by each holding [CHOICE_COUNT, H]; 0 for holdings that share a board card."""
    room, row = np.empty(20, np.float64), tables.first_row[leaf]
    out = np.zeros((CHOICE_COUNT, count))
    for holding in range(count):
        if street == 0:
            out[:, holding] = tables.chances[row + tables.classes[holding]]
        elif places[holding, 0] != NOWHERE:
            first, end = write_membership(places[holding, 0], places[holding, 1], shares_on(tables, street), room)
            for bucket in range(first, end):
                for choice in range(CHOICE_COUNT):
                    out[choice, holding] += room[bucket] * tables.chances[row + bucket, choice]
    return out
