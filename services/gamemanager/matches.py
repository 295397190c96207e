"""Matches: tables at which agents play a planned number of deals, and their scores."""

import asyncio
from collections.abc import AsyncIterator

from riverboat.errors import InvalidInput, NotFound
from riverboat.rules.variant import Variant
from riverboat.services.gamemanager.hosts import Hosts
from riverboat.services.gamemanager.manager import Manager
from riverboat.tables.config import TableConfig
from riverboat.tables.match import MatchScore, score_of

_PAUSE_SECONDS = 0.2  # between results: nobody reads faster
_MOST_HANDS = 1_000_000


class Matches:
    """Starts matches and reports their scores."""

    def __init__(self, manager: Manager, hosts: Hosts) -> None:
        self._manager = manager
        self._hosts = hosts

    async def start(
        self,
        client: str,
        variant: Variant,
        stack: int,
        agents: tuple[str, ...],
        deal_count: int,
        duplicate: bool,
        clock_ms: int,
    ) -> tuple[list[str], str]:
        """Start a client's match; return its tables, the first of which has the match's id, and the dealer's token."""
        hands = deal_count * (len(agents) if duplicate else 1)
        if deal_count < 1 or hands > _MOST_HANDS:
            raise InvalidInput("deal_count", f"must be at least 1, and {_MOST_HANDS:,} hands at most")
        config = TableConfig(
            name=f"match: {', '.join(agents)}"[:60], variant=variant, chair_count=len(agents), buy_in=stack,
            clock_ms=clock_ms, hand_limit=deal_count, agents=agents, agents_only=True, deal_count=deal_count,
            is_duplicate=duplicate,
        )  # fmt: skip
        if duplicate:
            return await self._hosts.create_sides(config, client)
        info, token = await self._hosts.create_table(config, client)
        return [info.table_id], token

    async def watch(self, match_id: str) -> AsyncIterator[MatchScore]:
        """Yield the score, at most five times a second, until the match is over."""
        async for table, waits_for in self._manager.changes(match_id):
            if not table.config.deal_count:
                raise NotFound(f"{match_id} is a table, not a match")
            score = score_of(table, waits_for)
            yield score
            if not score.is_over:
                await asyncio.sleep(_PAUSE_SECONDS)

    async def cancel(self, match_id: str, dealer_token: str) -> bool:
        """End a match after this hand; return whether it is over now."""
        return await self._manager.close_table(match_id, dealer_token)
