"""riverboat bot: your own bot at a table, or offered as an agent."""

import logging
from pathlib import Path
from typing import Annotated

import grpc
import typer

from riverboat.clients.bots.bot_chair import ChairLost
from riverboat.clients.bots.bot_files import load_bot
from riverboat.clients.bots.bot_runner import BotFailed
from riverboat.clients.bots.host import AgentHost
from riverboat.clients.bots.settings import gamemanager_server
from riverboat.clients.bots.visit import visit
from riverboat.clients.console.agents import warm_up_agent
from riverboat.clients.console.options import BotClass, RunningGameServer
from riverboat.clients.local.instances import run_until_stopped, run_with_instances
from riverboat.clients.local.services import GAMEMANAGER
from riverboat.clients.remote.refusals import Refused, refusal_of

_LONGEST_NAME = 30  # characters of a name at a table
_INSTANCES = 2  # enough for duplicate matches of two


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(bot)


def bot(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Python file with a subclass of Bot.")],
    server: RunningGameServer = None,
    table: Annotated[
        str | None, typer.Option("--table", "-t", metavar="ID", help="Table to join.", show_default=False)
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--name", metavar="NAME", help="The bot's name at the table; default: its class.", show_default=False
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="NAME", help="Offer the bot as an agent with this name.", show_default=False),
    ] = None,
    class_name: BotClass = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop when the bot fails or a deal is not as announced.")
    ] = False,
    instances: Annotated[
        int,
        typer.Option(
            "--instances",
            min=1,
            max=10,
            metavar="N",
            help="Number of processes with --host; a duplicate match needs one per agent.",
        ),
    ] = _INSTANCES,
    until_input_ends: Annotated[bool, typer.Option("--until-input-ends", hidden=True)] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, max=2**64 - 1, metavar="N", help="Seed of the bot's random numbers.", show_default=False
        ),
    ] = None,
) -> None:
    """Run your own bot at a table, or offer it as an agent.

    riverboat bot my_bot.py --server 127.0.0.1:50052 --table 3f2a91c0d4e5

    riverboat bot my_bot.py --host my-bot

    The bot plays until the table closes, or until Ctrl-C. With --host it runs in several processes that share no
    variables, so that no two sides of a duplicate match share a memory.
    """
    if table == "" or host == "":
        raise Refused("--table and --host need a name")
    if (table is None) == (host is None):
        raise Refused("give either --table ID, to join a table, or --host NAME, to offer an agent")
    if host is not None and (name is not None or seed is not None):
        raise Refused("--name and --seed are for a bot at a table; an agent takes them from each chair")
    make_bot = load_bot(file, class_name)
    address = server or gamemanager_server()
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    warm_up_agent(str(file))
    try:
        if table is not None:
            run_until_stopped(
                visit(address, table, make_bot, (name or make_bot.__name__)[:_LONGEST_NAME], strict=strict, seed=seed)
            )
        elif host is not None:
            hosting = AgentHost(address, {host: make_bot}, strict).run()
            words = ["bot", str(file), "--server", address, "--host", host, "--instances", "1", "--until-input-ends"]
            words += ["--class", make_bot.__name__, *["--strict"] * strict]
            run_until_stopped(run_with_instances(hosting, words, instances - 1), until_input_ends)
    except grpc.RpcError as error:
        no_server = GAMEMANAGER.nobody_at(address)
        raise refusal_of(error, service=GAMEMANAGER.noun, address=address, names={}, no_server=no_server) from None
    except (BotFailed, ChairLost) as error:
        raise Refused(str(error)) from error
