"""Values that only the client and the server of the matches' contract use."""

from dataclasses import dataclass

from riverboat.rules.variant import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan:
    """A match to play: `deal_count` deals, each once, or once for every seat if it is a duplicate match."""

    variant: Variant
    stack: int  # chips of each player at the start of every hand
    agents: tuple[str, ...]
    deal_count: int
    duplicate: bool
    clock_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedMatch:
    """A match that has begun, its tables by side, and the token that ends it and shows all cards."""

    match_id: str
    dealer_token: str
    table_ids: tuple[str, ...]
