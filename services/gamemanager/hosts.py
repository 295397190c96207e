"""Agent hosts: those that attend, the agents that they offer, and the chairs that they play."""

import asyncio
import hmac
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from riverboat.contracts.hosts import AgentQuestion, AgentVerdict, Assignment, HostOffer
from riverboat.errors import IllegalAction, InvalidInput, NotFound, NotYours, RiverboatError, Unavailable
from riverboat.rpc.logs import log
from riverboat.services.gamemanager.attending_host import AgentPlace, AttendingHost
from riverboat.services.gamemanager.instances import able_at_side, best_host, check_instances
from riverboat.services.gamemanager.manager import Manager
from riverboat.services.gamemanager.rosters import AgentRoster, RosterAgent, roster_of_table
from riverboat.tables.agent_names import LONGEST_NAME, LONGEST_PARAMETER, is_agent_name, names_instead, split_agent_name
from riverboat.tables.config import TableConfig
from riverboat.tables.view import TableInfo

_MOST_TOKENS = 2_000
_RETRY_SECONDS = 1.0
_INSTANCE_SECONDS = 5.0  # for processes that have just been started: a client that starts a match waits for them
T = TypeVar("T")


class Hosts:
    """All hosts that attend. Whenever one comes or goes, agents without a host are seated again where possible."""

    def __init__(self, manager: Manager, key: str, is_trusted: bool) -> None:
        self._manager = manager
        self._key = key
        self._is_trusted = is_trusted  # whether everybody who can reach this game manager is trusted
        self._hosts: list[AttendingHost] = []
        self._later: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._seating = asyncio.Lock()  # so that a chair is given to one host
        self._arrival = asyncio.Event()  # set, and replaced, when a host arrives

    @property
    def agents(self) -> list[str]:
        """Agents that can be seated now."""
        return sorted({agent for host in list(self._hosts) for agent in host.agents})

    @property
    def with_parameter(self) -> list[str]:
        """Those of them that take a parameter."""
        return sorted({agent for host in list(self._hosts) for agent in host.with_parameter})

    @property
    def count(self) -> int:
        """The number of hosts that attend."""
        return len(self._hosts)

    async def attend(
        self,
        offer: HostOffer,
        verdicts: AsyncIterator[AgentVerdict] | None = None,
        accept: Callable[[], Awaitable[None]] | None = None,
    ) -> AsyncIterator[Assignment | AgentQuestion]:
        """Yield chairs for a host to take and questions for it to answer, until it hangs up.

        `accept` is called once the host's agents are on offer. If the game manager has no key, a key that a host
        presents is ignored.
        """
        if not self._key and not self._is_trusted:
            raise NotYours(
                "this game manager is open to a network but has no host key: "
                "set RIVERBOAT_GAMEMANAGER_HOST_KEY for it and for its hosts"
            )
        if self._key and not hmac.compare_digest(self._key.encode(), offer.key.encode()):
            raise NotYours(
                "hosts need this game manager's key: set RIVERBOAT_GAMEMANAGER_HOST_KEY to it, "
                "or run the host where its keyring is (.riverboat)"
            )
        host = AttendingHost(offer)
        self._keep(host, offer.tokens[:_MOST_TOKENS])
        self._hosts.append(host)
        self._arrival.set()
        self._arrival = asyncio.Event()
        log.info("host_attending", agents=sorted(host.agents))
        listening = asyncio.create_task(_listen(host, verdicts))
        # Not awaited: seating may ask this host a question, which reaches it through the loop below.
        self._start(self._seat_all())
        try:
            if accept is not None:
                await accept()
            while True:
                yield await host.waiting.get()
        finally:
            self._hosts.remove(host)
            listening.cancel()
            host.answer_no_more()
            log.info("host_gone", agents=sorted(host.agents))
            if host.places and self._hosts:
                self._start(self._seat_all())

    def _start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _keep(self, host: AttendingHost, tokens: Sequence[str]) -> None:
        """Let a host keep the chairs that it plays already."""
        for token in tokens:
            place = self._manager.agent_place(token)
            if place is not None:
                for other in self._hosts:
                    other.places.discard(place)
                host.places.add(place)

    def _forget_closed(self) -> None:
        """Release the chairs of closed tables."""
        wanted = {(roster.id, agent.number) for roster in self._manager.rosters() for agent in roster.agents}
        for host in self._hosts:
            host.places &= wanted

    async def create_table(self, config: TableConfig, client: str) -> tuple[TableInfo, str]:
        """Create a client's table and seat its agents, which must be on offer; return it and the dealer's token."""
        info, token = await self._manager.create(config, client, lambda: self.check_agents(config.agents))
        self._forget_closed()
        await self._seat(roster_of_table(info))
        return self._manager.info(info.table_id), token

    async def create_sides(self, config: TableConfig, client: str) -> tuple[list[str], str]:
        """Create the tables of a duplicate match and seat its agents, so that no two sides share a memory."""
        infos, token = await self._manager.create_sides(config, client, lambda: self._check_sides(config.agents))
        self._forget_closed()
        for info in infos:
            await self._seat(roster_of_table(info))
        return [info.table_id for info in infos], token

    async def _check_sides(self, agents: Sequence[str]) -> None:
        """Raise unless every side of a duplicate match between these agents can have instances of its own.

        Instances that have just been started may still arrive, so too few are refused only after a while.
        """

        def check() -> None:
            check_instances(agents, self._hosts, lambda host, agent: host.plays(agent))

        loop = asyncio.get_running_loop()
        give_up = loop.time() + _INSTANCE_SECONDS
        while True:
            arrival = self._arrival
            await self.check_agents(agents, lambda: _passes(check))
            if _passes(check) or loop.time() >= give_up:
                break
            with suppress(TimeoutError):
                await asyncio.wait_for(arrival.wait(), give_up - loop.time())
        check()

    async def check_agents(self, agents: Sequence[str], is_enough: Callable[[], bool] = lambda: True) -> None:
        """Raise unless hosts offer all these agents and accept their parameters.

        Hosts get the questions each time, because what they accept may change. The check ends as soon as some host has
        accepted each name and `is_enough` holds; later answers are still noted.
        """
        names = sorted(set(agents))
        for name in names:
            if not any(host.may_play(name) for host in self._hosts):
                raise self._not_offered(name)
        answers: dict[str, list[str | None]] = {name: [] for name in names if self._must_ask(name)}
        questions = {
            self._start(host.ask(name)): name for name in answers for host in self._hosts if host.may_play(name)
        }
        pending = set(questions)
        while pending and not (all("" in given for given in answers.values()) and is_enough()):
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for question in done:
                answers[questions[question]].append(question.result())
        for name, given in answers.items():
            if "" not in given:
                raise _refusal(name, given)

    def _must_ask(self, name: str) -> bool:
        """Return whether only a host can check a name, because no host offers the name with its parameter."""
        if any(name in host.agents for host in self._hosts):
            return False
        if not is_agent_name(name):
            raise InvalidInput(
                "agents",
                f"{name[:LONGEST_NAME]!r}: a parameter is 1 to {LONGEST_PARAMETER} letters, digits and . _ + = -",
            )
        return True

    def _not_offered(self, name: str) -> RiverboatError:
        word, parameter = split_agent_name(name)
        if parameter and word in self.agents:
            return InvalidInput("agents", f"{name[:LONGEST_NAME]!r}: {word} takes no parameter")
        offered = names_instead(name, self.agents) if self.agents else "no host attends"
        return NotFound(f"no host offers an agent called {name[:30]!r}; {offered}")

    def _seat_later(self) -> None:
        """Seat agents later: no agent can be seated while the journal cannot be written."""
        if self._later is None:
            self._later = asyncio.create_task(self._seat_again())

    def seat_soon(self) -> None:
        """Give agents without a host to hosts that offer them."""
        self._forget_closed()
        self._start(self._seat_all())

    async def _seat_again(self) -> None:
        await asyncio.sleep(_RETRY_SECONDS)
        self._later = None
        await self._seat_all()

    async def _seat_all(self) -> None:
        await self._ask_about_open_tables()
        for roster in self._manager.rosters():
            await self._seat(roster)

    async def _ask_about_open_tables(self) -> None:
        """Ask new hosts about the agents of tables that are open already."""
        taken = self._taken()
        names = {
            agent.agent
            for roster in self._manager.rosters()
            for agent in roster.agents
            if (roster.id, agent.number) not in taken
        }
        await asyncio.gather(
            *(host.ask_all([name for name in sorted(names) if _is_unknown(host, name)]) for host in self._hosts)
        )

    def _taken(self) -> set[AgentPlace]:
        return {place for host in self._hosts for place in host.places}

    async def _seat(self, roster: AgentRoster) -> None:
        """Give each agent of a table or tournament that no host plays to the host with the fewest chairs."""
        async with self._seating:
            taken = self._taken()
            for agent in roster.agents:
                here, elsewhere, other_tables = self._manager.processes(roster.id)
                able = [host for host in self._hosts if host.plays(agent.agent)]
                able = able_at_side(able, elsewhere, other_tables)
                is_free = (roster.id, agent.number) not in taken
                if is_free and able and not await self._give(best_host(able, here), roster, agent):
                    return

    async def _give(self, host: AttendingHost, roster: AgentRoster, agent: RosterAgent) -> bool:
        """Give an agent's chair to a host; return whether more chairs can be given now."""
        played_by = "" if host.forgets else host.process
        try:
            table_id, chair, token = await self._manager.seat_agent(roster.id, agent.name, agent.number, played_by)
        except Unavailable:
            self._seat_later()
            return False
        except RiverboatError as error:  # for instance, it had to leave and its chair is taken
            log.warning("agent_not_seated", table=roster.id, agent=agent.agent, reason=str(error))
            return True
        host.places.add((roster.id, agent.number))
        host.waiting.put_nowait(
            Assignment(
                agent=agent.agent,
                table_id=table_id,
                chair=chair,
                token=token,
                match_id=roster.match_id,
                instance=roster.side,
            )
        )
        return True


def _is_unknown(host: AttendingHost, name: str) -> bool:
    return host.may_play(name) and not host.plays(name)


def _passes(check: Callable[[], None]) -> bool:
    try:
        check()
    except IllegalAction:
        return False
    return True


def _refusal(name: str, answers: Sequence[str | None]) -> RiverboatError:
    """Return the error for a name that no host plays; an answer is None if its host gave none."""
    problem = next((answer for answer in answers if answer), None)
    if problem is None:
        word = split_agent_name(name)[0]
        return Unavailable(f"the host of {word} did not answer whether it can play {name}: try again")
    return InvalidInput("agents", f"{name!r}: {problem}")


async def _listen(host: AttendingHost, verdicts: AsyncIterator[AgentVerdict] | None) -> None:
    """Take a host's verdicts until its stream ends."""
    try:
        if verdicts is not None:
            async for verdict in verdicts:
                host.answer(verdict)
    finally:
        host.answer_no_more()
