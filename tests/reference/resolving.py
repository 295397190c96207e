"""The four procedures of the seed paper (section 3.4), one step at a time, with dense utility matrices.

Three details are read in the way that makes the algorithm converge to an equilibrium:
- Ranges are passed down without normalising them. Normalised, a rare action would weigh as much in the values above it
  as any other.
- The values of the player who does not act are summed over actions without weights. The acting player's strategy is
  already in the range that was passed down.
- |Events| is the number of deals that are possible given both holdings.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.holdings import holdings_of, live_holdings
from riverboat.rules.bet_sizes import BetSizes
from riverboat.rules.betting import ACT, CHANCE, FOLDED, SHOWDOWN
from riverboat.rules.state import PublicState
from riverboat.rules.tree import Depth, PublicTree, expand
from riverboat.utility import board_utility

Values = NDArray[np.float64]
Estimate = Callable[[int, Values, Values], tuple[Values, Values]]  # of a node, from both ranges


@dataclass
class Node:
    """A node of the subtree with its regrets and strategy sums."""

    regrets: Values  # [H, A]
    strategy: Values  # [H, A]
    child_values: list[Values] = field(default_factory=list)  # of the player who acts
    value: Values = field(default_factory=lambda: np.zeros(0))


@dataclass
class Subtree:
    """The tree below a state, with utility matrices by board."""

    tree: PublicTree
    estimate: Estimate | None
    nodes: dict[int, Node] = field(default_factory=dict)
    utilities: dict[int, Values] = field(default_factory=dict)

    @property
    def deck(self) -> Deck:
        return self.tree.root.variant.deck

    def children(self, node: int) -> range:
        first = int(self.tree.first_child[node])
        return range(first, first + int(self.tree.child_count[node]))

    def board(self, node: int) -> tuple[int, ...]:
        index = int(self.tree.board[node])
        return tuple(self.tree.boards[index, : self.tree.board_sizes[index]].tolist())

    def utility(self, node: int) -> Values:
        index = int(self.tree.board[node])
        if index not in self.utilities:
            matrix = board_utility(self.deck, self.board(node)).matrix().astype(np.float64)
            self.utilities[index] = np.nan_to_num(matrix, nan=0.0)
        return self.utilities[index]


def generate_initial_subtree(
    state: PublicState, sizes: BetSizes, depth: Depth | None = None, estimate: Estimate | None = None
) -> Subtree:
    """Return all nodes down to a depth, with no regrets and uniform strategies."""
    subtree = Subtree(expand(state, sizes, depth), estimate)
    count = holdings_of(subtree.deck).count
    for node in range(subtree.tree.node_count):
        if subtree.tree.kind[node] == ACT:
            actions = len(subtree.children(node))
            subtree.nodes[node] = Node(np.zeros((count, actions)), np.full((count, actions), 1 / actions))
    return subtree


def resolve(subtree: Subtree, r_1: Values, r_2: Values, iterations: int) -> tuple[Values, list[Values]]:
    """Return the average strategy at the root [H, A], and the actor's range after each action, by Bayes' rule."""
    strategies = []
    for _ in range(iterations):
        subtree_traversal_rollout(subtree, 0, r_1, r_2)
        strategies.append(update_strategy(subtree, 0))
    average = np.mean(strategies, axis=0)
    own = (r_1, r_2)[int(subtree.tree.actor[0])]
    after = [bayesian_range_update(own, a, average) for a in range(average.shape[1])]
    return average, [weights / weights.sum() if weights.sum() else weights for weights in after]


def bayesian_range_update(weights: Values, action: int, strategy: Values) -> Values:
    return weights * strategy[:, action]


def subtree_traversal_rollout(subtree: Subtree, node: int, r_1: Values, r_2: Values) -> tuple[Values, Values]:
    """Return both players' values at a node, given both ranges there."""
    tree, kind = subtree.tree, int(subtree.tree.kind[node])
    if kind == SHOWDOWN:
        matrix = subtree.utility(node) * stake(tree, node)
        return matrix @ r_2, -(r_1 @ matrix)
    if kind == FOLDED:
        sign = -1.0 if tree.folded[node, 0] else 1.0
        matrix = np.where(possible_pairs(subtree.deck, subtree.board(node)), sign * stake(tree, node), 0.0)
        return matrix @ r_2, -(r_1 @ matrix)
    if kind == CHANCE:
        return _chance(subtree, node, r_1, r_2)
    if kind == ACT:
        return _player(subtree, node, r_1, r_2)
    if subtree.estimate is None:
        raise ValueError("a cut without an estimate")
    return subtree.estimate(node, r_1, r_2)


def _player(subtree: Subtree, node: int, r_1: Values, r_2: Values) -> tuple[Values, Values]:
    player = int(subtree.tree.actor[node])
    learnt = subtree.nodes[node]
    totals = [np.zeros_like(r_1), np.zeros_like(r_2)]
    learnt.child_values = []
    for a, child in enumerate(subtree.children(node)):
        ranges = [r_1, r_2]
        ranges[player] = bayesian_range_update(ranges[player], a, learnt.strategy)
        values = subtree_traversal_rollout(subtree, child, ranges[0], ranges[1])
        totals[player] += learnt.strategy[:, a] * values[player]
        totals[1 - player] += values[1 - player]
        learnt.child_values.append(values[player])
    learnt.value = totals[player]
    return totals[0], totals[1]


def _chance(subtree: Subtree, node: int, r_1: Values, r_2: Values) -> tuple[Values, Values]:
    children = subtree.children(node)
    v_1, v_2 = np.zeros_like(r_1), np.zeros_like(r_2)
    deck, before = subtree.deck, len(subtree.board(node))
    dealt = len(subtree.board(children[0])) - before
    events = count_deals(len(deck.cards) - before - 2 * deck.holding_size, dealt)
    for child in children:
        live = live_holdings(deck, subtree.board(child))
        values = subtree_traversal_rollout(subtree, child, r_1 * live, r_2 * live)
        v_1 += live * values[0] / events
        v_2 += live * values[1] / events
    return v_1, v_2


def update_strategy(subtree: Subtree, node: int) -> Values:
    """Update regrets and strategies of all nodes from `node` on; return the strategy there."""
    kind = int(subtree.tree.kind[node])
    if kind in (ACT, CHANCE):
        for child in subtree.children(node):
            update_strategy(subtree, child)
    if kind != ACT:
        return np.zeros(0)
    learnt = subtree.nodes[node]
    for a, values in enumerate(learnt.child_values):
        learnt.regrets[:, a] += values - learnt.value
    positive = np.maximum(learnt.regrets, 0)
    for h in range(len(positive)):
        total = positive[h].sum()
        learnt.strategy[h] = positive[h] / total if total > 1e-30 else 1 / positive.shape[1]
    return learnt.strategy.copy()


def stake(tree: PublicTree, node: int) -> float:
    """Return the chips that the loser loses."""
    paid: Sequence[int] = tree.paid[node].tolist()
    return float(min(paid))


def possible_pairs(deck: Deck, board: Sequence[int]) -> NDArray[np.bool_]:
    """Return which pairs of holdings can both be dealt [H, H]."""
    masks, live = holdings_of(deck).masks, live_holdings(deck, board)
    possible: NDArray[np.bool_] = ((masks[:, None] & masks[None, :]) == 0) & live[:, None] & live[None, :]
    return possible


def count_deals(cards: int, dealt: int) -> int:
    """Return the number of deals of this many cards."""
    total = 1
    for i in range(dealt):
        total = total * (cards - i) // (i + 1)
    return total
