"""Plays a blueprint in real hands: follows the betting in the tree, and translates every bet that the tree lacks.

A raise in a hand is compared with the raises of the tree as a fraction of the pot. Between two of them it counts as
both, each with the chance of the pseudo-harmonic mapping. So a hand is at several nodes of the tree at once, each with
a weight, and the strategy is their mixture. It depends on nothing but what everybody has seen.
"""

from collections import defaultdict
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.blueprint import Blueprint
from riverboat.rules.betting import ACT, BET, CALL, CHANCE, HIGH, POT, TO_CALL
from riverboat.rules.state import PublicState, View
from riverboat.rules.translation import pseudo_harmonic_chances

F64 = NDArray[np.float64]
Nodes = dict[int, float]
_LEAST_WEIGHT = 0.01  # nodes with less weight are left out


def blueprint_chances(blueprint: Blueprint, view: View) -> dict[int, F64] | None:
    """Return how likely each holding takes each action [H]; None where the hand has left the tree."""
    public = view.public
    nodes = nodes_of(blueprint, view)
    if not nodes:
        return None
    chances: dict[int, F64] = defaultdict(lambda: np.zeros(blueprint.game.holding_count))
    for node, weight in nodes.items():
        strategy = blueprint.strategy(node, public.board)
        for place, action in enumerate(_real_actions(blueprint, node, public)):
            chances[action] += weight * strategy[place]
    return dict(chances)


def nodes_of(blueprint: Blueprint, view: View) -> Nodes:
    """Return the decisions of the tree that a hand is at, with their weights; none if it has left the tree."""
    nodes: Nodes = {0: 1.0}
    states = [state for state in view.states() if state.actor is not None]
    for public, action in zip(states, view.actions, strict=False):
        nodes = _after(blueprint, nodes, public, action)
    return nodes


def _after(blueprint: Blueprint, nodes: Mapping[int, float], public: PublicState, action: int) -> Nodes:
    """Return the nodes that an action leads to, without terminals, since the hand goes on."""
    tree, after = blueprint.game.tree, defaultdict[int, float](float)
    for node, weight in nodes.items():
        for child, chance in _translated(blueprint, node, public, action):
            while tree.kind[child] == CHANCE:
                child = int(tree.first_child[child])
            if tree.kind[child] == ACT:
                after[child] += weight * chance
    total = sum(after.values())
    kept = {node: weight for node, weight in after.items() if weight >= _LEAST_WEIGHT * total}
    total = sum(kept.values())
    return {node: weight / total for node, weight in kept.items()}


def _translated(blueprint: Blueprint, node: int, public: PublicState, action: int) -> list[tuple[int, float]]:
    """Return the children of a node that an action of a hand is translated to, and how likely each is."""
    tree, actions = blueprint.game.tree, blueprint.game.betting.action
    first, count = int(tree.first_child[node]), int(tree.child_count[node])
    if action <= CALL:
        return [(child, 1.0) for child in range(first, first + count) if actions[child] == action]
    raises = _real_raises(blueprint, node, public)
    if not raises:
        return []
    by_size = dict(sorted((to, child) for child, to in raises.items()))
    sizes = tuple(by_size)
    chances = pseudo_harmonic_chances(public, action, sizes)
    # A bet below the smallest of the tree counts as the smallest: a check would lead to another betting round.
    return [(by_size[size if size > CALL else sizes[0]], chance) for size, chance in chances]


def _real_raises(blueprint: Blueprint, node: int, public: PublicState) -> dict[int, int]:
    """Return the raises of a node, by child, as raises of the hand: to the same fraction of the pot, or all-in.

    Where two of them are the same raise in the hand, the larger stands for both.
    """
    tree, lines = blueprint.game.tree, blueprint.game.betting
    state = lines.states[node]
    first, count = int(tree.first_child[node]), int(tree.child_count[node])
    raises: dict[int, int] = {}
    taken: dict[int, int] = {}
    for child in range(first, first + count):
        size = int(lines.action[child])
        if size <= CALL:
            continue
        if size == state[HIGH]:
            to = public.raise_limits[1] if public.raise_limits else None
        else:
            fraction = (size - state[BET]) / (state[POT] + state[TO_CALL])
            to = public.nearest_raise(public.bet + round(fraction * (public.pot + public.to_call)))
        if to is None:
            continue
        if to in taken:
            del raises[taken[to]]
        taken[to] = child
        raises[child] = to
    return raises


def _real_actions(blueprint: Blueprint, node: int, public: PublicState) -> list[int]:
    """Return each of a node's actions as an action of the hand; a raise that the hand does not allow becomes a call."""
    tree, lines = blueprint.game.tree, blueprint.game.betting
    raises = _real_raises(blueprint, node, public)
    children = range(int(tree.first_child[node]), int(tree.first_child[node] + tree.child_count[node]))
    real: list[int] = []
    for child in children:
        action = int(lines.action[child])
        if action <= CALL:
            real.append(action if action == CALL or public.to_call else CALL)
        elif child in raises:
            real.append(raises[child])
        else:  # the next larger raise stands for it; there is none where raises are not allowed
            real.append(next((raises[other] for other in children if other > child and other in raises), CALL))
    return real
