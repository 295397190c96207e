"""Matches: tables at which agents play a planned number of deals, and their scores."""

import asyncio
from collections.abc import AsyncIterator

from riverboat.contracts.matches import MatchPlan
from riverboat.errors import InvalidInput, NotFound
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

    async def start(self, client: str, plan: MatchPlan) -> tuple[list[str], str]:
        """Start a client's match; return its tables, the first of which has the match's id, and the dealer's token."""
        hands = plan.deal_count * (len(plan.agents) if plan.duplicate else 1)
        if plan.deal_count < 1 or hands > _MOST_HANDS:
            raise InvalidInput("deal_count", f"must be at least 1, and {_MOST_HANDS:,} hands at most")
        config = TableConfig(
            name=f"match: {', '.join(plan.agents)}"[:60], variant=plan.variant, chair_count=len(plan.agents),
            buy_in=plan.stack, clock_ms=plan.clock_ms, hand_limit=plan.deal_count, agents=plan.agents,
            agents_only=True, deal_count=plan.deal_count, is_duplicate=plan.duplicate,
        )  # fmt: skip
        if plan.duplicate:
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
