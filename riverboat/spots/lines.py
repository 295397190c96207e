"""The betting of a hand, as a solver wants it."""

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.rules import betting, tree
from riverboat.rules.betting import ACTOR, OUT, PAID, POT
from riverboat.rules.tree import BettingTree
from riverboat.solving import subgame
from riverboat.solving.subgame import Lines, two_player_lines

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
    return two_player_lines(
        kind,
        found.states[:, ACTOR],
        found.columns(OUT),
        found.parent,
        found.first_child,
        found.child_count,
        found.action,
        found.states[:, POT],
        found.columns(PAID),
    )
