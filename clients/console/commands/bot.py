"""riverboat bot: your own bot at a table, or on offer as an agent."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any

import grpc
import typer

from riverboat.arena.bots import CallBot
from riverboat.clients.bots.bot_chair import ChairLost
from riverboat.clients.bots.bot_files import load_bot
from riverboat.clients.bots.bot_runner import BotFailed, warm_up
from riverboat.clients.bots.host import AgentHost
from riverboat.clients.bots.settings import gamemanager_server
from riverboat.clients.bots.visit import visit
from riverboat.clients.console.completion import server_of
from riverboat.clients.console.views.output import waiting
from riverboat.clients.local.instances import run_with_instances
from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.connections.problems import tls_problem

_LONGEST_NAME = 30  # characters of a name at a table
_INSTANCES = 2  # enough for duplicate matches of two


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(bot)


def bot(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A Python file with one class MyBot(Bot) in it.")],
    server: Annotated[
        str | None,
        typer.Option(
            "--server",
            metavar="HOST:PORT",
            help="The game manager; RIVERBOAT_GAMEMANAGER_SERVER does the same.",
            show_default=False,
            autocompletion=server_of("gamemanager"),
        ),
    ] = None,
    table: Annotated[
        str | None, typer.Option("--table", "-t", metavar="ID", help="The table to join.", show_default=False)
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="What it is called at the table; the class's name.", show_default=False)
    ] = None,
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="NAME", help="Offer it as an agent of this name instead.", show_default=False),
    ] = None,
    class_name: Annotated[
        str | None, typer.Option("--class", help="Which bot, if the file has several.", show_default=False)
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop when the bot fails, or a deal is not as announced.")
    ] = False,
    instances: Annotated[
        int,
        typer.Option(
            "--instances",
            min=1,
            max=10,
            help="Processes that offer it, with --host. A duplicate match needs one for each of its agents.",
        ),
    ] = _INSTANCES,
    until_input_ends: Annotated[bool, typer.Option("--until-input-ends", hidden=True)] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=2**64 - 1, help="Repeat the same chances.", show_default=False)
    ] = None,
) -> None:
    """Play with your own bot until the table is closed, or Ctrl-C.

    riverboat bot my_bot.py --server 127.0.0.1:50052 --table 3f9c…

    riverboat bot my_bot.py --host my-bot

    With --host the bot runs in several processes. What it keeps in variables of its module, or of its class, each
    process knows for itself, so that no two sides of a duplicate match share a memory.
    """
    if table == "" or host == "":
        raise Refused("--table and --host need a name")
    if (table is None) == (host is None):
        raise Refused("give either --table ID, to join a table, or --host NAME, to be on offer as an agent")
    if host is not None and (name is not None or seed is not None):
        raise Refused("--name and --seed are for a bot at a table: an agent has the name and chances of each chair")
    make_bot = load_bot(file, class_name)
    address = server or gamemanager_server()
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    with waiting("loading the rules; the first time they are compiled, for about half a minute…"):
        warm_up(CallBot)  # the rules; the bot itself is not to be asked before its time
    try:
        if table is not None:
            _run(visit(address, table, make_bot, (name or make_bot.__name__)[:_LONGEST_NAME], strict, seed))
        elif host is not None:
            hosting = AgentHost(address, {host: make_bot}, strict).run()
            words = ["bot", str(file), "--server", address, "--host", host, "--instances", "1", "--until-input-ends"]
            words += ["--class", make_bot.__name__, *["--strict"] * strict]
            _run(run_with_instances(hosting, words, instances - 1), until_input_ends)
    except grpc.RpcError as error:
        raise Refused(_reason(error, address)) from None
    except (BotFailed, ChairLost) as error:
        raise Refused(str(error)) from error


def _run(work: Coroutine[Any, Any, None], until_input_ends: bool = False) -> None:
    """Run until done, or until whoever started us is gone.

    SIGTERM and SIGHUP cancel it, as Ctrl-C does: an exception out of nowhere, as for other
    commands, could hit the loop's own code, and the chair would not be given back."""
    stopped: list[int] = []

    async def until_stopped() -> None:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()

        def stop(number: int) -> None:
            stopped.append(number)
            if task:
                task.cancel()

        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, stop, number)
        if until_input_ends:
            reading = sys.stdin.fileno()
            loop.add_reader(reading, lambda: None if os.read(reading, 1024) else stop(signal.SIGTERM))
        await work

    try:
        asyncio.run(until_stopped())
    except asyncio.CancelledError:
        if not stopped:
            raise
        sys.exit(128 + stopped[0])


def _reason(error: grpc.RpcError, address: str) -> str:
    code = error.code()
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
        return tls_problem(error, address) or f"no game manager answers at {address}; start one, or give --server"
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return f"what answers at {address} is not a game manager of this version"
    return error.details() or code.name
