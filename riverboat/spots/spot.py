"""A spot: two players, a board, a pot, ranges and bet sizes; and how it becomes a subgame."""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.errors import InvalidInput, TooLarge
from riverboat.holdings import holdings_of
from riverboat.kernels import kernel
from riverboat.rules.assemble import Parts, Seat, assemble
from riverboat.rules.bet_sizes import BetSizes
from riverboat.rules.state import PublicState, start
from riverboat.rules.tree import BettingTree, Depth, expand_betting
from riverboat.rules.variant import Variant, no_limit
from riverboat.solving.subgame import F32, I32, SHOWDOWN, Subgame
from riverboat.spots.boards import Deals, deal_all
from riverboat.spots.lines import lines_of
from riverboat.strength.hands import strengths_on_boards

_MOST_RUNOUTS = 20_000


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
    seat = Seat(stack=stack, bet=0, paid=pot // 2, folded=False, level=-1)
    street = variant.board_sizes.index(len(board))
    return assemble(Parts(variant, street, board, (seat, seat), pot, 0, big_blind, 0, 0, -1, 0))


def whole_game(variant: Variant, stack: int, sizes: BetSizes) -> Spot:
    """A game from its start, with every holding as likely as any other."""
    weights = np.ones((2, holdings_of(variant.deck).count), np.float32)
    return Spot(start(variant, [stack, stack]), weights, sizes)


def build(
    spot: Spot, *, isomorphic: bool = True, sampled: int | None = None, rng: np.random.Generator | None = None
) -> BuiltSpot:
    """The subgame of a spot, all in this process; with all boards, or some `sampled` by `rng` after each board."""
    public = spot.public
    deck = public.variant.deck
    tree = expand_betting(public, spot.sizes, spot.depth)
    lines = lines_of(tree)
    levels = lines.levels()
    deals = deal_all(
        deck, public.board, int(levels.max()), spot.weights, isomorphic=isomorphic, sampled=sampled, rng=rng
    )
    strengths = _strengths(deck, deals)
    has_showdown = set(levels[lines.kind == SHOWDOWN].tolist())

    def utility(board: int, rows: I32, columns: I32) -> F32:
        return runout_utility(deck, deals.cards[board], rows, columns)

    items = deck_places(deck)[holdings_of(deck).cards]
    subgame = Subgame(lines, deals.boards, items, spot.weights, strengths, utility if has_showdown else None)
    return BuiltSpot(spot, subgame, tree, deals)


def deck_places(deck: Deck) -> NDArray[np.uint8]:
    """The place of each card in its deck, by card [52]."""
    places = np.zeros(52, np.uint8)
    places[list(deck.cards)] = np.arange(len(deck.cards))
    return places


def _strengths(deck: Deck, deals: Deals) -> NDArray[np.uint16]:
    """Strengths on complete boards [K, H]; zeros on others."""
    found = np.zeros((deals.boards.count, holdings_of(deck).count), np.uint16)
    whole = [k for k, cards in enumerate(deals.cards) if len(cards) == deck.board_sizes[-1]]
    if whole:
        found[whole] = strengths_on_boards(deck, np.array([deals.cards[k] for k in whole], np.uint8))
    return found


def runout_utility(deck: Deck, board: tuple[int, ...], rows: I32, columns: I32) -> F32:
    """What holdings win against others per chip at stake, over all run-outs of a board [rows, columns]."""
    rest = [card for card in deck.cards if card not in board]
    count = comb(len(rest), deck.board_sizes[-1] - len(board))
    if count > _MOST_RUNOUTS:
        raise TooLarge(f"an all-in here has {count:,} run-outs; the limit is {_MOST_RUNOUTS:,}")
    runouts = np.array([[*board, *more] for more in combinations(rest, deck.board_sizes[-1] - len(board))], np.uint8)
    strengths = strengths_on_boards(deck, runouts)
    masks = holdings_of(deck).masks
    out = np.zeros((len(rows), len(columns)), np.float32)
    _add_runouts(
        np.ascontiguousarray(strengths[:, rows].T), np.ascontiguousarray(strengths[:, columns].T),
        masks[rows], masks[columns], out,
    )  # fmt: skip
    return out


@kernel
def _add_runouts(
    rows: NDArray[np.uint16], columns: NDArray[np.uint16], row_masks: NDArray[np.uint64],
    column_masks: NDArray[np.uint64], out: F32,
) -> None:  # fmt: skip
    """Signs of strengths [holdings, run-outs], averaged over run-outs that allow both; 0 if holdings share a card."""
    for i in range(len(rows)):
        for j in range(len(columns)):
            if row_masks[i] & column_masks[j]:
                continue
            balance, count = np.int32(0), np.int32(0)
            for k in range(rows.shape[1]):
                a, b = np.int32(rows[i, k]), np.int32(columns[j, k])
                if a > 0 and b > 0:
                    count += np.int32(1)
                    balance += np.int32(a > b) - np.int32(a < b)
            if count:
                out[i, j] = np.float32(balance / count)
