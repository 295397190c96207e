"""The value of a strategy of the abstract game, and of a best response to it, over all boards.

The response bets in the same tree but sees its cards, not only their group: no player who keeps to the tree can win
more. Boards are walked through card by card, and on each the whole betting of the street, for all holdings at once.
Flops that differ only by names of suits are evaluated once; by symmetry the values of a class of starting hands are
then the means over its members.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from math import comb, inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.deals import DealTables, empty_live, write_live
from riverboat.blueprint.game import PLAYERS, AbstractGame, TreeArrays
from riverboat.blueprint.groups import NOBODY, write_table_groups
from riverboat.blueprint.showdowns import LiveHoldings, write_fold, write_showdown
from riverboat.blueprint.traversal import PlayMemory, Room, Walk, make_room, room_size, walk, write_strategy
from riverboat.compiled.kernels import kernel
from riverboat.features.preflop import class_numbers
from riverboat.holdings import live_holdings
from riverboat.rules.betting import ACT, CHANCE, FOLDED, SHOWDOWN
from riverboat.strength.boards import different_boards

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]
ReportShare = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class BoardSample:
    """Numbers of flops, of turns after each flop and of rivers after each turn to evaluate; 0 for all.

    A response to a sample knows the boards that are in it, so it wins more than it would on all boards.
    """

    flops: int = 0
    turns: int = 0
    rivers: int = 0


ALL_BOARDS = BoardSample()


def exploitability(
    game: AbstractGame, tables: DealTables, weights: F32, rng: np.random.Generator, sample: BoardSample = ALL_BOARDS
) -> float:
    """Return mean winnings of best responses over both seats, in chips per hand, against a strategy's `weights` [E]."""
    wins = [  # both players on the same boards
        worth(game, tables, weights, player, deepcopy(rng), responds=True, sample=sample) for player in range(PLAYERS)
    ]
    return sum(wins) / PLAYERS


def worth(
    game: AbstractGame,
    tables: DealTables,
    weights: F32,
    player: int,
    rng: np.random.Generator,
    *,
    own: F32 | None = None,
    responds: bool = False,
    sample: BoardSample = ALL_BOARDS,
    report: ReportShare = lambda done: None,
) -> float:
    """Return the winnings of a player against a strategy's `weights` [E], in chips per hand.

    The player has weights of its `own` [E], or the same strategy if they are None, or responds best.
    """
    valuation = _Valuation(
        game,
        tables,
        (weights if own is None else own, weights),
        player=player,
        responds=responds,
        sample=sample,
        rng=rng,
        report=report,
    )
    return float(valuation.root_values().mean())


class _Values(NamedTuple):
    """Reach and values of the nodes before the last street, by the node's place among them."""

    place: I64  # [N]; -1 on the last street
    reach: F32  # [n, H]
    values: F32  # [n, H]


