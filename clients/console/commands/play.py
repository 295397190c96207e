"""riverboat play: sit down at a table."""

import sys
from queue import SimpleQueue
from typing import Annotated, Literal

import typer

from riverboat.clients.console.completion import agents as known_agents
from riverboat.clients.console.games import GAME_OPTIONS, GameOptions, game_of, names_in, refuse_options, stack_of
from riverboat.clients.console.option_groups import with_option_groups
from riverboat.clients.console.options import GameServer
from riverboat.clients.console.servers import game_manager, running_game_manager
from riverboat.clients.console.settings import state_folder
from riverboat.clients.console.table.adviser import Adviser
from riverboat.clients.console.table.coach import Coach
from riverboat.clients.console.table.display import Display
from riverboat.clients.console.table.durations import DURATIONS, Durations
from riverboat.clients.console.table.inbox import Inbox, follow_lines
from riverboat.clients.console.table.keystrokes import Typing
from riverboat.clients.console.table.line_display import LineDisplay
from riverboat.clients.console.table.practice import Practice, Warner
from riverboat.clients.console.table.screen_display import ScreenDisplay
from riverboat.clients.console.table.session import Helpers, Session, TakenChair
from riverboat.clients.console.table.table_setup import (
    fill_chairs,
    new_table,
    note_missing_networks,
    note_rollouts,
    own_name,
    sit_down,
)
from riverboat.clients.console.table.terminal import has_keys, whole_screen
from riverboat.clients.console.views.output import out, say_leaving
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, Refused
from riverboat.tables.config import Reveal, TableConfig

_NAMES = {
    "config.buy_in": "--stack",
    "config.chair_count": "--seats",
    "config.clock_ms": "--clock",
    "config.agents": "--agents",
    "config.variant.blinds": "--blinds",
    "agents": "--agents",
    "buy_in": "--stack",
    "chair_count": "--seats",
    "stacks": "--stack",
    "name": "--name",
}
_FOR_NEW_TABLES = (
    "seats",
    "agents",
    "free",
    "clock",
    "practice",
    "warn",
    "rebuy",
    "newcomers_post",
    "reveal",
    *GAME_OPTIONS,
)
_CLOCK_SECONDS = 60.0  # with other people, and for agents
_PACE_SECONDS = 0.7  # about as long as a person looks at an action
_WARN_PERCENT = 5.0  # of the pot
_PAUSE_MS = 3000  # between hands, to see who won


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(with_option_groups(play))


