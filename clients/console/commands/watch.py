"""riverboat watch: watch a table, as a spectator or with all cards face up."""

from queue import SimpleQueue
from typing import Annotated

import typer

from riverboat.clients.console.completion import agents as known_agents
from riverboat.clients.console.games import GAME_OPTIONS, GameOptions, game_of, names_in, refuse_options, stack_of
from riverboat.clients.console.option_groups import with_option_groups
from riverboat.clients.console.options import GameServer
from riverboat.clients.console.servers import game_manager, running_game_manager
from riverboat.clients.console.table.display import Display
from riverboat.clients.console.table.inbox import Inbox
from riverboat.clients.console.table.line_display import LineDisplay
from riverboat.clients.console.table.screen_display import ScreenDisplay
from riverboat.clients.console.table.spectator import Spectator
from riverboat.clients.console.table.table_setup import new_table, note_missing_networks, note_rollouts
from riverboat.clients.console.table.terminal import has_keys, is_screen, whole_screen
from riverboat.clients.console.table.watcher import Watcher, follow_updates
from riverboat.clients.console.views.output import out, say_leaving
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, Refused
from riverboat.tables.config import TableConfig
from riverboat.tables.view import TableInfo

_NAMES = {
    "table_id": "TABLE",
    "dealer_token": "--dealer",
    "agents": "--agents",
    "chair_count": "--agents",
    "buy_in": "--stack",
    "stacks": "--stack",
}
_FOR_NEW_TABLES = ("agents", "hands", *GAME_OPTIONS)
_PAUSE_MS = 1000  # between hands
_PACE_SECONDS = 0.5
_LEAST_AGENTS = 2
_AHEAD = 100  # updates that may wait to be shown


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(with_option_groups(watch))


def watch(
    context: typer.Context,
    table: Annotated[
        str | None, typer.Argument(metavar="TABLE", help="Table id; riverboat tables lists them.", show_default=False)
    ] = None,
    dealer: Annotated[
        str,
        typer.Option(
            "--dealer", metavar="TOKEN", help="Dealer token: shows all cards if only agents play.", show_default=False
        ),
    ] = "",
    agents: Annotated[
        str,
        typer.Option(
            "--agents",
            metavar="AGENTS",
            help="Agents for a new table to watch; all cards are shown.",
            show_default=False,
            autocompletion=known_agents,
        ),
    ] = "",
    hands: Annotated[int, typer.Option("--hands", min=1, metavar="N", help="Number of hands at a new table.")] = 10,
    game: GameOptions = GameOptions(),  # noqa: B008  # frozen
    pace: Annotated[
        float, typer.Option("--pace", min=0, max=60, metavar="SECONDS", help="Seconds between changes on the screen.")
    ] = _PACE_SECONDS,
    server: GameServer = None,
) -> None:
    """Watch a table, as a spectator or with all cards face up.

    A spectator sees what everybody may see. All cards are shown at a new table for agents (--agents), or with the
    --dealer token that riverboat match prints. Keys: space pauses, n shows the next change, q leaves. In a pipe every
    event is one line.

    riverboat watch 3f2a91c0d4e5 --server 127.0.0.1:50052

    riverboat watch --agents rollout,random,always-call --hands 5
    """
    if (table is None) == (not agents):
        raise Refused("nothing to watch: give a table's id, or --agents for a new table")
    if table is not None:
        refuse_options(context, _FOR_NEW_TABLES, "only for a new table, not for an existing one")
        with running_game_manager(server, _NAMES) as link:
            _watch(link, link.info(table), dealer, pace)
        return
    variant = game_of(game)
    named = names_in(agents)
    if len(named) < _LEAST_AGENTS:
        raise Refused("--agents: name at least two, like rollout,random")
    config = TableConfig(
        name="agents",
        variant=variant,
        chair_count=len(named),
        buy_in=stack_of(game, variant),
        hand_limit=hands,
        pause_ms=_PAUSE_MS if is_screen() else 0,
        agents=tuple(named),
        agents_only=True,
        players_to_start=len(named),
    )
    note_rollouts(named, len(named))
    with game_manager(server, _NAMES, named) as link, new_table(link, config) as made:
        note_missing_networks(link, named, variant, len(named))
        _watch(link, made.info, made.dealer_token, pace)


def _watch(link: GameManagerClient, info: TableInfo, dealer_token: str, pace: float) -> None:
    inbox: Inbox = SimpleQueue()
    display: Display = ScreenDisplay(out, has_keys()) if is_screen() else LineDisplay()
    spectator = Spectator(Watcher(info, display), display, inbox, pace if is_screen() else 0.0, has_keys())
    has_room = follow_updates(link, info, dealer_token, inbox, _AHEAD)
    try:
        if is_screen():
            with whole_screen(inbox):
                spectator.run(has_room)
        else:
            spectator.run(has_room)
    except KeyboardInterrupt:
        raise typer.Exit(EXIT_INTERRUPTED) from None
    for line in display.farewell():
        out.print(line, soft_wrap=True)
    say_leaving(link.is_own)
