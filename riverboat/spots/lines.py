"""The betting of a hand, as a solver wants it."""

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.rules import betting, tree
from riverboat.rules.betting import ACTOR, OUT, PAID, POT
from riverboat.rules.tree import BettingTree
from riverboat.solving import subgame
from riverboat.solving.subgame import Lines

_KINDS = {
    betting.ACT: subgame.ACT,
    betting.CHANCE: subgame.CHANCE,
    betting.FOLDED: subgame.FOLDED,
    betting.SHOWDOWN: subgame.SHOWDOWN,
    tree.LEAF: subgame.LEAF,
}


def lines_of(found: BettingTree) -> Lines:
    """The lines of the betting between two players."""
    if found.root.player_count != 2:
        raise InvalidInput("seats", f"two players can be solved, not {found.root.player_count}")
    kind = np.array([_KINDS[int(kind)] for kind in found.kind], np.int8)
    player = found.states[:, ACTOR].astype(np.int8)
    folded = found.columns(OUT)
    player[kind == subgame.FOLDED] = folded[kind == subgame.FOLDED].argmax(axis=1)
    paid = found.columns(PAID)
    stake = (found.states[:, POT] - np.abs(paid[:, 0] - paid[:, 1])) / 2  # what was not called goes back
    parent, first, count = (array.astype(np.int32) for array in (found.parent, found.first_child, found.child_count))
    return Lines(kind, player, parent, first, count, found.action, stake)
