"""Walks through the abstract game on one board, with all holdings at once (public chance sampling).

A walk improves one player while the other's strategy is fixed. It carries the reach of each of the opponent's holdings
down, and the counterfactual value of each of the player's holdings up. At the opponent's decisions it goes on with
every action, or with one drawn by how often the whole range takes it; the reach of that action is then divided by its
frequency, so that values stay right on average and the range keeps its weight.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.game import AbstractGame, TreeArrays
from riverboat.blueprint.showdowns import LiveHoldings, write_fold, write_showdown
from riverboat.compiled.kernels import kernel
from riverboat.equity.sampler import next_unit
from riverboat.rules.betting import CHANCE, FOLDED, SHOWDOWN

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
PRUNED_SHARE = 0.95  # of walks that leave out an action which all groups regret deeply


class PlayMemory(NamedTuple):
    """The results of self-play, by entry of the tree."""

    regrets: F32  # [E]
    sums: F32  # [E], of the strategy so far


class Room(NamedTuple):
    """Arrays that a walk writes to, by depth."""

    node: I64  # [depth]
    action: I64  # [depth]: the action whose subtree is walked; -1 before the first
    skipped: I64  # [depth]: a bit for each action that is left out
    reach: F32  # [depth, H]
    values: F32  # [depth, H]
    action_values: F32  # [depth, actions, H]
    strategy: F32  # [depth, groups * actions]
    by_group: F32  # [groups]
    random: U64  # [1]


class RoomSize(NamedTuple):
    """The sizes of the arrays of a walk: the largest numbers in a game."""

    depth: int  # of the tree
    actions: int  # of a node
    groups: int  # of a street
    holdings: int


def room_size(game: AbstractGame) -> RoomSize:
    """Return the sizes of the arrays that walks through a game need."""
    return RoomSize(
        depth=game.depth,
        actions=int(game.tree.child_count.max()),
        groups=max(game.groups_by_street),
        holdings=game.holding_count,
    )


class Walk(NamedTuple):
    """The settings of a walk."""

    player: int  # the player who improves
    samples: bool  # whether the opponent's actions are sampled
    learns: bool  # whether regrets and sums are added to
    responds: bool  # whether the player takes the best action of each holding instead of its strategy
    prune_below: float  # chips: an action that every group regrets more is mostly left out; -inf for never


@kernel
def make_room(size: RoomSize, seed: np.uint64) -> Room:
    """Return arrays for walks, with a random generator that starts at `seed`."""
    random = np.empty(1, np.uint64)
    random[0] = seed
    rows = size.depth + 1
    return Room(
        node=np.zeros(rows, np.int64),
        action=np.zeros(rows, np.int64),
        skipped=np.zeros(rows, np.int64),
        reach=np.empty((rows, size.holdings), np.float32),
        values=np.empty((rows, size.holdings), np.float32),
        action_values=np.empty((rows, size.actions, size.holdings), np.float32),
        strategy=np.empty((rows, size.groups * size.actions), np.float32),
        by_group=np.empty(size.groups, np.float32),
        random=random,
    )


@kernel
def write_strategy(weights: F32, row: int, group_count: int, count: int, out: F32) -> None:
    """Write the positive weights of a node's entries as shares [groups * actions]; uniform where none is positive.

    Regrets give the strategy of regret matching, sums the average strategy.
    """
    even = np.float32(1.0 / count)
    zero = np.float32(0.0)
    for g in range(group_count):
        at = g * count
        total = zero
        for a in range(count):
            total += max(weights[row + at + a], zero)
        for a in range(count):
            out[at + a] = max(weights[row + at + a], zero) / total if total > zero else even


@kernel
def walk(
    start: int, tree: TreeArrays, memory: PlayMemory, theirs: F32, live: LiveHoldings, n: int, how: Walk, room: Room
) -> int:
    """Write the values of the player's holdings at a node to `room.values[0]`; return how many nodes were visited.

    `room.reach[0]` is the opponent's reach there; `theirs` [E] are the weights that the opponent plays by.
    """
    depth, visited = 0, 0
    room.node[0], room.action[0] = start, -1
    while depth >= 0:
        if room.action[depth] < 0:
            visited += 1
            while tree.kind[room.node[depth]] == CHANCE:
                room.node[depth] = tree.first_child[room.node[depth]]
            if _write_terminal(depth, tree, live, n, how.player, room):
                depth -= 1
                continue
            _enter(depth, tree, memory, theirs, live, n, how, room)
        else:
            _take_back(depth, tree, live, n, how, room)
        if _go_on(depth, tree, memory, live, n, how, room):
            depth += 1
            room.action[depth] = -1
            continue
        if how.learns and tree.actor[room.node[depth]] == how.player:
            _add_regrets(depth, tree, memory, live, n, room)
        depth -= 1
    return visited


@kernel
def _write_terminal(depth: int, tree: TreeArrays, live: LiveHoldings, n: int, player: int, room: Room) -> bool:
    """Write the values of a terminal; return whether the node is one."""
    node = room.node[depth]
    if tree.kind[node] == FOLDED:
        sign = -1.0 if tree.actor[node] == player else 1.0
        write_fold(live, n, room.reach[depth], sign * tree.stake[node], room.values[depth])
        return True
    if tree.kind[node] == SHOWDOWN:
        write_showdown(live, n, room.reach[depth], tree.stake[node], room.values[depth])
        return True
    return False


@kernel
def _enter(
    depth: int, tree: TreeArrays, memory: PlayMemory, theirs: F32, live: LiveHoldings, n: int, how: Walk, room: Room
) -> None:
    """Begin a decision: write its strategy; add an opponent's to the sums, or choose actions of the player to skip."""
    node = room.node[depth]
    street, row, count = tree.street[node], tree.row[node], tree.child_count[node]
    groups, group_count, strategy = live.groups[street], tree.groups[street], room.strategy[depth]
    room.values[depth, :n] = 0
    room.skipped[depth] = 0
    if tree.actor[node] != how.player:
        write_strategy(theirs, row, group_count, count, strategy)
        room.by_group[:group_count] = 0
        for h in range(n):
            room.by_group[groups[h]] += room.reach[depth, h]
        if how.learns:
            for g in range(group_count):
                if room.by_group[g] > 0:
                    for a in range(count):
                        memory.sums[row + g * count + a] += room.by_group[g] * strategy[g * count + a]
        if how.samples:  # the others are left out
            room.skipped[depth] = ~(np.int64(1) << _draw(group_count, count, strategy, room))
        return
    if how.responds:
        room.values[depth, :n] = -np.inf
        return
    write_strategy(memory.regrets, row, group_count, count, strategy)
    for a in range(count if how.learns else 0):
        kind = tree.kind[tree.first_child[node] + a]
        if kind != FOLDED and kind != SHOWDOWN and how.prune_below > -np.inf:
            best = np.float32(-np.inf)
            for g in range(group_count):
                best = max(best, memory.regrets[row + g * count + a])
            if best < how.prune_below and next_unit(room.random) < PRUNED_SHARE:
                room.skipped[depth] |= np.int64(1) << a


