"""A spot: two players, a board, a pot, ranges and bet sizes; and the subgame that is built from it."""

from dataclasses import dataclass

import numpy as np

from riverboat.cards import format_cards, parse_cards
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of
from riverboat.rules.bet_sizes import BetSizes
from riverboat.rules.parts import Parts, SeatParts, assemble
from riverboat.rules.state import PublicState, start
from riverboat.rules.tree import BettingTree, Depth, expand_betting
from riverboat.rules.variant import Variant, no_limit
from riverboat.solving.builder import build_subgame
from riverboat.solving.subgame import F32, Subgame
from riverboat.spots.card_terminals import CardTerminals
from riverboat.spots.rules_tree import RulesTree


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A state of two players, with ranges, bet sizes and a depth.

    Player 0 is out of position: it acts first on every street after the first.
    """

    public: PublicState
    weights: F32  # [2, H]
    sizes: BetSizes
    depth: Depth | None = None


@dataclass(frozen=True, slots=True, eq=False)
class BuiltSpot:
    """A spot as a subgame, with the tree and the cards that its nodes come from."""

    spot: Spot
    subgame: Subgame
    tree: BettingTree
    cards: tuple[tuple[int, ...], ...]  # of each board

    def state(self, line: int, board: int) -> PublicState:
        """Return the public state at a node."""
        return self.tree.state(line, self.cards[board])


def street_start(board: tuple[int, ...], pot: int, stack: int, deck: str = "52", big_blind: int = 1) -> PublicState:
    """Return the start of a street after the first, with `pot` chips in the middle and `stack` behind for both."""
    variant: Variant = no_limit(big_blind, big_blind, deck=deck)
    if len(board) not in variant.board_sizes[1:]:
        raise InvalidInput("board", f"must have 3, 4 or 5 cards, not {len(board)}")
    if pot < 2 or pot % 2:
        raise InvalidInput("pot", f"must be an even number of chips, at least 2, not {pot}")
    if stack < 1:
        raise InvalidInput("stack", f"must be at least 1, not {stack}")
    seat = SeatParts(stack=stack, bet=0, paid=pot // 2, folded=False, level=-1)
    street = variant.board_sizes.index(len(board))
    return assemble(
        Parts(variant=variant, street=street, board=board, seats=(seat, seat), pot=pot, full_raise=big_blind, actor=0)
    )


def whole_game(variant: Variant, stack: int, sizes: BetSizes) -> Spot:
    """Return a game from its start, with every holding as likely as any other."""
    weights = np.ones((2, holdings_of(variant.deck).count), np.float32)
    return Spot(start(variant, [stack, stack]), weights, sizes)


def build(spot: Spot, *, isomorphic: bool = True) -> BuiltSpot:
    """Return the subgame of a spot, built in this process."""
    public = spot.public
    tree = expand_betting(public, spot.sizes, spot.depth)
    terminals = CardTerminals(public.variant.deck, isomorphic=isomorphic)
    built = build_subgame(RulesTree(tree).betting(), terminals, format_cards(public.board), spot.weights)
    return BuiltSpot(spot, built.subgame, tree, tuple(map(parse_cards, built.dealt.cards)))
