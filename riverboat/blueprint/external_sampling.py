"""External sampling: a walk deals one holding to each player, and follows all actions of the player who improves
and one sampled action of the opponent.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.game import MOST_ACTIONS, TreeArrays
from riverboat.blueprint.showdowns import LiveHoldings
from riverboat.blueprint.traversal import PlayMemory, write_strategy
from riverboat.compiled.kernels import kernel
from riverboat.equity.sampler import next_unit
from riverboat.rules.betting import ACT, CHANCE, FOLDED

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]


class HoldingPair(NamedTuple):
    """Two holdings, as places among the live ones, and the player who improves."""

    mine: int
    theirs: int
    player: int


@kernel
def draw_pair(live: LiveHoldings, n: int, player: int, random: NDArray[np.uint64]) -> HoldingPair:
    """Draw two of the `n` live holdings that share no card."""
    while True:
        mine, theirs = int(next_unit(random) * n), int(next_unit(random) * n)
        a, b = live.first_card[mine], live.second_card[mine]
        c, d = live.first_card[theirs], live.second_card[theirs]
        if a != c and a != d and b != c and b != d:
            return HoldingPair(mine, theirs, player)


class PairRoom(NamedTuple):
    """Arrays that a walk writes to, by depth."""

    node: I64  # [depth]
    action: I64  # [depth]: the action whose subtree is walked; -1 before the first
    values: F64  # [depth, actions]
    value: F64  # [depth]
    strategy: F32  # [depth, actions]


@kernel
def make_pair_room(depth: int) -> PairRoom:
    """Return arrays for walks in a tree of this depth."""
    return PairRoom(
        node=np.zeros(depth + 1, np.int64),
        action=np.zeros(depth + 1, np.int64),
        values=np.zeros((depth + 1, MOST_ACTIONS), np.float64),
        value=np.zeros(depth + 1, np.float64),
        strategy=np.zeros((depth + 1, MOST_ACTIONS), np.float32),
    )


@kernel
def walk_pair(
    tree: TreeArrays,
    memory: PlayMemory,
    live: LiveHoldings,
    pair: HoldingPair,
    room: PairRoom,
    random: NDArray[np.uint64],
) -> int:
    """Update the memory of the player who improves; return how many of its nodes and terminals were visited."""
    depth, visited = 0, 0
    room.node[0], room.action[0] = 0, -1
    while depth >= 0:
        if room.action[depth] < 0:
            visited += 1
            room.node[depth] = _pass_opponent(room.node[depth], tree, memory, live, pair, room.strategy[depth], random)
            node = room.node[depth]
            if tree.kind[node] >= FOLDED:
                room.value[depth] = _terminal_value(node, tree, live, pair)
                depth -= 1
                continue
            row = _row_of(node, tree, live, pair.mine)
            write_strategy(memory.regrets, row, 1, tree.child_count[node], room.strategy[depth])
            room.value[depth] = 0.0
        else:
            a = room.action[depth]
            room.values[depth, a] = room.value[depth + 1]
            room.value[depth] += room.strategy[depth, a] * room.value[depth + 1]
        node = room.node[depth]
        room.action[depth] += 1
        if room.action[depth] < tree.child_count[node]:
            depth += 1
            room.node[depth], room.action[depth] = tree.first_child[node] + room.action[depth - 1], -1
            continue
        row = _row_of(node, tree, live, pair.mine)
        for a in range(tree.child_count[node]):
            memory.regrets[row + a] += np.float32(room.values[depth, a] - room.value[depth])
        depth -= 1
    return visited


@kernel
def _pass_opponent(
    node: int,
    tree: TreeArrays,
    memory: PlayMemory,
    live: LiveHoldings,
    pair: HoldingPair,
    strategy: F32,
    random: NDArray[np.uint64],
) -> int:
    """Go through deals and sampled opponent actions; return the first node where the player acts or the hand ends."""
    while tree.kind[node] == CHANCE or (tree.kind[node] == ACT and tree.actor[node] != pair.player):
        first = tree.first_child[node]
        if tree.kind[node] == CHANCE:
            node = first
            continue
        row, count = _row_of(node, tree, live, pair.theirs), tree.child_count[node]
        write_strategy(memory.regrets, row, 1, count, strategy)
        wanted, passed, chosen = next_unit(random), 0.0, -1
        for a in range(count):
            memory.sums[row + a] += strategy[a]
            if strategy[a] > 0 and (chosen < 0 or passed <= wanted):
                chosen = a
            passed += strategy[a]
        node = first + max(chosen, 0)
    return int(node)


@kernel
def _row_of(node: int, tree: TreeArrays, live: LiveHoldings, holding: int) -> int:
    """Return the index of a holding's first action in the memory's arrays, at a decision."""
    return int(tree.row[node] + np.int64(live.groups[tree.street[node], holding]) * tree.child_count[node])


@kernel
def _terminal_value(node: int, tree: TreeArrays, live: LiveHoldings, pair: HoldingPair) -> float:
    stake = float(tree.stake[node])
    if tree.kind[node] == FOLDED:
        return -stake if tree.actor[node] == pair.player else stake
    if live.block_end[pair.mine] == live.block_end[pair.theirs]:  # equal strength: the pot is split
        return 0.0
    return stake if pair.mine > pair.theirs else -stake
