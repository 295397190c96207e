"""Hosts that attend, the agents they offer, and the chairs those take."""

import asyncio
import hmac
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from riverboat.errors import InvalidInput, NotFound, NotYours, RiverboatError, Unavailable
from riverboat.rpc.logs import log
from riverboat.tables.config import LONGEST_PLAYER_NAME, TableConfig
from riverboat.tables.view import Assignment, TableInfo
from services.gamemanager.manager import Manager

_NAME = re.compile(r"[A-Za-z0-9_-]{1,30}")
_MOST_AGENTS = 100
_MOST_TOKENS = 2_000
_AGAIN_SECONDS = 1.0

_Place = tuple[str, int]  # a table, and which of its agents


@dataclass(slots=True, eq=False)
class _Host:
    agents: frozenset[str]
    places: set[_Place] = field(default_factory=set)
    waiting: "asyncio.Queue[Assignment]" = field(default_factory=asyncio.Queue)


class Hosts:
    """All hosts that attend now. Whenever one comes or goes, agents are seated again as far as possible."""

    def __init__(self, manager: Manager, key: str, is_trusted: bool) -> None:
        self._manager = manager
        self._key = key
        self._is_trusted = is_trusted  # everybody who can reach this game manager
        self._hosts: list[_Host] = []
        self._later: asyncio.Task[None] | None = None

    @property
    def agents(self) -> list[str]:
        """Agents that can be seated now."""
        return sorted({agent for host in list(self._hosts) for agent in host.agents})

    @property
    def count(self) -> int:
        """How many hosts attend."""
        return len(self._hosts)

    async def attend(self, agents: Sequence[str], key: str, tokens: Sequence[str]) -> AsyncIterator[Assignment]:
        """Chairs for a host to take, as long as it listens."""
        if not self._key and not self._is_trusted:
            raise NotYours(
                "no host may attend from a network until RIVERBOAT_GAMEMANAGER_HOST_KEY is set, for both sides"
            )
        if not hmac.compare_digest(self._key.encode(), key.encode()):
            raise NotYours("hosts need the key of this game manager")
        if not 1 <= len(agents) <= _MOST_AGENTS or not all(_NAME.fullmatch(agent) for agent in agents):
            raise InvalidInput(
                "agents", f"must be 1 to {_MOST_AGENTS} names of letters, digits, dashes and underscores"
            )
        host = _Host(frozenset(agents))
        self._keep(host, tokens[:_MOST_TOKENS])
        self._hosts.append(host)
        log.info("a host attends", agents=sorted(host.agents))
        try:
            await self._seat_all()
            while True:
                yield await host.waiting.get()
        finally:
            self._hosts.remove(host)
            log.info("a host has gone", agents=sorted(host.agents))
            if host.places and self._hosts:
                await self._seat_all()

    def _keep(self, host: _Host, tokens: Sequence[str]) -> None:
        """Chairs that a host plays already stay with it."""
        for token in tokens:
            place = self._manager.agent_place(token)
            if place is not None:
                for other in self._hosts:
                    other.places.discard(place)
                host.places.add(place)

    def _forget_closed(self) -> None:
        """Chairs at tables that are closed are nobody's any more."""
        open_tables = {info.table_id for info in self._manager.list_tables(include_closed=False)}
        for host in self._hosts:
            host.places = {place for place in host.places if place[0] in open_tables}

    async def create_table(self, config: TableConfig) -> tuple[TableInfo, str]:
        """A table with its agents, who must be on offer, and the dealer's token."""
        missing = sorted(set(config.agents) - set(self.agents))
        if missing:
            offered = f"those on offer are {', '.join(self.agents)}" if self.agents else "no host attends"
            raise NotFound(f"nobody offers an agent called {missing[0][:30]!r}; {offered}")
        info, token = await self._manager.create(config)
        self._forget_closed()
        await self._seat(info)
        return self._manager.info(info.table_id), token

    def _seat_later(self) -> None:
        """Nobody can be seated while the journal cannot be written: try again until that is over."""
        if self._later is None:
            self._later = asyncio.create_task(self._seat_again())

    async def _seat_again(self) -> None:
        await asyncio.sleep(_AGAIN_SECONDS)
        self._later = None
        await self._seat_all()

    async def _seat_all(self) -> None:
        for info in self._manager.list_tables(include_closed=False):
            await self._seat(info)

    async def _seat(self, info: TableInfo) -> None:
        """Give every agent of a table that no host plays to the host that has least to do."""
        taken = {place for host in self._hosts for place in host.places}
        for i, agent in enumerate(info.config.agents):
            place = (info.table_id, i)
            able = [host for host in self._hosts if agent in host.agents]
            if place in taken or not able:
                continue
            host = min(able, key=lambda host: len(host.places))
            before = info.config.agents[:i].count(agent)
            name = f"{agent[: LONGEST_PLAYER_NAME - 3]} {before + 1}" if before else agent
            try:
                chair, token = await self._manager.seat_agent(info.table_id, name, i)
            except Unavailable:
                self._seat_later()
                return
            except RiverboatError as error:  # it had to leave, say, and its chair is taken
                log.warning("an agent has no chair", table=info.table_id, agent=agent, reason=str(error))
                continue
            host.places.add(place)
            host.waiting.put_nowait(Assignment(agent, info.table_id, chair, token))
