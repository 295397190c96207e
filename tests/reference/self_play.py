"""A slow twin of walks through an abstract game: one pair of holdings and one action after another."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.game import AbstractGame
from riverboat.rules.betting import ACT, CHANCE, FOLDED
from riverboat.strength.hands import strength_of

F64 = NDArray[np.float64]
GroupOf = Callable[[int, tuple[int, ...], int], int]  # of a street, a board and a holding


def matched(weights: F64) -> F64:
    """Return regret matching, or an average strategy: positive parts as shares, even if there are none."""
    positive = np.maximum(weights, 0)
    return positive / positive.sum() if positive.sum() > 0 else np.full(len(positive), 1 / len(positive))


class SlowWalk:
    """Regrets and sums that one walk on a board adds for one player, from nothing but definitions."""

    def __init__(self, game: AbstractGame, board: tuple[int, ...], group_of: GroupOf, weights: F64) -> None:
        self._game, self._board, self._group_of, self._weights = game, board, group_of, weights
        self.regrets, self.sums = np.zeros(game.entry_count), np.zeros(game.entry_count)

    def value(self, node: int, player: int, mine: int, reach: dict[int, float], cards: NDArray[np.uint8]) -> float:
        """Return what a holding wins against a range, adding its regrets to the entries of its groups."""
        tree = self._game.tree
        if tree.kind[node] == CHANCE:
            return self.value(int(tree.first_child[node]), player, mine, reach, cards)
        if tree.kind[node] != ACT:
            return sum(share * self._payoff(node, player, mine, other, cards) for other, share in reach.items())
        count, first = int(tree.child_count[node]), int(tree.first_child[node])
        children = range(first, first + count)
        if tree.actor[node] == player:
            row = self._row(node, mine)
            strategy = matched(self._weights[row : row + count])
            values = [self.value(child, player, mine, reach, cards) for child in children]
            value = float(strategy @ values)
            self.regrets[row : row + count] += np.array(values) - value
            return value
        total = 0.0
        for place, child in enumerate(children):
            below = {other: share * self._chance(node, other, place) for other, share in reach.items()}
            total += self.value(child, player, mine, below, cards)
        return total

    def add_sums(self, node: int, player: int, reach: dict[int, float]) -> None:
        """Add the opponent's strategy, weighted by reach, to its entries."""
        tree = self._game.tree
        if tree.kind[node] == CHANCE:
            self.add_sums(int(tree.first_child[node]), player, reach)
        if tree.kind[node] != ACT:
            return
        count, first = int(tree.child_count[node]), int(tree.first_child[node])
        for place in range(count):
            below = reach
            if tree.actor[node] != player:
                below = {other: share * self._chance(node, other, place) for other, share in reach.items()}
                for other, share in below.items():
                    self.sums[self._row(node, other) + place] += share
            self.add_sums(first + place, player, below)

    def _chance(self, node: int, holding: int, place: int) -> float:
        row, count = self._row(node, holding), int(self._game.tree.child_count[node])
        return float(matched(self._weights[row : row + count])[place])

    def _row(self, node: int, holding: int) -> int:
        tree = self._game.tree
        group = self._group_of(int(tree.street[node]), self._board, holding)
        return int(tree.row[node]) + group * int(tree.child_count[node])

    def _payoff(self, node: int, player: int, mine: int, other: int, cards: NDArray[np.uint8]) -> float:
        tree = self._game.tree
        if set(cards[mine].tolist()) & set(cards[other].tolist()):
            return 0.0
        stake = float(tree.stake[node])
        if tree.kind[node] == FOLDED:
            return -stake if tree.actor[node] == player else stake
        deck = self._game.variant.deck
        own, their = (strength_of(deck, (*cards[h].tolist(), *self._board)) for h in (mine, other))
        return stake * float(np.sign(own - their))