class _Valuation:
    """Walks through all boards for one player."""

    def __init__(
        self,
        game: AbstractGame,
        tables: DealTables,
        pair: tuple[F32, F32],
        *,
        player: int,
        responds: bool,
        sample: BoardSample,
        rng: np.random.Generator,
        report: ReportShare,
    ) -> None:
        self._game, self._tables, self._player = game, tables, player
        self._own, self._theirs = pair
        self._how = Walk(player=player, samples=False, learns=False, responds=responds, prune_below=-inf)
        self._sample, self._rng, self._report = sample, rng, report
        tree, count = game.tree, game.holding_count
        self._last = len(game.groups_by_street) - 1
        early = np.flatnonzero(tree.street < self._last)
        place = np.full(len(tree.kind), -1)
        place[early] = np.arange(len(early))
        room = (len(early), count)
        self._state = _Values(place, np.zeros(room, np.float32), np.zeros(room, np.float32))
        self._nodes = [np.flatnonzero(tree.street == street) for street in range(self._last + 1)]
        self._room = make_room(room_size(game), np.uint64(0))
        self._live = empty_live(count, self._last + 1)
        cards = tables.cards
        self._all = LiveHoldings(
            first_card=np.ascontiguousarray(cards[:, 0]),
            second_card=np.ascontiguousarray(cards[:, 1]),
            holding=np.arange(count, dtype=np.int32),
            block_end=np.zeros(count, np.int32),
            groups=np.zeros((1, count), np.uint16),
        )

    def root_values(self) -> F64:
        """Return the winnings of each holding [H]."""
        deck = self._game.variant.deck
        first = np.float32(1 / comb(len(deck.cards) - deck.holding_size, deck.holding_size))
        if self._last == 0:
            n = write_live(np.empty(0, np.uint8), self._tables, self._live)
            self._room.reach[0, :n] = first
            memory = PlayMemory(self._own, self._own)
            walk(0, self._game.tree, memory, self._theirs, self._live, n, self._how, self._room)
            values: F64 = self._room.values[0, :n].astype(np.float64)
            return values
        self._state.reach[0] = first
        self._street(0, (), [1.0])
        root: F64 = self._state.values[0].astype(np.float64)
        return root

    def _street(self, street: int, board: tuple[int, ...], shares: list[float]) -> None:
        """Write the values of a street's nodes on a board; the reach of its first nodes must be written already."""
        game, tree, nodes = self._game, self._game.tree, self._nodes[street]
        groups = self._groups(street, board)
        spread_reach(nodes, tree, self._theirs, groups, self._player, self._state)
        deals = nodes[tree.kind[nodes] == CHANCE]
        showdowns = nodes[tree.kind[nodes] == SHOWDOWN]
        self._state.values[self._state.place[np.concatenate([deals, showdowns])]] = 0
        following = list(self._following(street, board))
        for done, (more, share) in enumerate(following):
            self._after(street + 1, more, [*shares, share], deals)
            if not street:
                self._report((done + 1) / len(following))
        if not street and game.variant.deck.is_holdem:
            self._average_classes(np.concatenate([deals, showdowns]))
        gather_values(nodes, tree, self._own, groups, self._how, self._all, self._state)

    def _after(self, street: int, board: tuple[int, ...], shares: list[float], deals: I64) -> None:
        """Add the values of a longer board to those of the deals before it."""
        tree, state = self._game.tree, self._state
        if street == self._last:
            early = np.concatenate([nodes[tree.kind[nodes] == SHOWDOWN] for nodes in self._nodes[:-1]])
            factors = np.array([np.prod(shares[int(tree.street[node]) + 1 :]) for node in early], np.float32)
            add_last_street(
                (np.array(board, np.uint8), shares[-1], deals, early, factors),
                self._tables,
                tree,
                (self._own, self._theirs),
                self._how,
                state,
                (self._live, self._room),
            )
            return
        live = live_holdings(self._game.variant.deck, board)
        children = tree.first_child[deals]
        state.reach[state.place[children]] = state.reach[state.place[deals]] * live
        self._street(street, board, shares)
        state.values[state.place[deals]] += state.values[state.place[children]] * live * np.float32(shares[-1])

    def _groups(self, street: int, board: tuple[int, ...]) -> NDArray[np.uint16]:
        groups = self._tables.groups
        if not street:
            return groups.first
        row = np.empty(self._game.holding_count, np.uint16)
        keys, table = ((groups.flop_keys, groups.flops), (groups.turn_keys, groups.turns))[street - 1]
        write_table_groups(np.array(board, np.uint8), keys, table, groups, row)
        row[row == NOBODY] = 0
        return row

    def _following(self, street: int, board: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], float]]:
        """Yield the boards that follow, each with the chance of the boards that it stands for, given two holdings."""
        deck, sizes = self._game.variant.deck, self._game.variant.board_sizes
        more = sizes[street + 1] - sizes[street]
        chance = 1 / comb(len(deck.cards) - sizes[street] - 2 * deck.holding_size, more)
        if more > 1:
            flops, weights = different_boards(deck, more)
            if self._sample.flops:
                share = weights / weights.sum()
                drawn = self._rng.choice(len(flops), self._sample.flops, p=share)
                flops, weights = flops[drawn], np.full(len(drawn), weights.sum() / len(drawn))
            for flop, weight in zip(flops.tolist(), weights.tolist(), strict=True):
                yield tuple(flop), weight * chance
            return
        rest = [card for card in deck.cards if card not in board]
        wanted = self._sample.rivers if street + 1 == self._last else self._sample.turns
        chosen = self._rng.choice(rest, wanted, replace=False).tolist() if 0 < wanted < len(rest) else rest
        for card in chosen:
            yield (*board, card), chance * len(rest) / len(chosen)

    def _average_classes(self, nodes: I64) -> None:
        classes = class_numbers(self._game.variant.deck)
        sizes = np.bincount(classes)
        for place in self._state.place[nodes].tolist():
            means = np.bincount(classes, self._state.values[place]) / sizes
            self._state.values[place] = means[classes]


