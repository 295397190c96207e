"""The state manager: states and trees by the rules, within limits."""

from collections.abc import Generator, Sequence
from dataclasses import replace

import numpy as np

from riverboat.rules.bet_sizes import BetSizes, parse_bet_sizes
from riverboat.rules.events import HandEvent, apply_event, package
from riverboat.rules.sized_raises import sized_raises
from riverboat.rules.state import PublicState, start_random
from riverboat.rules.tree import Depth, PublicTree, Subtree, count_nodes, expand
from riverboat.rules.variant import VARIANTS, Variant

_NODES = 16_384  # of a tree in one chunk: about a megabyte


class StateManager:
    """Answers requests that need more than one call into the library."""

    def __init__(self, node_limit: int) -> None:
        self.node_limit = node_limit

    def warm_up(self) -> None:
        """Compile every kernel, or load it from the cache, by playing and expanding a few hands."""
        for variant in VARIANTS:
            hand = start_random(variant, [1000] * 2, np.random.default_rng(0))
            expand(hand.public, parse_bet_sizes("1p"), Depth(1, 0) if variant.deck.is_holdem else None)
            while not hand.is_over:
                hand = hand.play(0)
            hand.payoffs()
        restricted = replace(VARIANTS[0], bet_sizes=parse_bet_sizes("1p"))
        sized_raises(start_random(restricted, [1000] * 2, np.random.default_rng(0)).public, parse_bet_sizes("1p"))

    def package(self, variant: Variant, stacks: Sequence[int], events: Sequence[HandEvent]) -> PublicState:
        """Return the state after events."""
        return package(variant, stacks, events)

    def apply(self, public: PublicState, event: HandEvent) -> PublicState:
        """Return the state after one event."""
        return apply_event(public, event)

    def legal_actions(self, public: PublicState, sizes: BetSizes | None) -> tuple[PublicState, Sequence[int]]:
        """Return the state and the raises in it: those of `sizes`, or of the game if there are none."""
        return public, public.raises_to if sizes is None else sized_raises(public, sizes)

    def count(self, tree: Subtree) -> tuple[int, int]:
        """Return the number of nodes of a tree, and the limit."""
        return count_nodes(tree.root, tree.sizes, tree.depth, tree.boards, self.node_limit), self.node_limit

    def expand(self, wanted: Subtree) -> Generator[tuple[PublicTree, int, int], None, None]:
        """Yield a tree and a range of nodes to send: none first, then chunk by chunk."""
        rng = np.random.default_rng(wanted.seed)
        tree = expand(wanted.root, wanted.sizes, wanted.depth, wanted.boards, rng, self.node_limit)
        yield tree, 0, 0
        for start in range(0, tree.node_count, _NODES):
            yield tree, start, min(start + _NODES, tree.node_count)
