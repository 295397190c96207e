"""The data that the tables of a duplicate match share.

A duplicate match has one table, a *side*, for each agent. Every deal is played once at each side, with the agents one
seat further on: hand n of every side has the cards of deal n. Each side has its own instances of the agents, which know
nothing of each other. Until every side has played a deal, hands with that deal are withheld from spectators.
"""

from weakref import WeakValueDictionary

from riverboat.tables.config import TableConfig
from riverboat.tables.schedule import MatchTally

MOST_AHEAD = 1_000  # deals that a side may be ahead of the others, because each of them has to be kept


class Sides:
    """The sums of a duplicate match, deal by deal, and the sides that are still played."""

    def __init__(self, player_count: int, side_count: int) -> None:
        self.tally = MatchTally(player_count, side_count)
        self.timed_out_count = 0
        self._open = set(range(side_count))

    def close(self, side: int) -> None:
        """Note that a side has ended."""
        self._open.discard(side)

    @property
    def is_over(self) -> bool:
        """Whether every side has ended."""
        return not self._open

    @property
    def known_deal_count(self) -> int:
        """How many deals, from the first on, every side has played."""
        return self.tally.deal_count  # each side plays deals in order, so those that are complete come first


class AllSides:
    """The sides of all matches; a match is kept as long as one of its tables is."""

    def __init__(self) -> None:
        self._sides: WeakValueDictionary[str, Sides] = WeakValueDictionary()

    def of(self, config: TableConfig) -> Sides | None:
        """Return the data that a table shares with the other sides of its match; None if the table is no side."""
        if not config.side_count:
            return None
        sides = self._sides.get(config.match_id)
        if sides is None:
            sides = self._sides[config.match_id] = Sides(config.chair_count, config.side_count)
        return sides
