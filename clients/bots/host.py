"""The agent host: offers agents to a game manager and plays the chairs it is told to take.

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
from typing import Any

import grpc

from riverboat.arena.bot import MakeBot
from riverboat.clients.bots.agents.registry import AGENTS, find_agents, needs_resolver, plays_alone
from riverboat.clients.bots.event_log import log
from riverboat.clients.bots.fairness import Fairness, Reporter
from riverboat.clients.bots.parameters import takes_parameter, with_parameter
from riverboat.clients.bots.player import BotFailed, Player, warm_up
from riverboat.clients.bots.seat import ChairLost, Seat, random_seed
from riverboat.clients.bots.settings import gamemanager_server, host_key, resolver_server
from riverboat.clients.bots.shared_resolver import resolver_answers
from riverboat.clients.bots.thread import in_thread
from riverboat.clients.remote.backoff import PASSING, Backoff, open_channel
from riverboat.errors import InvalidInput, NotFound, RiverboatError
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as pb
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from riverboat.rpc.connections.problems import tls_problem
from riverboat.tables.agent_names import split_agent_name

_ANSWER_THREADS = 4
_MOST_QUESTIONS = 100  # waiting for one of them; the game manager has given up on the rest
_HELD_SECONDS = 5.0  # a connection that held so long was a good one
EXIT_REFUSED = 2


class Host:
    """Agents on offer, and the chairs they play.

    `forgets` says that they keep nothing from one hand to the next, so that this process may play all sides of a
    duplicate match. Bots are made anew for every hand, but their modules may remember.
    """

    def __init__(self, server: str, agents: Mapping[str, MakeBot], strict: bool = False, forgets: bool = False) -> None:
        self._server, self._agents, self._strict = server, agents, strict
        self._memory = pb.MEMORY_NONE if forgets else pb.MEMORY_KEPT
        self._process = secrets.token_hex(16)  # the same whenever we come back: what was seen stays seen
        self._chairs: dict[str, asyncio.Task[None]] = {}  # by token
        self._answering: set[asyncio.Task[None]] = set()
        self._threads = asyncio.Semaphore(_ANSWER_THREADS)
        self._writing = asyncio.Lock()  # two writes at once end a stream
        self._failure: asyncio.Future[None] | None = None

    async def run(self) -> None:
        """Attend until cancelled; raises RpcError if the server refuses, BotFailed if strict."""
        backoff, loop = Backoff(), asyncio.get_running_loop()
        self._failure = loop.create_future()
        async with open_channel(self._server) as channel:
            try:
                while True:
                    start = loop.time()
                    await self._attend(channel, backoff)
                    if loop.time() > start + _HELD_SECONDS:
                        backoff.reset()
                    await asyncio.sleep(backoff.next_seconds())
            finally:
                await self._stop()

    async def _attend(self, channel: Any, backoff: Backoff) -> None:
        stub: Any = AgentHostsStub(channel)
        call = stub.Attend()
        reading = asyncio.create_task(self._read(call, channel))
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
            call.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    @property
    def _failed(self) -> "asyncio.Future[None]":
        if self._failure is None:
            raise RuntimeError("a host that does not run cannot fail")
        return self._failure

    async def _read(self, call: Any, channel: Any) -> None:
        names = sorted(self._agents)
        asked = [name for name in names if takes_parameter(self._agents[name])]
        await call.write(
            pb.AttendRequest(
                agents=names,
                key=host_key(self._server),
                tokens=self._chairs,
                with_parameter=asked,
                memory=self._memory,
                process=self._process,
            )
        )
        log.info("agents_offered", agents=",".join(names), server=self._server)
        async for wanted in call:
            if wanted.HasField("question"):
                self._consider(wanted.question, call)
            else:
                self._take(wanted, channel)

    def _consider(self, question: pb.AttendResponse.Question, call: Any) -> None:
        """Begin to answer a question, unless too many wait already: the game manager counts silence as no answer."""
        if len(self._answering) >= _MOST_QUESTIONS:
            log.warning("question_dropped", agent=question.agent, waiting=len(self._answering))
            return
        answering = asyncio.create_task(self._answer(question, call))
        self._answering.add(answering)
        answering.add_done_callback(self._answering.discard)

    async def _answer(self, question: pb.AttendResponse.Question, call: Any) -> None:
        """Say whether we can play an agent; in one of a few threads, as its class may be slow."""
        try:
            async with self._threads:
                await in_thread(lambda: self._maker(question.agent))
            problem = ""
        except RiverboatError as error:
            problem = str(error)
        verdict = pb.AttendRequest.Verdict(question_id=question.question_id, problem=problem)
        with suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):  # the stream has ended; reading finds out why
            async with self._writing:
                await call.write(pb.AttendRequest(verdict=verdict))

    def _maker(self, name: str) -> MakeBot:
        """What makes the bots of an agent, whose name may have a parameter."""
        if name in self._agents:
            return self._agents[name]
        word, parameter = split_agent_name(name)
        if word not in self._agents:
            raise NotFound(f"this host has no agent called {word[:30]!r}")
        return with_parameter(self._agents[word], word, parameter)

    def _take(self, wanted: pb.AttendResponse, channel: Any) -> None:
        """Play a chair, unless it is one of ours that we are told about again."""
        if wanted.token in self._chairs:
            return
        name = f"{wanted.agent} (table {wanted.table_id}, chair {wanted.chair})"
        try:
            make_bot = self._maker(wanted.agent)
        except RiverboatError as error:  # we were asked, and said yes
            log.error("agent_not_made", bot=name, reason=error)
            return
        log.info("agent_seated", bot=name)
        player = Player(make_bot, name, random_seed(), self._strict)
        fairness = Fairness(Reporter(name, self._strict), may_be_match=True)
        seat = Seat(channel, wanted.token, player, name, fairness)
        task = asyncio.create_task(self._play(seat, name))
        self._chairs[wanted.token] = task
        task.add_done_callback(lambda _: self._chairs.pop(wanted.token, None))

    async def _play(self, seat: Seat, name: str) -> None:
        try:
            await seat.play()
            log.info("bot_done", bot=name)
        except ChairLost as error:
            log.warning("chair_lost", bot=name, reason=error)
        except BotFailed as error:
            if not self._failed.done():
                self._failed.set_exception(error)
        except Exception as error:
            log.error("seat_crashed", bot=name, exc_info=error)

    async def _stop(self) -> None:
        tasks = [*self._chairs.values(), *self._answering]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def with_resolver(agents: Mapping[str, MakeBot]) -> dict[str, MakeBot]:
    """Those agents that can play: without a resolver, those that ask none. Whoever is called so must be so."""
    asking = [name for name in agents if needs_resolver(name)]
    if not asking or resolver_answers():
        return dict(agents)
    names = ", ".join(asking)
    log.warning("agents_without_resolver", agents=",".join(asking), resolver=resolver_server())
    if len(asking) == len(agents):
        raise NotFound(f"{names}: no resolver answers at {resolver_server()}")
    return {name: make_bot for name, make_bot in agents.items() if name not in asking}


async def _until_told_to_stop(host: Host, until_input_ends: bool) -> None:
    """Run a host until SIGTERM or SIGINT, or until whoever started us is gone."""
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
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m riverboat.clients.bots.host", description="Offer agents to a game manager."
    )
    parser.add_argument(
        "--server", metavar="HOST:PORT", help="the game manager; RIVERBOAT_GAMEMANAGER_SERVER does the same"
    )
    parser.add_argument("--agents", default=",".join(AGENTS), help="which, separated by commas (default: %(default)s)")
    parser.add_argument("--until-input-ends", action="store_true", help="stop when standard input is closed")
    options = parser.parse_args(arguments)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    server = options.server or gamemanager_server()
    try:
        agents = find_agents(name.strip() for name in options.agents.split(","))
        for make_bot in {plays_alone(name) for name in agents}:
            warm_up(make_bot)
        agents = with_resolver(agents)
        # The built-in agents know nothing but the view that they are asked about.
        asyncio.run(_until_told_to_stop(Host(server, agents, forgets=True), options.until_input_ends))
    except NotFound as error:
        print(f"--agents: {error}", file=sys.stderr)
        return EXIT_REFUSED
    except InvalidInput as error:  # a parameter, or in the environment
        print(error, file=sys.stderr)
        return EXIT_REFUSED
    except grpc.RpcError as error:
        print(f"{server} refuses this host: {error.details()}", file=sys.stderr)
        return EXIT_REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
