"""The tree of a spot, filled in this process by the rules."""

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.rules import betting, tree
from riverboat.rules.betting import ACTOR, OUT, PAID, POT
from riverboat.rules.tree import BettingTree
from riverboat.solving import subgame
from riverboat.solving.interfaces import Betting, Tree
from riverboat.solving.subgame import two_player_lines

_KINDS = {
    betting.ACT: subgame.ACT,
    betting.CHANCE: subgame.CHANCE,
    betting.FOLDED: subgame.FOLDED,
    betting.SHOWDOWN: subgame.SHOWDOWN,
    tree.LEAF: subgame.LEAF,
}


class RulesTree(Tree):
    """A `Tree` for a solver, from the betting between two players as the rules expand it."""

    def __init__(self, expanded: BettingTree) -> None:
        if expanded.root.player_count != 2:
            raise InvalidInput("seats", f"only spots with 2 players can be solved, not {expanded.root.player_count}")
        self._expanded = expanded

    def betting(self) -> Betting:
        """Return all lines, with the chips on each."""
        expanded = self._expanded
        pot, paid = expanded.states[:, POT], expanded.columns(PAID)
        lines = two_player_lines(
            kind=np.array([_KINDS[int(kind)] for kind in expanded.kind], np.int8),
            actor=expanded.states[:, ACTOR],
            folded=expanded.columns(OUT),
            parent=expanded.parent,
            first_child=expanded.first_child,
            child_count=expanded.child_count,
            action=expanded.action,
            pot=pot,
            paid=paid,
        )
        return Betting(lines=lines, paid=paid, pot=pot, board_size=expanded.root.variant.deck.board_sizes[-1])
