"""CountSubtree and ExpandSubtree. Nodes may come in any order; the tree must be the same."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import format_cards
from riverboat.clients.conformance.check import Wrong
from riverboat.clients.conformance.expectations import array, require, same
from riverboat.clients.conformance.gamemanager.common import RULES
from riverboat.clients.conformance.gamemanager.rules import package, stub
from riverboat.clients.conformance.server import Server
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as pb
from riverboat.rpc.convert.state_manager import encode_state, encode_tree
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.state import PublicState, start
from riverboat.rules.tree import Depth, expand
from riverboat.rules.variant import KUHN, LEDUC, fixed_limit, no_limit

_KINDS = {
    "phase": "i1", "actor": "i1", "street": "i1", "parent": "<i4", "action": "<i8", "first_child": "<i4",
    "child_count": "<i4", "board": "<i4", "pot": "<i8", "paid": "<i8", "folded": "u1",
}  # fmt: skip
_BY_SEAT = ("paid", "folded")
_SHOWN = ("phase", "actor", "street", "action", "pot", "paid", "folded")


class _Tree:
    """An answer of ExpandSubtree."""

    def __init__(self, asked: str, messages: Iterable[pb.ExpandSubtreeResponse]) -> None:
        first, *rest = messages
        self.summary = first.summary
        count, seats = self.summary.node_count, self.summary.seat_count
        parts: dict[str, list[NDArray[Any]]] = {name: [] for name in _KINDS}
        node_count = 0
        for message in rest:
            nodes = message.nodes
            same(f"{asked}, the first node of a chunk", nodes.first_node, node_count)
            node_count += nodes.node_count
            for name, kind in _KINDS.items():
                shape = (nodes.node_count, seats) if name in _BY_SEAT else (nodes.node_count,)
                parts[name].append(array(f"{asked}, {name}", getattr(nodes, name), kind, *shape))
        same(f"{asked}, nodes of all chunks", node_count, count)
        self.arrays = {name: np.concatenate(chunks) for name, chunks in parts.items()}
        shape = self.summary.board_count, self.summary.board_size
        self.boards = array(f"{asked}, boards", self.summary.boards, "u1", *shape)
        self.sizes = array(f"{asked}, board_sizes", self.summary.board_sizes, "i1", self.summary.board_count)

    def board(self, node: int) -> str:
        """Return the board at a node."""
        row = int(self.arrays["board"][node])
        return format_cards(self.boards[row, : self.sizes[row]].tolist())

    def walk(self) -> Iterator[tuple[Any, ...]]:
        """Yield every node's fields, parents before children, children in order."""
        waiting = [0]
        while waiting:
            node = waiting.pop()
            yield (*(self.arrays[name][node].tolist() for name in _SHOWN), self.board(node))
            first, count = int(self.arrays["first_child"][node]), int(self.arrays["child_count"][node])
            if count and not node < first <= first + count <= len(self.arrays["parent"]):
                raise Wrong(f"node {node} has the children {first} to {first + count - 1}, which is impossible")
            waiting += range(first + count - 1, first - 1, -1)


def _check_tree(server: Server, name: str, root: PublicState, sizes: str, depth: tuple[int, int] | None) -> None:
    subtree = pb.Subtree(state=encode_state(root), bet_sizes=sizes)
    if depth:
        subtree.depth.street, subtree.depth.level = depth
    asked = f"the tree of {name}, sizes {sizes}" + (f", cut at street {depth[0]}, level {depth[1]}" if depth else "")
    wanted = expand(root, parse_bet_sizes(sizes), Depth(*depth) if depth else None)
    count = stub(server).CountSubtree(pb.CountSubtreeRequest(subtree=subtree))
    same(f"CountSubtree of {asked}", (count.node_count, count.beyond_limit), (wanted.node_count, False))
    tree = _Tree(asked, stub(server).ExpandSubtree(pb.ExpandSubtreeRequest(subtree=subtree)))
    same(f"{asked}, nodes", tree.summary.node_count, wanted.node_count)
    ours = _Tree(asked, [encode_tree(wanted, 0, 0), encode_tree(wanted, 0, wanted.node_count)])
    for got, should in zip(tree.walk(), ours.walk(), strict=True):
        same(f"{asked}, a node ({', '.join(_SHOWN)}, board)", got, should)


@RULES("CountSubtree", "counts the nodes of Kuhn's game, and reports a tree above the limit")
def counts(server: Server) -> None:
    kuhn = pb.Subtree(state=encode_state(start(KUHN, [2, 2])), bet_sizes="all-in")
    count = stub(server).CountSubtree(pb.CountSubtreeRequest(subtree=kuhn))
    same("CountSubtree of kuhn", (count.node_count, count.beyond_limit), (9, False))
    huge = pb.Subtree(state=package(server, stacks=(20_000, 20_000)), bet_sizes="0.5p 1p 2p all-in")
    count = stub(server).CountSubtree(pb.CountSubtreeRequest(subtree=huge))
    same("CountSubtree of a whole hand with four sizes: beyond_limit", count.beyond_limit, True)
    require(count.limit > 0, "CountSubtree of a whole hand with four sizes: the answer has no limit")


@RULES("ExpandSubtree", "expands small games, compared node by node")
def small(server: Server) -> None:
    _check_tree(server, "kuhn", start(KUHN, [2, 2]), "all-in", None)
    _check_tree(server, "leduc", start(LEDUC, [13, 13]), "all-in", None)


@RULES("ExpandSubtree", "expands hold'em, cut at a street", 120)
def holdem(server: Server) -> None:
    no_limit_root = start(no_limit(50, 100), [20_000, 20_000])
    _check_tree(server, "no-limit hold'em", no_limit_root, "0.5p 1p all-in / 1p", (1, 0))
    _check_tree(server, "no-limit with 24 cards", start(no_limit(50, 100, deck="24"), [900, 700]), "1p", (1, 1))
    _check_tree(server, "fixed limit of three", start(fixed_limit(100), [5_000] * 3), "1p", (1, 0))


@RULES("ExpandSubtree", "a sample has the requested number of boards, and a seed repeats it", 120)
def sampled(server: Server) -> None:
    subtree = pb.Subtree(state=package(server), bet_sizes="1p", board_count=40, seed=9)
    subtree.depth.street, subtree.depth.level = 1, 1
    request = pb.ExpandSubtreeRequest(subtree=subtree)
    first, again = (_Tree("a sample of 40 flops", stub(server).ExpandSubtree(request)) for _ in range(2))
    flops = {first.board(node) for node in range(first.summary.node_count)} - {""}
    same("a sample of 40 flops: number of different flops", len(flops), 40)
    require(first.summary == again.summary, "a sample of 40 flops, twice with the same seed: the boards differ")
