"""The game at an environment's tables: a variant, stacks and sizes to choose from, also as arrays for kernels."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import CARD_COUNT, Deck, Ordering
from riverboat.errors import InvalidInput, in_field
from riverboat.rules.bet_sizes import BetSizes, flat_sizes, parse_bet_sizes
from riverboat.rules.public_state import check_stacks
from riverboat.rules.variant import Structure, Variant, rules_array
from riverboat.strength.hands import strength_of
from riverboat.strength.tables import Tables, tables_of

I64 = NDArray[np.int64]

# Numbers of actions; a raise by size i is FIRST_RAISE + i.
FOLD_NUMBER, CALL_NUMBER, FIRST_RAISE = range(3)
NO_BOARD = CARD_COUNT  # the column of `pair_strengths` for a hand without a board card


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningGame:
    """A variant, the stacks of all seats at the start of every hand, and the sizes that an action can choose."""

    variant: Variant
    stacks: tuple[int, ...]
    sizes: BetSizes

    def __post_init__(self) -> None:
        check_stacks(self.variant, self.stacks)
        if not any(part for street in self.sizes.streets for part in street):
            raise InvalidInput("sizes", "there must be at least one size, such as 0.5p, 1p or all-in")

    @property
    def player_count(self) -> int:
        """P."""
        return len(self.stacks)

    @property
    def action_count(self) -> int:
        """A: fold, call, and as many raises as the longest list of sizes has."""
        return FIRST_RAISE + max(len(part) for street in self.sizes.streets for part in street)

    @property
    def action_names(self) -> tuple[str, ...]:
        """What each action does [A]; sizes of different streets that share a number are joined by "or"."""
        names = ["fold", "check or call"]
        for i in range(self.action_count - FIRST_RAISE):
            sizes = [part[i] for street in self.sizes.streets for part in street if i < len(part)]
            names.append(f"raise by {' or '.join(dict.fromkeys(map(str, sizes)))}")
        return tuple(names)


def learning_game(variant: Variant, player_count: int = 2, stack: int | None = None, sizes: str = "") -> LearningGame:
    """Return a game with equal stacks, by default 100 big blinds, and sizes in the notation of bet_sizes.py.

    Without sizes, raises are by half the pot, the pot, and all-in; in a fixed-limit game by its only size.
    """
    only_size = variant.structure is Structure.FIXED_LIMIT
    with in_field("sizes"):
        bet_sizes = parse_bet_sizes(sizes or ("1p" if only_size else "0.5p 1p all-in"))
    chips = 100 * variant.big_blind if stack is None else stack
    return LearningGame(variant=variant, stacks=(chips,) * player_count, sizes=bet_sizes)


class GameArrays(NamedTuple):
    """A game as kernels read it."""

    rules: I64
    stacks: I64  # [P]
    sizes: I64  # see bet_sizes.py
    deck: I64
    board_sizes: I64  # [S], cards on the board on each street
    holding_size: int
    big_blind: int
    strengths: Tables  # of two private and five board cards
    pair_strengths: I64  # [52, 53], of one private card by board card; [0, 53] where hands have five cards


def game_arrays(game: LearningGame) -> GameArrays:
    """Return a game as kernels read it."""
    variant, deck = game.variant, game.variant.deck
    return GameArrays(
        rules=rules_array(variant, game.player_count),
        stacks=np.array(game.stacks, np.int64),
        sizes=np.array(flat_sizes(game.sizes, len(variant.streets), variant.big_blind), np.int64),
        deck=np.array(deck.cards, np.int64),
        board_sizes=np.array(variant.board_sizes, np.int64),
        holding_size=deck.holding_size,
        big_blind=variant.big_blind,
        strengths=tables_of(Ordering.STANDARD if deck.ordering is Ordering.PAIR else deck.ordering, 7),
        pair_strengths=_pair_strengths(deck),
    )


def _pair_strengths(deck: Deck) -> I64:
    """Return the strength of one private card by board card [52, 53]; [0, 53] for other decks."""
    if deck.ordering is not Ordering.PAIR:
        return np.empty((0, NO_BOARD + 1), np.int64)
    strengths = np.zeros((CARD_COUNT, NO_BOARD + 1), np.int64)
    for card in deck.cards:
        strengths[card, NO_BOARD] = strength_of(deck, [card])
        for board in deck.cards:
            strengths[card, board] = strength_of(deck, [card, board])
    return strengths