@kernel
def spread_reach(
    nodes: I64, tree: TreeArrays, weights: F32, groups: NDArray[np.uint16], player: int, state: _Values
) -> None:
    """Write the opponent's reach of all nodes of a street, parents first."""
    strategy = np.empty(tree.groups.max() * tree.child_count.max(), np.float32)
    for node in nodes:
        if tree.kind[node] != ACT:
            continue
        count, first, reach = tree.child_count[node], tree.first_child[node], state.reach[state.place[node]]
        write_strategy(weights, tree.row[node], tree.groups[tree.street[node]], count, strategy)
        for a in range(count):
            below = state.reach[state.place[first + a]]
            for h in range(reach.size):
                mine = tree.actor[node] == player
                below[h] = reach[h] if mine else reach[h] * strategy[np.int64(groups[h]) * count + a]


@kernel
def gather_values(
    nodes: I64,
    tree: TreeArrays,
    weights: F32,
    groups: NDArray[np.uint16],
    how: Walk,
    every: LiveHoldings,
    state: _Values,
) -> None:
    """Write the values of all decisions of a street, children first; deals and showdowns must have theirs already."""
    strategy = np.empty(tree.groups.max() * tree.child_count.max(), np.float32)
    for place in range(nodes.size - 1, -1, -1):
        node = nodes[place]
        values, reach = state.values[state.place[node]], state.reach[state.place[node]]
        if tree.kind[node] == FOLDED:
            sign = -1.0 if tree.actor[node] == how.player else 1.0
            write_fold(every, reach.size, reach, sign * tree.stake[node], values)
        if tree.kind[node] != ACT:
            continue
        count, first = tree.child_count[node], tree.first_child[node]
        mine = tree.actor[node] == how.player
        write_strategy(weights, tree.row[node], tree.groups[tree.street[node]], count, strategy)
        values[:] = -np.inf if mine and how.responds else 0.0
        for a in range(count):
            below = state.values[state.place[first + a]]
            for h in range(values.size):
                if mine and how.responds:
                    values[h] = max(values[h], below[h])
                elif mine:
                    values[h] += below[h] * strategy[np.int64(groups[h]) * count + a]
                else:
                    values[h] += below[h]


@kernel
def add_last_street(
    where: tuple[U8, float, I64, I64, F32],
    tables: DealTables,
    tree: TreeArrays,
    pair: tuple[F32, F32],
    how: Walk,
    state: _Values,
    room_of: tuple[LiveHoldings, Room],
) -> None:
    """Add the values on a whole board to those of the deals before it, and of all-ins on earlier streets."""
    board, share, deals, showdowns, factors = where
    live, room = room_of
    n = write_live(board, tables, live)
    own, theirs = pair
    memory = PlayMemory(own, own)
    for deal in deals:
        reach, values = state.reach[state.place[deal]], state.values[state.place[deal]]
        total = np.float32(0.0)
        for h in range(n):
            room.reach[0, h] = reach[live.holding[h]]
            total += room.reach[0, h]
        if total > 0:
            walk(tree.first_child[deal], tree, memory, theirs, live, n, how, room)
            for h in range(n):
                values[live.holding[h]] += np.float32(share) * room.values[0, h]
    for s in range(showdowns.size):
        reach, values = state.reach[state.place[showdowns[s]]], state.values[state.place[showdowns[s]]]
        for h in range(n):
            room.reach[0, h] = reach[live.holding[h]]
        write_showdown(live, n, room.reach[0], tree.stake[showdowns[s]], room.values[0])
        for h in range(n):
            values[live.holding[h]] += factors[s] * room.values[0, h]
