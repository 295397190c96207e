"""The settings of a table, and their limits."""

from dataclasses import dataclass
from enum import IntEnum

from riverboat.errors import InvalidInput, in_field
from riverboat.rules.state import check_stacks
from riverboat.rules.variant import MOST_SEATS, Variant

LONGEST_TABLE_NAME = 60
LONGEST_PLAYER_NAME = 30
LONGEST_REQUEST = 64  # characters of a request id
DEFAULT_CLOCK_MS = 30_000
SHORTEST_CLOCK_MS, LONGEST_CLOCK_MS = 100, 3_600_000
LONGEST_PAUSE_MS = 60_000
LEAST_PLAYERS = 2
MOST_BLINDS = 2_000  # big blinds that a player may sit down with


class Reveal(IntEnum):
    """The cards of a hand that everybody may know after it."""

    UNSPECIFIED = 0  # all at a table for agents only, elsewhere those that were shown
    SHOWN = 1
    ALL = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig:
    """The settings of a table; tables.proto says what each means."""

    name: str
    variant: Variant
    chair_count: int
    buy_in: int
    clock_ms: int = DEFAULT_CLOCK_MS
    pause_ms: int = 0
    hand_limit: int = 0
    agents: tuple[str, ...] = ()
    agents_only: bool = False
    deal_count: int = 0  # of a match between the agents; 0 if the table is not for a match
    is_duplicate: bool = False  # in a match: every deal is played once for each seat
    players_to_start: int = LEAST_PLAYERS
    agents_rebuy: bool = False
    newcomers_post: bool = False  # a player who sits down between hands posts a big blind in the first one
    no_clock: bool = False  # no time limit for the one player who is not an agent
    equal_stacks: bool = False  # every hand starts with the buy-in for everybody
    reveal: Reveal = Reveal.UNSPECIFIED
    match_id: str = ""  # of the duplicate match that the table is a side of
    side: int = 0  # number of the side, from 0
    side_count: int = 0  # 0 if the table is no side of a match
    tournament_id: str = ""  # of the tournament that seats the players and sets the blinds

    @property
    def reveals_all(self) -> bool:
        """Whether everybody may know all cards of a hand after it."""
        return self.reveal == Reveal.ALL or (self.reveal == Reveal.UNSPECIFIED and self.agents_only)

    @property
    def hands_per_deal(self) -> int:
        """How often each deal of a match is played."""
        return self.chair_count if self.is_duplicate else 1


def check_config(config: TableConfig) -> None:
    """Raise unless a table can be set up with these settings."""
    if len(config.name) > LONGEST_TABLE_NAME or not config.name.isprintable():
        raise InvalidInput("name", f"must have at most {LONGEST_TABLE_NAME} printable characters")
    most = min(MOST_SEATS, config.variant.most_players)
    if not LEAST_PLAYERS <= config.chair_count <= most:
        raise InvalidInput("chair_count", f"must be 2 to {most}, not {config.chair_count}")
    if config.buy_in < 1:
        raise InvalidInput("buy_in", f"must be at least 1, not {config.buy_in}")
    if config.variant.posts:
        raise InvalidInput("variant.posts", "belong to single hands; newcomers_post lets newcomers post")
    check_stacks(config.variant, [config.buy_in] * config.chair_count)
    with in_field("players_to_start"):
        check_stacks(config.variant, [config.buy_in] * max(LEAST_PLAYERS, min(config.players_to_start, most)))
    if config.buy_in > MOST_BLINDS * config.variant.big_blind:
        raise InvalidInput("buy_in", f"must be at most {MOST_BLINDS:,} big blinds: deeper hands may never end")
    if not SHORTEST_CLOCK_MS <= config.clock_ms <= LONGEST_CLOCK_MS:
        raise InvalidInput("clock_ms", f"must be {SHORTEST_CLOCK_MS} to {LONGEST_CLOCK_MS:,}, not {config.clock_ms}")
    if not 0 <= config.pause_ms <= LONGEST_PAUSE_MS:
        raise InvalidInput("pause_ms", f"must be 0 to {LONGEST_PAUSE_MS:,}, not {config.pause_ms}")
    if config.hand_limit < 0:
        raise InvalidInput("hand_limit", f"cannot be negative, but is {config.hand_limit}")
    if not LEAST_PLAYERS <= config.players_to_start <= config.chair_count:
        raise InvalidInput("players_to_start", f"must be 2 to {config.chair_count}, not {config.players_to_start}")
    if len(config.agents) > config.chair_count:
        raise InvalidInput("agents", f"{len(config.agents)} are too many for {config.chair_count} chairs")
    if config.no_clock and (config.agents_only or config.chair_count != len(config.agents) + 1):
        raise InvalidInput("no_clock", "is for one person alone with agents: exactly one chair may have no agent")


def check_player_name(name: str) -> None:
    """Raise unless this can be the name of a player."""
    if not 1 <= len(name) <= LONGEST_PLAYER_NAME or not name.isprintable() or name != name.strip():
        raise InvalidInput("name", f"must have 1 to {LONGEST_PLAYER_NAME} printable characters")
