"""The abstract game: a game of two players with few bet sizes, in which holdings of one group are played alike."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput, in_field
from riverboat.holdings import holdings_of, holdings_of_class
from riverboat.rules.bet_sizes import BetSizes, parse_bet_sizes
from riverboat.rules.betting import ACT, ACTOR, FOLDED, OUT, PAID, SHOWDOWN, STREET
from riverboat.rules.lines import BettingTree, expand_betting
from riverboat.rules.state import check_stacks, start
from riverboat.rules.variant import KUHN, LEDUC, Variant, no_limit

I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
I8 = NDArray[np.int8]

PLAYERS = 2
MOST_GROUPS = 5_000  # of one street
MOST_LINES = 400_000
MOST_ACTIONS = 18  # fold, call and as many raises as a street may have sizes
_BLINDS = (50, 100)
_SMALL_STACK = 100  # chips: more than anybody can bet
_SMALL_GAMES = {"kuhn": KUHN, "leduc": LEDUC}


class TreeArrays(NamedTuple):
    """The betting of an abstract game, as kernels walk it; the root is node 0, children follow one another."""

    kind: I8  # [N]: ACT, CHANCE, FOLDED or SHOWDOWN
    actor: I8  # [N]: the player who acts, or who has folded; -1 elsewhere
    street: I8  # [N]
    first_child: I32  # [N]
    child_count: I32  # [N]
    row: I64  # [N]: place of a node's first entry; its others are at row + group * actions + action
    stake: NDArray[np.float32]  # [N], chips that change hands at a terminal
    groups: I64  # [streets], how many groups each street has


@dataclass(frozen=True, kw_only=True)
class AbstractGame:
    """A game to solve: a deck, stacks, few bet sizes, and how many groups each street has."""

    deck: str
    stack: int  # chips of each player, with blinds of 50 and 100
    sizes: BetSizes
    raise_cap: int = 0  # bets and raises on a street; 0 for any number
    group_counts: tuple[int, ...] = ()  # of the streets after the first; empty for one-card decks, which have no groups

    def __post_init__(self) -> None:
        with in_field("group_counts"):
            self._check_groups()
        if not 0 <= self.raise_cap <= MOST_ACTIONS:
            raise InvalidInput("raise_cap", f"must be 0 for any number, or up to {MOST_ACTIONS}, not {self.raise_cap}")
        with in_field("stack"):
            check_stacks(self.variant, (self.stack, self.stack))

    def _check_groups(self) -> None:
        wanted = len(self.variant.streets) - 1 if self.variant.deck.is_holdem else 0
        if len(self.group_counts) != wanted:
            raise InvalidInput("", f"must be {wanted} numbers, one for each street after the first")
        for count in self.group_counts:
            if not 1 <= count <= MOST_GROUPS:
                raise InvalidInput("", f"must be from 1 to {MOST_GROUPS:,}, not {count:,}")

    @cached_property
    def variant(self) -> Variant:
        """The game's rules, with the cap on raises."""
        if self.deck in _SMALL_GAMES:
            return _SMALL_GAMES[self.deck]
        variant = no_limit(*_BLINDS, deck=self.deck)
        return replace(variant, streets=tuple(replace(street, raise_cap=self.raise_cap) for street in variant.streets))

    @cached_property
    def betting(self) -> BettingTree:
        """The betting by the rules, with these sizes."""
        return expand_betting(start(self.variant, (self.stack, self.stack)), self.sizes, limit=MOST_LINES)

    @cached_property
    def groups_by_street(self) -> tuple[int, ...]:
        """How many groups each street has; those of the first are the classes of starting hands."""
        deck = self.variant.deck
        if deck.is_holdem:
            return (len(holdings_of_class(deck)), *self.group_counts)
        ranks = len(deck.ranks)
        return tuple(ranks ** (1 + size) for size in self.variant.board_sizes)

    @cached_property
    def tree(self) -> TreeArrays:
        """The betting as kernels walk it."""
        lines = self.betting
        acts = lines.kind == ACT
        counts = np.array(self.groups_by_street)[lines.states[:, STREET]]
        entries = np.where(acts, lines.child_count * counts, 0)
        folded = lines.columns(OUT).argmax(axis=1)
        actor = np.where(acts, lines.states[:, ACTOR], np.where(lines.kind == FOLDED, folded, -1))
        paid = lines.columns(PAID)
        stake = np.where(np.isin(lines.kind, (FOLDED, SHOWDOWN)), paid.min(axis=1), 0)
        return TreeArrays(
            kind=lines.kind.astype(np.int8),
            actor=actor.astype(np.int8),
            street=lines.states[:, STREET].astype(np.int8),
            first_child=lines.first_child.astype(np.int32),
            child_count=lines.child_count.astype(np.int32),
            row=np.cumsum(entries) - entries,
            stake=stake.astype(np.float32),
            groups=np.array(self.groups_by_street),
        )

    @cached_property
    def entry_count(self) -> int:
        """How many entries there are: one for each action of each group at each decision."""
        acts = self.tree.kind == ACT
        counts = np.array(self.groups_by_street)[self.tree.street[acts]]
        return int((self.tree.child_count[acts] * counts).sum())

    @cached_property
    def depth(self) -> int:
        """How many nodes the longest line has."""
        depths = np.zeros(len(self.tree.kind), np.int64)
        for node, parent in enumerate(self.betting.parent.tolist()):
            depths[node] = depths[parent] + 1 if parent >= 0 else 1
        return int(depths.max())

    @property
    def holding_count(self) -> int:
        """Number of holdings, H."""
        return holdings_of(self.variant.deck).count


def small_game(deck: str) -> AbstractGame:
    """Return Kuhn or Leduc poker, which need no abstraction."""
    return AbstractGame(deck=deck, stack=_SMALL_STACK, sizes=parse_bet_sizes("1"))
