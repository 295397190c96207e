"""Variants as data: which cards, which streets, which bets.

Seats of a hand are counted from the left of the button: seat 0 acts first after the first street, and the
last seat is the button. Blinds are listed in the order in which they are posted, small blind first. They
belong to seats 0, 1 and so on; with two players the button posts the first one, so the list is turned
around. A 0 in the list is a seat without a blind: that allows a straddle out of turn, such as the button's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import lru_cache
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from riverboat.actions import allows_every_size
from riverboat.cards import DECKS, Deck
from riverboat.errors import InvalidInput
from riverboat.rules.bet_sizes import BetSizes, Unit, flat_sizes

MOST_SEATS = 10
MOST_STREETS = 8
MOST_CHIPS = 10**15  # of all players together: even doubled, far below the limit of 64 bits


class Structure(IntEnum):
    """How large a bet may be."""

    NO_LIMIT = 0
    POT_LIMIT = 1
    FIXED_LIMIT = 2


@dataclass(frozen=True, slots=True)
class Street:
    """One street: the board cards dealt at its start, and the limits of its bets."""

    board_count: int  # cards dealt to the board at its start
    bet: int  # chips: the smallest bet, and the smallest first raise; in fixed limit the only size
    raise_cap: int = 0  # bets and raises together that are allowed, blinds not counted; 0 for any number


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A game: everything that players agree on before the cards are dealt."""

    name: str
    deck: Deck
    structure: Structure
    streets: tuple[Street, ...]
    blinds: tuple[int, ...] = ()  # small blind, big blind, straddles
    # One number is everybody's ante. Several are by seat, like blinds, and 0 for seats beyond the list; such antes
    # are dead: they are paid for the table (like a big-blind ante), so nobody has to match them.
    antes: tuple[int, ...] = ()
    # Chips that newcomers post for this hand, by seat like blinds. They are live: part of the poster's first bet.
    posts: tuple[int, ...] = ()
    pot_cap: int = 0  # no bet or raise may bring the pot above it; 0 for none
    all_in: bool = True  # whether a player may bet or raise everything
    free_folds: bool = False  # whether a player may fold where checking costs nothing
    bet_sizes: BetSizes | None = None  # the only bets and raises that are allowed; None for any
    board_sizes: tuple[int, ...] = field(init=False, compare=False, repr=False)  # cards on the board on each street
    _hash: int = field(init=False, compare=False, repr=False)  # stored: every hand needs it at its start

    def __post_init__(self) -> None:
        sizes = tuple(accumulate(street.board_count for street in self.streets))
        game = (self.name, self.deck.name, self.structure, self.streets, self.blinds, self.antes, self.posts)
        parts = (*game, self.pot_cap, self.all_in, self.bet_sizes)
        object.__setattr__(self, "board_sizes", sizes)
        object.__setattr__(self, "_hash", hash(parts))
        _check(self)

    def __hash__(self) -> int:
        return self._hash

    @property
    def big_blind(self) -> int:
        """The second blind, or the first street's bet if there is none; results are measured in it."""
        second = self.blinds[1] if len(self.blinds) > 1 else 0
        return second or max((*self.blinds, self.streets[0].bet))

    @property
    def allows_every_size(self) -> bool:
        """Whether players may bet any number of chips up to all of them."""
        return allows_every_size(
            is_no_limit=self.structure is Structure.NO_LIMIT,
            pot_cap=self.pot_cap,
            has_all_in=self.all_in,
            has_sizes=self.bet_sizes is not None,
        )

    @property
    def most_players(self) -> int:
        """How many players the deck has cards for, at most ten."""
        left = len(self.deck.cards) - self.board_sizes[-1]
        return min(MOST_SEATS, left // self.deck.holding_size)

    def blind_of(self, seat: int, player_count: int) -> int:
        """Return the blind, straddle or post of a seat, whatever its stack."""
        return _at_seat(self.blinds, seat, player_count) + self.post_of(seat, player_count)

    def post_of(self, seat: int, player_count: int) -> int:
        """Return the post of a seat, whatever its stack; 0 unless it is a newcomer."""
        return _at_seat(self.posts, seat, player_count)

    def ante_of(self, seat: int, player_count: int) -> int:
        """Return the ante of a seat, whatever its stack."""
        return self.antes[0] if len(self.antes) == 1 else _at_seat(self.antes, seat, player_count)


def _at_seat(chips: tuple[int, ...], seat: int, player_count: int) -> int:
    place = player_count - 1 - seat if player_count == 2 else seat
    return chips[place] if place < len(chips) else 0


def _check(variant: Variant) -> None:
    deck, streets = variant.deck, variant.streets
    if not 1 <= len(streets) <= MOST_STREETS:
        raise InvalidInput("streets", f"there must be 1 to {MOST_STREETS}, not {len(streets)}")
    for i, street in enumerate(streets):
        if street.board_count < 0 or street.raise_cap < 0 or not 1 <= street.bet <= MOST_CHIPS:
            raise InvalidInput(f"streets[{i}]", f"needs a bet of 1 to {MOST_CHIPS:,} chips, and no negative number")
    if streets[0].board_count:
        raise InvalidInput("streets[0].board_count", "the first street has no board cards")
    if variant.board_sizes[-1] != deck.board_sizes[-1] or not set(variant.board_sizes) <= set(deck.board_sizes):
        raise InvalidInput("streets", f"boards of the {deck.name} deck have {deck.board_sizes} cards")
    amounts = {"blinds": variant.blinds, "antes": variant.antes, "posts": variant.posts, "pot_cap": (variant.pot_cap,)}
    for name, chips in amounts.items():
        if len(chips) > MOST_SEATS or any(not 0 <= x <= MOST_CHIPS for x in chips):
            raise InvalidInput(name, f"must be at most {MOST_SEATS} numbers of chips from 0 to {MOST_CHIPS:,}")
    posted = [blind for blind in variant.blinds if blind]
    if any(a > b for a, b in pairwise(posted)):
        raise InvalidInput("blinds", "each must be at least as large as the one before it")
    if any(blind and post for blind, post in zip(variant.blinds, variant.posts, strict=False)):
        raise InvalidInput("posts", "a seat with a blind does not post as well")
    if variant.bet_sizes is not None:
        _check_sizes(variant, variant.bet_sizes)


def _check_sizes(variant: Variant, bet_sizes: BetSizes) -> None:
    if variant.structure is Structure.FIXED_LIMIT:
        raise InvalidInput("bet_sizes", "fixed limit has one size on each street already")
    if len(bet_sizes.streets) > len(variant.streets):
        raise InvalidInput(
            "bet_sizes", f"sizes for {len(bet_sizes.streets)} streets, but there are {len(variant.streets)}"
        )
    sizes = [size for street in bet_sizes.streets for part in street for size in part]
    if not sizes:
        raise InvalidInput(
            "bet_sizes", "there must be a size on some street, such as 1p; leave the list out to allow all sizes"
        )
    if not variant.all_in and any(size.unit is Unit.ALL_IN for size in sizes):
        raise InvalidInput("bet_sizes", "all-in is among them, but this game has no all-in")


# Places in the array of rules that kernels read. SIZES says where the bet sizes begin, in the form of `flat_sizes`;
# it is 0 if every size is allowed.
SEAT_COUNT, STRUCTURE, STREET_COUNT, FREE_FOLDS, ALL_IN, POT_CAP, OPENING_BET, FIRST_SEAT, DEAD_ANTES, SIZES = range(10)
# Then blocks with a number for each seat, and after them blocks with a number for each street.
RULES_HEAD = 10
SEAT_BLOCKS, STREET_BLOCKS = 2, 2
BLINDS, ANTES = range(SEAT_BLOCKS)
STREET_BETS, RAISE_CAPS = range(STREET_BLOCKS)


@lru_cache(maxsize=1024)  # bounded: variants come from clients too
def rules_array(variant: Variant, player_count: int) -> NDArray[np.int64]:
    """Return the variant for a number of players as kernels read it; see the places above."""
    if not 2 <= player_count <= variant.most_players:
        raise InvalidInput("stacks", f"{variant.name} is for 2 to {variant.most_players} players, not {player_count}")
    for name, chips in (("blinds", variant.blinds), ("posts", variant.posts)):
        if len(chips) > player_count:
            raise InvalidInput(name, f"{len(chips)} {name} are too many for {player_count} players")
    seats = range(player_count)
    blinds = [variant.blind_of(seat, player_count) for seat in seats]
    street_count = len(variant.streets)
    sizes = variant.bet_sizes
    rules = np.array(
        [
            player_count,
            variant.structure,
            street_count,
            variant.free_folds,
            variant.all_in,
            variant.pot_cap,
            max(blinds),
            _first_seat(variant.blinds, player_count),
            len(variant.antes) > 1,
            RULES_HEAD + SEAT_BLOCKS * player_count + STREET_BLOCKS * street_count if sizes else 0,
            *blinds,
            *(variant.ante_of(seat, player_count) for seat in seats),
            *(street.bet for street in variant.streets),
            *(street.raise_cap for street in variant.streets),
            *(flat_sizes(sizes, street_count, variant.big_blind) if sizes else ()),
        ],
        np.int64,
    )
    rules.flags.writeable = False
    return rules


def _first_seat(blinds: tuple[int, ...], player_count: int) -> int:
    """Return the seat that acts first: the one after the largest blind, the last of equal blinds; posts do not matter.

    Heads-up the button acts first, whatever the blinds.
    """
    if player_count == 2:
        return 1 if blinds else 0
    return max((blind, place + 1) for place, blind in enumerate(blinds))[1] % player_count if blinds else 0


def _holdem_streets(first: int, later: Sequence[int], caps: Sequence[int]) -> tuple[Street, ...]:
    return tuple(Street(count, bet, cap) for count, bet, cap in zip((0, 3, 1, 1), (first, *later), caps, strict=True))


def no_limit(
    small_blind: int, big_blind: int, *straddles: int, ante: int = 0, deck: str = "52", name: str = "no-limit hold'em"
) -> Variant:
    """Return no-limit hold'em."""
    streets = _holdem_streets(big_blind, [big_blind] * 3, (0, 0, 0, 0))
    antes = (ante,) if ante else ()
    blinds = (small_blind, big_blind, *straddles)
    return Variant(
        name=name, deck=DECKS[deck], structure=Structure.NO_LIMIT, streets=streets, blinds=blinds, antes=antes
    )


def pot_limit(small_blind: int, big_blind: int, deck: str = "52") -> Variant:
    """Return pot-limit hold'em."""
    game = no_limit(small_blind, big_blind, deck=deck, name="pot-limit hold'em")
    return replace(game, structure=Structure.POT_LIMIT)


def fixed_limit(small_bet: int, *, ante: int = 0, deck: str = "52", small_blind: int | None = None) -> Variant:
    """Return fixed-limit hold'em: bets double on the turn; four bets a street, the big blind counted as the first."""
    streets = _holdem_streets(small_bet, (small_bet, 2 * small_bet, 2 * small_bet), (3, 4, 4, 4))
    blinds = (small_bet // 2 if small_blind is None else small_blind, small_bet)
    antes = (ante,) if ante else ()
    return Variant(
        name="fixed-limit hold'em",
        deck=DECKS[deck],
        structure=Structure.FIXED_LIMIT,
        streets=streets,
        blinds=blinds,
        antes=antes,
    )


# Three cards, an ante each, one bet of one chip.
KUHN = Variant(name="kuhn", deck=DECKS["kuhn"], structure=Structure.FIXED_LIMIT, streets=(Street(0, 1, 1),), antes=(1,))
LEDUC = Variant(
    name="leduc",
    deck=DECKS["leduc"],
    structure=Structure.FIXED_LIMIT,
    streets=(Street(0, 2, 2), Street(1, 4, 2)),
    antes=(1,),
)

VARIANTS = (
    no_limit(50, 100),
    pot_limit(50, 100),
    fixed_limit(100),
    no_limit(50, 100, deck="36", name="no-limit short-deck hold'em"),
    no_limit(50, 100, deck="24", name="no-limit hold'em with 24 cards"),
    LEDUC,
    KUHN,
)
