"""riverboat acpc: matches by the protocol of the Annual Computer Poker Competition."""

from typing import Annotated

import numpy as np
import typer
from typer.core import TyperGroup

from riverboat.clients.acpc.player import AcpcPlayer, AgentScore, connected
from riverboat.clients.bots.bot_runner import BotFailed, BotRunner
from riverboat.clients.console.agents import agent_maker, resolver_for, warm_up_agent
from riverboat.clients.console.commands.acpc_serve import serve
from riverboat.clients.console.games import AcpcGame
from riverboat.clients.console.help_pages import HelpPage, HelpText
from riverboat.clients.console.option_groups import with_option_groups
from riverboat.clients.console.options import AsJson, BotClass, PlayedAgent, ResolverServer
from riverboat.clients.console.views.acpc import agent_dict, print_agent
from riverboat.clients.console.views.output import print_json, progress_bar
from riverboat.clients.console.views.winnings import winnings_words
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, Refused
from riverboat.rules.variant import Variant

_CONNECT_SECONDS = 10.0
_SAY_SECONDS = 60.0  # between lines about progress where there is no terminal
_HELP = """Play by the protocol of the Annual Computer Poker Competition: deal for agents that speak it, or let one of
our agents play at another dealer.

riverboat acpc serve alice bob --hands 3000 --log match.log

riverboat acpc play rollout --port 18791
"""


class AcpcCommands(HelpText, TyperGroup):
    """The commands about the competition's protocol."""


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(cls=AcpcCommands, help=_HELP, rich_markup_mode=None, no_args_is_help=True)
    group.command("serve", cls=HelpPage)(with_option_groups(serve))
    group.command("play", cls=HelpPage)(with_option_groups(play))
    app.add_typer(group, name="acpc", short_help="Deal or play by the computer poker competition's protocol.")


def play(
    agent: PlayedAgent,
    port: Annotated[
        int,
        typer.Option("--port", "-p", min=1, max=65_535, metavar="PORT", help="The dealer's port for this player."),
    ],
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="The dealer's address.")] = "127.0.0.1",
    game: AcpcGame = AcpcGame(),  # noqa: B008  # frozen
    class_name: BotClass = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop when the bot fails or plays an illegal action.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, max=2**64 - 1, metavar="N", help="Seed of the agent's random numbers.", show_default=False
        ),
    ] = None,
    server: ResolverServer = None,
    as_json: AsJson = False,
) -> None:
    """Let an agent play at a dealer that speaks the competition's protocol.

    The protocol does not say which game is played: --limit, --blinds and --stack must describe the dealer's. A message
    that does not fit them is an error. The match ends when the dealer closes the connection; the command then prints
    what the agent won.

    riverboat acpc play rollout --port 18791

    riverboat acpc play always-call --host 192.0.2.7 --port 18791 --limit fixed --blinds 5,10

    riverboat acpc play my_bot.py --port 18374 --strict
    """
    variant, stack = game.read()
    make_bot = agent_maker(agent, class_name)
    with resolver_for([agent], server):
        warm_up_agent(agent)
        runner = BotRunner(make_bot, agent, _seed(seed), strict)
        player = AcpcPlayer(runner, variant, stack)
        was_interrupted = _play(player, host, port, variant)
    if as_json:
        print_json(agent_dict(agent, player.score, variant.big_blind))
    else:
        print_agent(agent, player.score, variant.big_blind)
    if was_interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)


def _play(player: AcpcPlayer, host: str, port: int, variant: Variant) -> bool:
    """Play until the dealer ends the match; return whether the user interrupted it."""

    def played(score: AgentScore) -> None:
        bar.show(0, f"{score.hand_count:,} hands, {winnings_words(score.won, variant.big_blind)}")

    try:
        with (
            progress_bar("waiting for the dealer", _SAY_SECONDS) as bar,
            connected(host, port, _CONNECT_SECONDS) as link,
        ):
            player.play(link, played)
    except KeyboardInterrupt:
        return True
    except BotFailed as error:
        raise Refused(str(error)) from error
    return False


def _seed(seed: int | None) -> int:
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) if seed is None else seed
