"""Statistics of players, from counts of their moves. docs/hands.md defines each, with an example."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray

from riverboat.history.store.columns import HandColumns
from riverboat.opponents.counting import (
    BETS,
    CALLS,
    COUNT_SIZE,
    DECIDED,
    FLOPS,
    HANDS,
    MOVES_SHAPE,
    RAISED,
    RAISES,
    RESULTS,
    SHOWDOWNS,
    SHOWDOWNS_WON,
    SQUARES,
    SUM,
    SUM_SIZE,
    VOLUNTARY,
    PlayerCounts,
    count_hands,
)

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

_WITHIN = 1.96  # standard errors of a 95 % interval
_PER = 100  # hands; a win rate is in big blinds per this many
_MOST_AGGRESSION = 100.0  # of a player who bets and never calls, as in the literature


@dataclass(frozen=True, slots=True, eq=False)
class PlayerStatistics:
    """How one player plays; shares are 0 to 1, and nan where nothing was counted."""

    name: str
    player_counts: tuple[int, ...]  # the table sizes that are covered, as players dealt in
    counts: I64  # [COUNT_SIZE]
    moves: I64  # [4, 2, 5]
    sums: F64  # [SUM_SIZE]

    @property
    def hand_count(self) -> int:
        """Hands that the player was dealt into."""
        return int(self.counts[HANDS])

    @property
    def vpip(self) -> float:
        """Share of hands with a call or raise before the flop, of those with a decision there."""
        return _share(self.counts[VOLUNTARY], self.counts[DECIDED])

    @property
    def pfr(self) -> float:
        """Share of hands with a raise before the flop, of those with a decision there."""
        return _share(self.counts[RAISED], self.counts[DECIDED])

    @property
    def aggression(self) -> float:
        """Bets and raises for each call, on all streets; 100 for a player who never calls."""
        bets, calls = int(self.moves[:, :, BETS : RAISES + 1].sum()), int(self.moves[:, :, CALLS].sum())
        if not calls:
            return _MOST_AGGRESSION if bets else nan
        return bets / calls

    @property
    def went_to_showdown(self) -> float:
        """Share of hands that came to a showdown, of those that saw the flop."""
        return _share(self.counts[SHOWDOWNS], self.counts[FLOPS])

    @property
    def won_at_showdown(self) -> float:
        """Share of showdowns in which the player won chips."""
        return _share(self.counts[SHOWDOWNS_WON], self.counts[SHOWDOWNS])

    @property
    def win_rate(self) -> float:
        """Big blinds won in a hundred hands."""
        return _PER * _share(self.sums[SUM], self.counts[RESULTS])

    @property
    def win_rate_error(self) -> float:
        """Half the width of the win rate's 95 % interval."""
        count = int(self.counts[RESULTS])
        if count < 2:
            return nan
        mean = self.sums[SUM] / count
        variance = max(0.0, (self.sums[SQUARES] - count * mean * mean) / (count - 1))
        return _PER * _WITHIN * sqrt(variance / count)


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else nan


@dataclass(slots=True, eq=False)
class PlayerTally:
    """Counts of all players so far. Its size depends on the number of players, not on the number of hands."""

    _rows: dict[tuple[str, int], int] = field(default_factory=dict)  # by player and players dealt in
    _counted: PlayerCounts = field(default_factory=lambda: _room(0))
    hand_count: int = 0

    def add(self, columns: HandColumns) -> None:
        """Count more hands. Players without a name are not counted."""
        self.hand_count += columns.hand_count
        player_counts = np.diff(columns.seat_start)
        keys = columns.player * 16 + np.repeat(player_counts, player_counts)
        kinds, kind_of_seat = np.unique(keys, return_inverse=True)
        rows = [self._row(columns.names[key // 16], key % 16) if key >= 0 else -1 for key in kinds.tolist()]
        self._grow()
        count_hands(columns, np.array(rows, np.int64)[kind_of_seat], self._counted)

    def _row(self, name: str, player_count: int) -> int:
        return self._rows.setdefault((name, player_count), len(self._rows))

    def _grow(self) -> None:
        before = self._counted
        if len(self._rows) > len(before.counts):
            self._counted = _room(2 * len(self._rows))
            for wide, narrow in zip(self._counted, before, strict=True):
                wide[: len(narrow)] = narrow

    def players(self, player_counts: Iterable[int] = ()) -> list[PlayerStatistics]:
        """Return the statistics of all players, most hands first; only at tables of these sizes, if any are given."""
        wanted = set(player_counts)
        rows: dict[str, list[tuple[int, int]]] = {}
        for (name, count), row in self._rows.items():
            if not wanted or count in wanted:
                rows.setdefault(name, []).append((count, row))
        players = [self._statistics(name, own) for name, own in rows.items()]
        return sorted(players, key=lambda player: (-player.hand_count, player.name))

    def player(self, name: str) -> list[PlayerStatistics]:
        """Return a player's statistics at tables of each size, then over all sizes; an empty list if unknown."""
        own = sorted((count, row) for (other, count), row in self._rows.items() if other == name)
        return [*(self._statistics(name, [one]) for one in own), self._statistics(name, own)] if own else []

    def _statistics(self, name: str, own: list[tuple[int, int]]) -> PlayerStatistics:
        counts, rows = zip(*sorted(own), strict=True)
        places = list(rows)
        return PlayerStatistics(name, counts, *(array[places].sum(0) for array in self._counted))


def _room(size: int) -> PlayerCounts:
    """Return counts for `size` players, all 0."""
    return PlayerCounts(
        counts=np.zeros((size, COUNT_SIZE), np.int64),
        moves=np.zeros((size, *MOVES_SHAPE), np.int64),
        sums=np.zeros((size, SUM_SIZE)),
    )
