"""The agent host: it offers agents to a game manager and plays the chairs that it is told to take.

python -m riverboat.clients.bots.host --server HOST:PORT [--agents rollout,random]
"""

import argparse
import asyncio
import logging
import os
import secrets
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

import grpc

from riverboat.arena.bot import MakeBot
from riverboat.clients.bots.agents.names import AGENT_NAMES, needs_resolver
from riverboat.clients.bots.agents.registry import find_agents, plays_alone
from riverboat.clients.bots.bot_chair import BotChair, ChairLost, random_seed
from riverboat.clients.bots.bot_runner import BotFailed, BotRunner, warm_up
from riverboat.clients.bots.event_log import log
from riverboat.clients.bots.fairness import Fairness, FindingLog
from riverboat.clients.bots.parameters import takes_parameter, with_parameter
from riverboat.clients.bots.settings import gamemanager_server, host_key, resolver_server
from riverboat.clients.bots.shared_resolver import resolver_answers
from riverboat.clients.bots.threads import in_thread
from riverboat.clients.remote.backoff import PASSING, Backoff
from riverboat.clients.remote.channels import open_game_channel
from riverboat.clients.remote.hosts import Attendance, AttendanceClient
from riverboat.clients.remote.play import PlayClient
from riverboat.clients.remote.refusals import EXIT_REFUSED, reason_of
from riverboat.contracts.hosts import AgentQuestion, AgentVerdict, Assignment, HostOffer
from riverboat.errors import InvalidInput, NotFound, RiverboatError
from riverboat.rpc.connections.problems import tls_problem
from riverboat.tables.agent_names import split_agent_name

_ANSWER_THREADS = 4
_MOST_QUESTIONS = 100  # waiting for a thread; the game manager soon gives up on any others
_HELD_SECONDS = 5.0  # after a connection that lasted this long, the next retry comes soon


