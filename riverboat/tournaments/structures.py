"""A tournament's structure as data: entrants, chips, blinds and prizes.

Running a tournament is left to others: the game manager and the compiled loop both read these values.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil

from riverboat.errors import InvalidInput, NotFound
from riverboat.rules.variant import MOST_CHIPS, MOST_SEATS, Variant, no_limit

MOST_ENTRANTS = 10_000
MOST_LEVELS = 100
WHOLE_POOL = 1_000  # payouts are in thousandths of the prize pool
MOST_BUY_IN = 10**9


@dataclass(frozen=True, slots=True)
class BlindLevel:
    """The forced bets of a level, in chips; everybody pays the ante."""

    small_blind: int
    big_blind: int
    ante: int = 0

    def times(self, factor: int) -> "BlindLevel":
        """Return a level with all bets multiplied."""
        return BlindLevel(self.small_blind * factor, self.big_blind * factor, self.ante * factor)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentStructure:
    """Everything that entrants agree on before seats are drawn.

    A level lasts a number of hands or a number of minutes: one of the two is 0.
    """

    name: str
    entrant_count: int
    seats_per_table: int
    starting_chips: int
    levels: tuple[BlindLevel, ...]
    level_hands: int = 0
    level_minutes: int = 0
    payouts: tuple[int, ...]  # thousandths of the prize pool, first place first; together 1000
    buy_in: int = 100  # of money, in its smallest unit (cents); 0 for a free tournament

    def __post_init__(self) -> None:
        _check_entrants(self)
        _check_levels(self)
        _check_payouts(self)

    @property
    def table_count(self) -> int:
        """Number of tables at the start: as few as can seat all entrants."""
        return ceil(self.entrant_count / self.seats_per_table)

    @property
    def chip_count(self) -> int:
        """All chips in play, from the first hand to the last."""
        return self.entrant_count * self.starting_chips

    @property
    def prize_pool(self) -> int:
        """The sum of all buy-ins."""
        return self.entrant_count * self.buy_in

    def level_at(self, number: int) -> BlindLevel:
        """Return a level, counted from 0.

        Every level after the last one in the list doubles the level before it until the big blind is as large as all
        chips in play, so that every tournament ends.
        """
        last = len(self.levels) - 1
        level = self.levels[min(number, last)]
        for _ in range(number - last):
            if level.big_blind >= self.chip_count:
                break
            level = level.times(2)
        return level

    def level_number(self, *, hand_count: int = 0, minutes: float = 0.0) -> int:
        """Return the level in force, counted from 0, after this many hands at the busiest table or this much time."""
        return hand_count // self.level_hands if self.level_hands else int(minutes // self.level_minutes)

    def variant_at(self, number: int) -> Variant:
        """Return the game that is played on a level."""
        level = self.level_at(number)
        return no_limit(level.small_blind, level.big_blind, ante=level.ante)

    def prizes(self) -> tuple[int, ...]:
        """Return the money for each paid place: its share rounded down; the winner gets the remainder."""
        shares = [self.prize_pool * share // WHOLE_POOL for share in self.payouts]
        shares[0] += self.prize_pool - sum(shares)
        return tuple(shares)

    def prize_of(self, rank: int) -> int:
        """Return the money for a rank, counted from 1; 0 beyond the paid places."""
        prizes = self.prizes()
        return prizes[rank - 1] if 1 <= rank <= len(prizes) else 0


def _check_entrants(structure: TournamentStructure) -> None:
    if not structure.name:
        raise InvalidInput("name", "a structure needs a name")
    if not 2 <= structure.entrant_count <= MOST_ENTRANTS:
        raise InvalidInput("entrant_count", f"must be 2 to {MOST_ENTRANTS:,}, not {structure.entrant_count:,}")
    if not 2 <= structure.seats_per_table <= MOST_SEATS:
        raise InvalidInput("seats_per_table", f"must be 2 to {MOST_SEATS}, not {structure.seats_per_table:,}")
    if structure.starting_chips < 1 or structure.chip_count > MOST_CHIPS:
        raise InvalidInput(
            "starting_chips",
            f"must be at least 1, and at most {MOST_CHIPS:,} for all entrants together, "
            f"not {structure.starting_chips:,} each",
        )
    if not 0 <= structure.buy_in <= MOST_BUY_IN:
        raise InvalidInput("buy_in", f"must be 0 to {MOST_BUY_IN:,}, not {structure.buy_in:,}")


def _check_levels(structure: TournamentStructure) -> None:
    if (structure.level_hands > 0) == (structure.level_minutes > 0):
        raise InvalidInput("level_hands", "a level lasts either a number of hands or a number of minutes")
    if min(structure.level_hands, structure.level_minutes) < 0:
        raise InvalidInput("level_hands", "a level cannot last a negative time")
    if not 1 <= len(structure.levels) <= MOST_LEVELS:
        raise InvalidInput("levels", f"there must be 1 to {MOST_LEVELS}, not {len(structure.levels)}")
    before = BlindLevel(0, 0)
    for i, level in enumerate(structure.levels):
        if not 0 < level.small_blind <= level.big_blind or level.ante < 0:
            raise InvalidInput(
                f"levels[{i}]",
                f"needs a small blind of 1 or more, a big blind at least as large and no negative ante, "
                f"not {level.small_blind}/{level.big_blind} ante {level.ante}",
            )
        if max(level.big_blind, level.ante) > MOST_CHIPS // 4:
            raise InvalidInput(f"levels[{i}]", f"bets must be at most {MOST_CHIPS // 4:,} chips")
        fallen = level.small_blind < before.small_blind or level.big_blind < before.big_blind
        if fallen or level.ante < before.ante:
            raise InvalidInput(
                f"levels[{i}]",
                f"{level.small_blind}/{level.big_blind} ante {level.ante} falls below the level before it, "
                f"{before.small_blind}/{before.big_blind} ante {before.ante}",
            )
        before = level


def _check_payouts(structure: TournamentStructure) -> None:
    payouts = structure.payouts
    if not 1 <= len(payouts) <= structure.entrant_count:
        raise InvalidInput("payouts", f"there must be 1 to {structure.entrant_count:,} paid places, not {len(payouts)}")
    if any(share <= 0 for share in payouts) or list(payouts) != sorted(payouts, reverse=True):
        raise InvalidInput("payouts", "every place must be paid something, and no place more than the one above it")
    if sum(payouts) != WHOLE_POOL:
        raise InvalidInput("payouts", f"must add up to {WHOLE_POOL} thousandths of the prize pool, not {sum(payouts)}")


_BETS = (
    (10, 20, 0), (15, 30, 0), (25, 50, 0), (50, 100, 0), (75, 150, 0), (100, 200, 0), (100, 200, 25), (200, 400, 50),
    (300, 600, 75), (400, 800, 100), (600, 1200, 150), (800, 1600, 200), (1000, 2000, 250), (1500, 3000, 400),
    (2000, 4000, 500), (3000, 6000, 750),
)  # fmt: skip
MTT_45 = TournamentStructure(
    name="mtt-45",
    entrant_count=45,
    seats_per_table=9,
    starting_chips=1500,
    levels=tuple(BlindLevel(*bets) for bets in _BETS),
    level_hands=10,
    payouts=(310, 215, 165, 125, 90, 60, 35),
    buy_in=100,
)
# One table, three paid places: what online rooms call a sit-and-go.
SNG_9 = replace(MTT_45, name="sng-9", entrant_count=9, payouts=(500, 300, 200))
PRESETS: Mapping[str, TournamentStructure] = {structure.name: structure for structure in (MTT_45, SNG_9)}


def preset(name: str) -> TournamentStructure:
    """Return the structure with a name."""
    if name not in PRESETS:
        raise NotFound(f"no tournament structure is called {name[:30]!r}; the structures are {', '.join(PRESETS)}")
    return PRESETS[name]


def with_entrants(structure: TournamentStructure, entrant_count: int) -> TournamentStructure:
    """Return a structure for another number of entrants; the winner gets the prizes of places that no longer exist."""
    if entrant_count < 2:
        raise InvalidInput("entrant_count", f"a tournament needs at least 2 entrants, not {entrant_count}")
    paid = structure.payouts[:entrant_count]
    payouts = (paid[0] + WHOLE_POOL - sum(paid), *paid[1:])
    return replace(structure, entrant_count=entrant_count, payouts=payouts)
