"""riverboat slumbot: a match against Slumbot by its public interface."""

from pathlib import Path
from typing import Annotated

import typer

from riverboat.clients.bots.bot_runner import BotFailed, BotRunner
from riverboat.clients.console.agents import agent_maker, resolver_for, warm_up_agent
from riverboat.clients.console.option_values import fields_named
from riverboat.clients.console.options import DATA_FOLDER, AsJson, BotClass, PlayedAgent, ResolverServer, results_folder
from riverboat.clients.console.views.output import note, print_json, progress_bar, say
from riverboat.clients.console.views.slumbot import print_slumbot, score_words, slumbot_dict
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, EXIT_REFUSED, Refused
from riverboat.clients.slumbot.interface import SlumbotInterface
from riverboat.clients.slumbot.match import SlumbotMatch
from riverboat.clients.slumbot.session import SessionSettings, SlumbotScore, SlumbotSession
from riverboat.clients.slumbot.settings import slumbot_password
from riverboat.errors import Unavailable

_URL = "https://slumbot.com/api"
_SAY_SECONDS = 60.0  # between lines about progress where there is no terminal
_NAMES = {"url": "--url", "folder": "--folder"}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(slumbot)


def slumbot(
    agent: PlayedAgent,
    hands: Annotated[
        int,
        typer.Option("--hands", "-n", min=1, max=10**6, metavar="N", help="Number of finished hands of the session."),
    ] = 1000,
    folder: Annotated[
        Path | None, results_folder("Folder of the session; default: riverboat-data/slumbot/AGENT.")
    ] = None,
    pause: Annotated[
        float,
        typer.Option("--pause", min=0.1, max=3600, metavar="SECONDS", help="Pause before each request."),
    ] = 0.5,
    url: Annotated[str, typer.Option("--url", metavar="URL", help="Address of the interface.")] = _URL,
    user: Annotated[
        str | None,
        typer.Option(
            "--user",
            metavar="NAME",
            help="Name to play under; the password is in RIVERBOAT_SLUMBOT_PASSWORD. Default: play without a name.",
            show_default=False,
        ),
    ] = None,
    class_name: BotClass = None,
    strict: Annotated[bool, typer.Option("--strict", help="Stop when the bot fails or acts illegally.")] = False,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=2**64 - 1, metavar="N", help="Seed of the agent's random numbers.")
    ] = 1,
    server: ResolverServer = None,
    as_json: AsJson = False,
) -> None:
    """Play an agent against Slumbot over the internet.

    Slumbot is a strong player of heads-up no-limit hold'em with a public interface: blinds of 50 and 100, and stacks of
    20,000 chips in every hand. The command sends one request at a time, pauses before each, and waits longer and longer
    while the server is in trouble. Please play only as many hands as you need.

    The result is in thousandths of a big blind per hand (mbb/hand), with a 95 % confidence interval. For each hand the
    server also says what its own player would have won with the same cards; the difference has less luck in it.

    The folder keeps every finished hand in hands.phhs, which riverboat replay, review and players read. Ctrl-C prints
    the result so far; the same command continues, and more --hands extend the session. A hand whose answer is lost is
    abandoned and does not count.

    riverboat slumbot rollout -n 100

    riverboat slumbot resolver -n 1000 --pause 1 --folder slumbot-resolver
    """
    make_bot = agent_maker(agent, class_name)
    where = folder or DATA_FOLDER / "slumbot" / (Path(agent).stem if agent.endswith(".py") else agent.replace(":", "="))
    with fields_named(_NAMES), resolver_for([agent], server):
        interface = SlumbotInterface(url, pause, say)
        session = SlumbotSession(where, SessionSettings(agent=agent, url=url, seed=seed))
        with session.opened():
            warm_up_agent(agent)
            if user is not None:
                session.keep_token(interface.log_in(user, _password()))
            match = SlumbotMatch(interface, BotRunner(make_bot, agent, seed, strict), session, agent)
            code = _play(match, session.score, hands)
    if as_json:
        print_json({**slumbot_dict(agent, session.score, match.decisions), "complete": not code})
    else:
        print_slumbot(agent, session.score, match.decisions)
        note(f"every hand is in {where / 'hands.phhs'}")
    if code:
        raise typer.Exit(code)


def _play(match: SlumbotMatch, score: SlumbotScore, hand_count: int) -> int:
    """Play until the session has its hands; return the exit code."""

    def finished(score: SlumbotScore) -> None:
        bar.show(min(1.0, score.hand_count / hand_count), score_words(score))

    try:
        with progress_bar("playing", _SAY_SECONDS) as bar:
            finished(score)
            match.play(hand_count, finished)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except Unavailable as error:
        say(f"riverboat: {error}; the same command continues later")
        return EXIT_REFUSED
    except BotFailed as error:
        raise Refused(str(error)) from error
    return 0


def _password() -> str:
    password = slumbot_password()
    if not password:
        raise Refused("--user: RIVERBOAT_SLUMBOT_PASSWORD is not set")
    return password
