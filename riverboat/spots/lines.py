"""The betting lines of a public tree, as a solver wants them."""

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.rules import betting, tree
from riverboat.rules.bet_sizes import BetSizes
from riverboat.rules.state import PublicState
from riverboat.rules.tree import Depth, PublicTree, expand
from riverboat.solving import subgame
from riverboat.solving.subgame import Lines

_KINDS = {
    betting.ACT: subgame.ACT,
    betting.CHANCE: subgame.CHANCE,
    betting.FOLDED: subgame.FOLDED,
    betting.SHOWDOWN: subgame.SHOWDOWN,
    tree.LEAF: subgame.LEAF,
}


def expand_lines(root: PublicState, sizes: BetSizes, depth: Depth | None, limit: int) -> tuple[PublicTree, Lines]:
    """The lines below a state of two players, on one sampled board each; all boards have the same."""
    if root.player_count != 2:
        raise InvalidInput("seats", f"two players can be solved, not {root.player_count}")
    found = expand(root, sizes, depth, boards=1, rng=np.random.default_rng(0), limit=limit)
    return found, lines_of(found)


def lines_of(found: PublicTree) -> Lines:
    """The lines of a tree in which one board follows every deal."""
    kind = np.array([_KINDS[int(kind)] for kind in found.kind], np.int8)
    player = found.actor.astype(np.int8)
    folded = found.folded
    player[kind == subgame.FOLDED] = folded[kind == subgame.FOLDED].argmax(axis=1)
    paid = found.paid
    stake = (found.pot - np.abs(paid[:, 0] - paid[:, 1])) / 2  # what was not called goes back
    return Lines(kind, player, found.parent, found.first_child, found.child_count, found.action, stake)
