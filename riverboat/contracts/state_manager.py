"""A public state in the state manager's words, unchecked.

A resolver knows no rules. It is told a state, reads what it needs (whose turn it is, the pot, the board) and passes the
state on to a state manager, which says whether it is possible. Riverboat's own rules have `rules.state.PublicState`.
"""

from dataclasses import dataclass

from riverboat.actions import allows_every_size

NO_LIMIT = 1  # number of the structure in the contract
MOST_STREETS, MOST_SEATS = 8, 10
_DEFAULT_DECK = "52"


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedStreet:
    """A street of a variant: board cards dealt before it, its smallest bet in chips, raises allowed (0 for any)."""

    board_count: int
    bet: int
    raise_cap: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedVariant:
    """A game, with the fields of the contract's Variant."""

    name: str
    deck: str
    structure: int
    streets: tuple[DescribedStreet, ...]
    blinds: tuple[int, ...]
    antes: tuple[int, ...]
    posts: tuple[int, ...]
    pot_cap: int
    no_all_in: bool
    free_folds: bool
    bet_sizes: str

    @property
    def allows_every_size(self) -> bool:
        """Whether players may bet any number of chips up to all of them."""
        return allows_every_size(
            is_no_limit=self.structure == NO_LIMIT,
            pot_cap=self.pot_cap,
            has_all_in=not self.no_all_in,
            has_sizes=bool(self.bet_sizes),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedSeat:
    """One seat's part of a state, in chips."""

    stack: int
    bet: int
    paid: int
    folded: bool
    level: int
    dead: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedState:
    """The public state of a hand, with the fields of the contract's State."""

    variant: DescribedVariant
    street: int
    board: str
    seats: tuple[DescribedSeat, ...]
    pot: int
    bet: int
    full_raise: int
    raise_count: int
    action_count: int
    aggressor: int
    actor: int
    phase: int

    @property
    def deck(self) -> str:
        """The deck's name; without one in the variant, the full deck's."""
        return self.variant.deck or _DEFAULT_DECK

    @property
    def streets_left(self) -> int:
        """Streets after this one."""
        return len(self.variant.streets) - 1 - self.street

    @property
    def next_board_size(self) -> int:
        """Cards on the board after the next deal."""
        return sum(street.board_count for street in self.variant.streets[: self.street + 2])

    @property
    def winnable(self) -> int:
        """Chips that can be won: the pot and what both players can still bet; 0 where bet sizes are limited."""
        if not self.variant.allows_every_size:
            return 0
        dead = self.pot - sum(seat.paid for seat in self.seats)
        return dead + 2 * min(seat.paid + seat.stack for seat in self.seats)