@kernel
def _draw(group_count: int, count: int, strategy: F32, room: Room) -> int:
    """Return an action drawn by how often the range takes it; `room.by_group` has the reach."""
    total = 0.0
    for g in range(group_count):
        total += room.by_group[g]
    wanted = next_unit(room.random) * total
    passed, chosen = 0.0, -1
    for a in range(count):
        taken = 0.0
        for g in range(group_count):
            taken += room.by_group[g] * strategy[g * count + a]
        if taken > 0 and (chosen < 0 or passed <= wanted):
            chosen = a
        passed += taken
    return max(chosen, 0)


@kernel
def _take_back(depth: int, tree: TreeArrays, live: LiveHoldings, n: int, how: Walk, room: Room) -> None:
    """Add the values of the action that was walked to those of its decision."""
    node, a = room.node[depth], room.action[depth]
    values, below = room.values[depth], room.values[depth + 1]
    if tree.actor[node] != how.player:
        for h in range(n):
            values[h] += below[h]
        return
    if how.responds:
        for h in range(n):
            values[h] = max(values[h], below[h])
        return
    groups, count, strategy = live.groups[tree.street[node]], tree.child_count[node], room.strategy[depth]
    out = room.action_values[depth, a]
    for h in range(n):
        out[h] = below[h]
        values[h] += strategy[np.int64(groups[h]) * count + a] * below[h]


@kernel
def _go_on(depth: int, tree: TreeArrays, memory: PlayMemory, live: LiveHoldings, n: int, how: Walk, room: Room) -> bool:
    """Prepare the next action that is not left out, with the reach below it; return whether there is one."""
    node = room.node[depth]
    groups, count, strategy = live.groups[tree.street[node]], tree.child_count[node], room.strategy[depth]
    reach, below = room.reach[depth], room.reach[depth + 1]
    while room.action[depth] + 1 < count:
        room.action[depth] += 1
        a = room.action[depth]
        if (room.skipped[depth] >> a) & 1:
            continue
        room.node[depth + 1] = tree.first_child[node] + a
        if tree.actor[node] == how.player:
            below[:n] = reach[:n]
            return True
        before, after = np.float32(0.0), np.float32(0.0)
        for h in range(n):
            below[h] = reach[h] * strategy[np.int64(groups[h]) * count + a]
            before += reach[h]
            after += below[h]
        if after > 0:
            if how.samples:
                below[:n] *= before / after
            return True
    return False


@kernel
def _add_regrets(depth: int, tree: TreeArrays, memory: PlayMemory, live: LiveHoldings, n: int, room: Room) -> None:
    """Add to the regret of each action what it would have won beyond the strategy."""
    node = room.node[depth]
    groups, row, count = live.groups[tree.street[node]], tree.row[node], tree.child_count[node]
    values = room.values[depth]
    for a in range(count):
        if not (room.skipped[depth] >> a) & 1:
            by_action = room.action_values[depth, a]
            for h in range(n):
                memory.regrets[row + np.int64(groups[h]) * count + a] += by_action[h] - values[h]
