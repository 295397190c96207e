"""A spot: two players, a board, a pot, ranges and bet sizes; and how it becomes a subgame."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of
from riverboat.rules.bet_sizes import BetSizes
from riverboat.rules.parts import Parts, SeatParts, assemble
from riverboat.rules.state import PublicState, start
from riverboat.rules.tree import BettingTree, Depth, expand_betting
from riverboat.rules.variant import Variant, no_limit
from riverboat.solving.subgame import F32, I32, SHOWDOWN, Subgame
from riverboat.spots.boards import Deals, deal_all, deck_places
from riverboat.spots.lines import lines_of
from riverboat.strength.hands import strengths_on_boards
from riverboat.utility import runout_utility


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """Where two players are in a hand. Player 0 is out of position: it acts first on every street after the first."""

    public: PublicState
    weights: F32  # [2, H]
    sizes: BetSizes
    depth: Depth | None = None


@dataclass(frozen=True, slots=True, eq=False)
class BuiltSpot:
    """A spot as a subgame, with what leads back to cards and states."""

    spot: Spot
    subgame: Subgame
    tree: BettingTree
    deals: Deals

    def state(self, line: int, board: int) -> PublicState:
        """The public state at a node."""
        return self.tree.state(line, self.deals.cards[board])


def street_start(board: tuple[int, ...], pot: int, stack: int, deck: str = "52", big_blind: int = 1) -> PublicState:
    """The start of a street after the first, with `pot` chips in the middle and `stack` behind for both."""
    variant: Variant = no_limit(big_blind, big_blind, deck=deck)
    if len(board) not in variant.board_sizes[1:]:
        raise InvalidInput("board", f"must have 3, 4 or 5 cards, not {len(board)}")
    if pot < 2 or pot % 2:
        raise InvalidInput("pot", f"must be an even number of chips, at least 2, not {pot}")
    if stack < 1:
        raise InvalidInput("stack", f"must be at least 1, not {stack}")
    seat = SeatParts(stack=stack, bet=0, paid=pot // 2, folded=False, level=-1)
    street = variant.board_sizes.index(len(board))
    return assemble(Parts(variant, street, board, (seat, seat), pot, 0, big_blind, 0, 0, -1, 0))


def whole_game(variant: Variant, stack: int, sizes: BetSizes) -> Spot:
    """A game from its start, with every holding as likely as any other."""
    weights = np.ones((2, holdings_of(variant.deck).count), np.float32)
    return Spot(start(variant, [stack, stack]), weights, sizes)


def build(spot: Spot, *, isomorphic: bool = True) -> BuiltSpot:
    """The subgame of a spot, all in this process."""
    public = spot.public
    deck = public.variant.deck
    tree = expand_betting(public, spot.sizes, spot.depth)
    lines = lines_of(tree)
    levels = lines.levels()
    deals = deal_all(deck, public.board, int(levels.max()), spot.weights, isomorphic=isomorphic)
    strengths = _strengths(deck, deals)
    has_showdown = set(levels[lines.kind == SHOWDOWN].tolist())

    def utility(board: int, rows: I32, columns: I32) -> F32:
        return runout_utility(deck, deals.cards[board], rows, columns)

    items = deck_places(deck)[holdings_of(deck).cards]
    subgame = Subgame(lines, deals.boards, items, spot.weights, strengths, utility if has_showdown else None)
    return BuiltSpot(spot, subgame, tree, deals)


def _strengths(deck: Deck, deals: Deals) -> NDArray[np.uint16]:
    """Strengths on complete boards [K, H]; zeros on others."""
    found = np.zeros((deals.boards.count, holdings_of(deck).count), np.uint16)
    whole = [k for k, cards in enumerate(deals.cards) if len(cards) == deck.board_sizes[-1]]
    if whole:
        found[whole] = strengths_on_boards(deck, np.array([deals.cards[k] for k in whole], np.uint8))
    return found