class AgentHost:
    """Agents on offer, and the chairs they play.

    With `strict` the host stops when a bot fails; otherwise the decision becomes a check or a fold. `forgets` says that
    the agents keep nothing from one hand to the next, so that this process may play all sides of a duplicate match.
    Every hand gets a new bot, but a bot's module may remember.
    """

    def __init__(self, server: str, agents: Mapping[str, MakeBot], strict: bool = False, forgets: bool = False) -> None:
        self._server, self._agents, self._strict = server, agents, strict
        self._forgets = forgets
        self._process = secrets.token_hex(16)  # stays the same after a reconnect, because the process remembers
        self._chairs: dict[str, asyncio.Task[None]] = {}  # by token
        self._answering: set[asyncio.Task[None]] = set()
        self._threads = asyncio.Semaphore(_ANSWER_THREADS)
        self._failure: asyncio.Future[None] | None = None

    async def run(self) -> None:
        """Attend until cancelled; raise RpcError if the server refuses, BotFailed if strict and a bot fails."""
        backoff, loop = Backoff(), asyncio.get_running_loop()
        self._failure = loop.create_future()
        async with open_game_channel(self._server) as channel:
            hosts, tables = AttendanceClient(channel), PlayClient(channel)
            try:
                while True:
                    start = loop.time()
                    await self._attend(hosts.attend(), tables, backoff)
                    if loop.time() > start + _HELD_SECONDS:
                        backoff.reset()
                    await asyncio.sleep(backoff.next_seconds())
            finally:
                await self._stop()

    async def _attend(self, attendance: Attendance, tables: PlayClient, backoff: Backoff) -> None:
        reading = asyncio.create_task(self._read(attendance, tables))
        try:
            await asyncio.wait({reading, self._failed}, return_when=asyncio.FIRST_COMPLETED)
            if self._failed.done():
                self._failed.result()
            reading.result()
        except grpc.aio.AioRpcError as error:
            if error.code() not in PASSING:
                raise
            if backoff.failed_count == 0:
                reason = tls_problem(error, self._server) or error.code().name
                log.warning("gamemanager_unreachable", server=self._server, reason=reason)
        finally:
            reading.cancel()
            attendance.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    @property
    def _failed(self) -> "asyncio.Future[None]":
        if self._failure is None:
            raise RuntimeError("the host does not run")
        return self._failure

    async def _read(self, attendance: Attendance, tables: PlayClient) -> None:
        names = tuple(sorted(self._agents))
        parametric = tuple(name for name in names if takes_parameter(self._agents[name]))
        tokens = tuple(self._chairs)
        offer = HostOffer(
            agents=names,
            key=host_key(self._server),
            tokens=tokens,
            with_parameter=parametric,
            forgets=self._forgets,
            process=self._process,
        )
        await attendance.offer(offer)
        if await attendance.is_accepted():
            log.info("agents_offered", agents=",".join(names), server=self._server)
        async for message in attendance:  # raises the reason for a refusal
            if isinstance(message, AgentQuestion):
                self._consider(message, attendance)
            else:
                self._take(message, tables)

    def _consider(self, question: AgentQuestion, attendance: Attendance) -> None:
        """Begin to answer a question, unless too many wait: the game manager soon goes on without an answer."""
        if len(self._answering) >= _MOST_QUESTIONS:
            log.warning("question_dropped", agent=question.agent, waiting=len(self._answering))
            return
        answering = asyncio.create_task(self._answer(question, attendance))
        self._answering.add(answering)
        answering.add_done_callback(self._answering.discard)

    async def _answer(self, question: AgentQuestion, attendance: Attendance) -> None:
        """Answer whether this host can play an agent; in one of a few threads, because its class may be slow."""
        try:
            async with self._threads:
                await in_thread(lambda: self._maker(question.agent))
            problem = ""
        except RiverboatError as error:
            problem = str(error)
        with suppress(grpc.aio.AioRpcError):  # the stream has ended; reading finds out why
            await attendance.answer(AgentVerdict(question_id=question.question_id, problem=problem))

    def _maker(self, name: str) -> MakeBot:
        """Return the maker of an agent's bots; the name may have a parameter."""
        if name in self._agents:
            return self._agents[name]
        word, parameter = split_agent_name(name)
        if word not in self._agents:
            raise NotFound(f"this host has no agent called {word[:30]!r}")
        return with_parameter(self._agents[word], word, parameter)

    def _take(self, wanted: Assignment, tables: PlayClient) -> None:
        """Play a chair, unless this host plays it already: after a reconnect all chairs are assigned again."""
        if wanted.token in self._chairs:
            return
        name = f"{wanted.agent} (table {wanted.table_id}, chair {wanted.chair})"
        try:
            make_bot = self._maker(wanted.agent)
        except RiverboatError as error:  # although this host answered that it can play the agent
            log.error("agent_not_made", bot=name, reason=error)
            return
        log.info("agent_seated", bot=name)
        runner = BotRunner(make_bot, name, random_seed(), self._strict)
        fairness = Fairness(FindingLog(name, self._strict), may_be_match=True)
        chair = BotChair(tables, wanted.token, runner, name, fairness)
        task = asyncio.create_task(self._play(chair, name, wanted.table_id))
        self._chairs[wanted.token] = task
        task.add_done_callback(lambda _: self._chairs.pop(wanted.token, None))

    async def _play(self, chair: BotChair, name: str, table_id: str) -> None:
        try:
            await chair.play()
            log.info("bot_done", bot=name, table=table_id)
        except ChairLost as error:
            log.warning("chair_lost", bot=name, reason=error)
        except BotFailed as error:
            if not self._failed.done():
                self._failed.set_exception(error)
        except Exception as error:
            log.error("chair_crashed", bot=name, exc_info=error)

    async def _stop(self) -> None:
        tasks = [*self._chairs.values(), *self._answering]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def with_resolver(agents: Mapping[str, MakeBot]) -> dict[str, MakeBot]:
    """Return the agents that can play: without a resolver, only those that need none."""
    asking = [name for name in agents if needs_resolver(name)]
    if not asking or resolver_answers():
        return dict(agents)
    names = ", ".join(asking)
    log.warning("agents_without_resolver", agents=",".join(asking), resolver=resolver_server())
    if len(asking) == len(agents):
        raise NotFound(f"{names}: no resolver answers at {resolver_server()}")
    return {name: make_bot for name, make_bot in agents.items() if name not in asking}


async def _until_told_to_stop(host: AgentHost, until_input_ends: bool) -> None:
    """Run a host until SIGTERM or SIGINT, or until the process that started it has ended."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if until_input_ends:
        loop.add_reader(sys.stdin.fileno(), lambda: None if os.read(sys.stdin.fileno(), 1024) else stop.set())
    running, stopping = asyncio.create_task(host.run()), asyncio.create_task(stop.wait())
    await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        running.result()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def main(arguments: Sequence[str]) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m riverboat.clients.bots.host", description="Offer agents to a game manager."
    )
    parser.add_argument(
        "--server",
        metavar="HOST:PORT",
        help="game manager to serve (default: RIVERBOAT_GAMEMANAGER_SERVER, or port 50052)",
    )
    parser.add_argument(
        "--agents", default=",".join(AGENT_NAMES), help="agents to offer, separated by commas (default: %(default)s)"
    )
    parser.add_argument("--until-input-ends", action="store_true", help="stop when standard input is closed")
    options = parser.parse_args(arguments)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    server = options.server or gamemanager_server()
    try:
        agents = find_agents(name.strip() for name in options.agents.split(","))
        for make_bot in {plays_alone(name) for name in agents}:
            warm_up(make_bot)
        agents = with_resolver(agents)
        # Built-in agents know only the view that they are asked about.
        asyncio.run(_until_told_to_stop(AgentHost(server, agents, forgets=True), options.until_input_ends))
    except NotFound as error:
        print(f"--agents: {error}", file=sys.stderr)
        return EXIT_REFUSED
    except InvalidInput as error:  # in a parameter or in the environment
        print(error, file=sys.stderr)
        return EXIT_REFUSED
    except grpc.RpcError as error:
        print(f"{server} refuses this host: {reason_of(error)}", file=sys.stderr)
        return EXIT_REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