def play(
    context: typer.Context,
    seats: Annotated[
        int | None,
        typer.Option("--seats", min=2, max=10, metavar="N", help="Chairs at the table; agents repeat to fill them."),
    ] = None,
    agents: Annotated[
        str,
        typer.Option("--agents", metavar="AGENTS", help="Opponents, like rollout,random.", autocompletion=known_agents),
    ] = "rollout",
    free: Annotated[
        int, typer.Option("--free", min=0, max=8, metavar="N", help="Chairs to leave free for other players.")
    ] = 0,
    table: Annotated[
        str | None,
        typer.Option("--table", metavar="ID", help="Table to join instead of opening one.", show_default=False),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--name", metavar="NAME", help="Your name at the table; default: your user name.", show_default=False
        ),
    ] = None,
    game: GameOptions = GameOptions(),  # noqa: B008  # frozen
    pace: Annotated[
        float | None,
        typer.Option(
            "--pace",
            min=0,
            max=10,
            metavar="SECONDS",
            help="Seconds that another player's action stays on screen; default: 0.7 alone with agents, otherwise 0.",
            show_default=False,
        ),
    ] = None,
    hands: Annotated[
        int | None, typer.Option("--hands", min=1, metavar="N", help="Leave after this many hands.", show_default=False)
    ] = None,
    clock: Annotated[
        float | None,
        typer.Option(
            "--clock",
            min=0.1,
            max=3600,
            metavar="SECONDS",
            help="Time limit per decision, in seconds; default: 60 with other people, none alone with agents.",
            show_default=False,
        ),
    ] = None,
    practice: Annotated[
        bool,
        typer.Option(
            "--practice",
            help="Warn before costly decisions and let hands be played again; alone with agents.",
        ),
    ] = False,
    warn: Annotated[
        float | None,
        typer.Option(
            "--warn",
            min=0.1,
            max=1000,
            metavar="PERCENT",
            help="With --practice: loss to warn of, in percent of the pot; default: 5.",
            show_default=False,
        ),
    ] = None,
    rebuy: Annotated[bool, typer.Option("--rebuy", help="Agents that lose all their chips buy in again.")] = False,
    newcomers_post: Annotated[
        bool, typer.Option("--newcomers-post", help="Make players who join later post a big blind in their first hand.")
    ] = False,
    reveal: Annotated[
        Literal["shown", "all"], typer.Option("--reveal", help="Cards revealed after a hand: those shown down, or all.")
    ] = "shown",
    server: GameServer = None,
) -> None:
    """Play poker against agents, or at a table with other players.

    Keys: f folds, c checks or calls, r raises (then type the total and Enter: 300, 75%, 2/3, 3bb, pot, half, min or
    all-in), a goes all-in, h shows your hand and how often it wins, ? advises and explains, v reviews your last hand (?
    and v only at tables of two), s shows the score, b buys chips, k lists all keys, q leaves after this hand (twice: at
    once). In a pipe each line is one decision, like c or r300, and every event is one line. Without --server, the
    command starts the services it needs and stops them on exit.

    riverboat play

    riverboat play --seats 6 --agents rollout,random,always-call --stack 20000

    With --practice there is no clock. A decision that loses more than --warn percent of the pot is held back until you
    type it again, and p plays your last hand again from any of your decisions (tables of two for the warning).

    riverboat play --practice --warn 3

    riverboat play --raises-per-street 2 --no-all-in --sizes 1b

    riverboat play --server 127.0.0.1:50052 --table 3f2a91c0d4e5 --name Anna
    """
    player = own_name(name)
    if table is not None:
        refuse_options(context, _FOR_NEW_TABLES, "only for a new table, not for one in --table")
        with running_game_manager(server, _NAMES) as link:
            _play(sit_down(link, link.info(table), player, hands, pace or 0.0))
        return
    variant = game_of(game)
    named = names_in(agents)
    if not named and not free:
        raise Refused("--agents: name at least one, like rollout, or leave chairs --free for other players")
    chair_count = seats or max(2, 1 + len(named) + free)
    seated = tuple(fill_chairs(named, chair_count - 1 - free))
    is_alone = len(seated) == chair_count - 1
    if practice and (not is_alone or clock is not None):
        raise Refused("--practice: is alone with agents and without a clock; leave out --free and --clock")
    if warn is not None and not practice:
        raise Refused("--warn: only with --practice")
    config = TableConfig(
        name=f"{player}'s table",
        variant=variant,
        chair_count=chair_count,
        buy_in=stack_of(game, variant),
        clock_ms=round(1000 * (clock or _CLOCK_SECONDS)),
        no_clock=clock is None and is_alone,
        pause_ms=_PAUSE_MS if has_keys() else 0,
        agents=seated,
        players_to_start=max(2, 1 + len(seated)),  # the agents wait for the player who opened the table
        agents_rebuy=rebuy,
        newcomers_post=newcomers_post,
        reveal=Reveal.ALL if reveal == "all" else Reveal.SHOWN,
    )
    note_rollouts(config.agents, config.chair_count)
    with game_manager(server, _NAMES, config.agents) as link, new_table(link, config) as made:
        note_missing_networks(link, config.agents, variant, chair_count)
        usual = _PACE_SECONDS if is_alone and has_keys() else 0.0
        share = (_WARN_PERCENT if warn is None else warn) / 100
        place = sit_down(link, made.info, player, hands, usual if pace is None else pace)
        _play(place, share if practice else None)


def _play(place: TakenChair, warn_share: float | None = None) -> None:
    """Play at a chair; with a share of the pot to warn of, as practice."""
    inbox: Inbox = SimpleQueue()
    display: Display = ScreenDisplay(out, has_keys=True) if has_keys() else LineDisplay()
    durations = Durations(state_folder() / DURATIONS)
    with Adviser(inbox) as adviser, Coach(place.link, place.info.table_id, inbox, durations) as coach:
        practice = None
        if warn_share is not None:
            practice = Practice(Warner(warn_share, coach.study), inbox, place.info.config.agents)
        helpers = Helpers(adviser, coach, practice)
        session = Session(place, display, inbox, helpers, Typing(by_keys=has_keys()))
        try:
            if has_keys():
                with whole_screen(inbox):
                    session.run()
            else:
                follow_lines(sys.stdin, inbox)
                session.run()
        except KeyboardInterrupt:
            raise typer.Exit(EXIT_INTERRUPTED) from None
        finally:
            for line in display.farewell():
                out.print(line, soft_wrap=True)
            for text in session.summary():
                out.print(text, markup=False, soft_wrap=True)
            say_leaving(place.link.is_own)
