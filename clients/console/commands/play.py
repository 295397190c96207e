"""riverboat play: sit down at a table."""

import getpass
import sys
import uuid
from itertools import cycle, islice
from queue import SimpleQueue
from typing import Annotated, Literal

import typer

from riverboat.clients.console.completion import agents as known_agents
from riverboat.clients.console.games import (
    RESTRICTIONS,
    Blinds,
    GameServer,
    Limit,
    NoAllIn,
    PotCap,
    RaisesPerStreet,
    Restrictions,
    Sizes,
    Stack,
    game_of,
    message_of,
    names_in,
    refuse_options,
    stack_of,
)
from riverboat.clients.console.hands.witnesses import WitnessFile, witness_folder
from riverboat.clients.console.options import DeckName
from riverboat.clients.console.table.adviser import Adviser
from riverboat.clients.console.table.coach import Coach
from riverboat.clients.console.table.faces import Face, Lines, Screen
from riverboat.clients.console.table.inbox import Inbox, follow_lines
from riverboat.clients.console.table.keystrokes import Typing
from riverboat.clients.console.table.session import Helpers, Place, Session
from riverboat.clients.console.table.terminal import has_keys, whole_screen
from riverboat.clients.console.views.output import note, out
from riverboat.clients.local.gamemanager import game_manager, new_table, note_rollouts, running_game_manager
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, Refused
from riverboat.errors import InvalidInput
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.tables.config import check_player_name

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
    "limit",
    "blinds",
    "stack",
    "deck",
    "clock",
    "rebuy",
    "reveal",
    *RESTRICTIONS,
)
_PAUSE_MS = 3000  # between hands, for people to see who won
_LONGEST_NAME = 30


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(play)


def play(
    context: typer.Context,
    seats: Annotated[
        int | None,
        typer.Option("--seats", min=2, max=10, help="Chairs at the table; agents are repeated to fill them."),
    ] = None,
    agents: Annotated[
        str, typer.Option("--agents", help="Whom to play against, like rollout,random.", autocompletion=known_agents)
    ] = "rollout",
    free: Annotated[int, typer.Option("--free", min=0, max=8, help="Chairs to leave free for others.")] = 0,
    table: Annotated[
        str | None, typer.Option("--table", metavar="ID", help="Join this table instead.", show_default=False)
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="What to be called.", show_default=False)] = None,
    limit: Limit = "no",
    blinds: Blinds = "50,100",
    stack: Stack = None,
    deck: DeckName = "52",
    raises_per_street: RaisesPerStreet = None,
    pot_cap: PotCap = None,
    no_all_in: NoAllIn = False,
    sizes: Sizes = None,
    hands: Annotated[
        int | None, typer.Option("--hands", min=1, help="Leave after so many hands.", show_default=False)
    ] = None,
    clock: Annotated[float, typer.Option("--clock", min=0.1, max=3600, help="Seconds for a decision.")] = 60,
    rebuy: Annotated[bool, typer.Option("--rebuy", help="Agents that have lost all their chips buy new ones.")] = False,
    reveal: Annotated[
        Literal["shown", "all"],
        typer.Option("--reveal", help="Cards that everybody learns after a hand: those shown down, or all."),
    ] = "shown",
    server: GameServer = None,
) -> None:
    """Play poker: against agents, or at a table where others sit.

    Keys: f fold, c check or call, r raise (then what to: a number, pot, half, min or all-in, and Enter), h what you
    hold and how often it wins, ? what to do and why, v what the decisions of your last hand lost (both for tables of
    two), b buy chips, k all keys, q leave after this hand (twice: at once). In a pipe one line is one decision, like c
    or r300, and everything that happens is a line. Without --server everything that is needed is started, and stopped
    in the end.

    riverboat play

    riverboat play --seats 6 --agents rollout,random,always-call --stack 20000

    riverboat play --raises-per-street 2 --no-all-in --sizes 1b

    riverboat play --server 127.0.0.1:50052 --table 3f2a91c0d4e5 --name Anna
    """
    own_name = _own_name(name)
    if table is not None:
        refuse_options(context, _FOR_NEW_TABLES, "is for a new table; this one is set up already")
        with running_game_manager(server, _NAMES) as link:
            _play(_sit_down(link, link.info(table), own_name, hands))
        return
    variant = game_of(limit, blinds, deck, Restrictions(raises_per_street, pot_cap, no_all_in, sizes))
    named = names_in(agents)
    if not named and not free:
        raise Refused("--agents: name at least one, like rollout; or leave chairs --free for others")
    config = pb.TableConfig(
        name=f"{own_name}'s table",
        variant=message_of(variant),
        buy_in=stack_of(stack, variant),
        clock_ms=round(1000 * clock),
        pause_ms=_PAUSE_MS if has_keys() else 0,
        agents_rebuy=rebuy,
        reveal=pb.REVEAL_ALL if reveal == "all" else pb.REVEAL_SHOWN,
        chair_count=seats or max(2, 1 + len(named) + free),
    )
    config.agents.extend(_seated(named, config.chair_count - 1 - free))
    config.players_to_start = max(2, 1 + len(config.agents))  # nobody begins without who opened the table
    note_rollouts(config.agents, config.chair_count)
    with game_manager(server, _NAMES, config.agents) as link, new_table(link, config) as made:
        _play(_sit_down(link, made.table, own_name, hands))


def _seated(agents: list[str], count: int) -> list[str]:
    """The agents in turn, as many as there are chairs."""
    if count < len(agents):
        raise Refused(f"--seats: there are {max(0, count)} chairs for {len(agents)} agents")
    return list(islice(cycle(agents), count)) if agents else []


def _own_name(name: str | None) -> str:
    if name is not None:
        try:
            check_player_name(name)
        except InvalidInput as error:
            raise Refused(f"--name: {error.reason}") from None
        return name
    try:
        return getpass.getuser()[:_LONGEST_NAME]
    except (OSError, KeyError):  # a user without a name
        return "player"


def _sit_down(link: GameManagerClient, info: pb.TableInfo, name: str, hands: int | None) -> Place:
    request = pb.JoinTableRequest(table_id=info.table_id, name=name, request_id=uuid.uuid4().hex, contributes=True)
    found = link.tables.JoinTable(request)
    return Place(link, info, found.chair, found.token, hands, _witness(info.table_id))


def _witness(table_id: str) -> WitnessFile | None:
    """Return where to keep what is seen before each hand; None where nothing can be written."""
    witness = WitnessFile(witness_folder(), table_id)
    try:
        witness.prepare()
    except OSError as error:
        note(f"riverboat verify will have no witness: {witness.path} cannot be written ({error.strerror})")
        return None
    return witness


def _play(place: Place) -> None:
    inbox: Inbox = SimpleQueue()
    face: Face = Screen(out, has_keys=True) if has_keys() else Lines()
    with Adviser(inbox) as adviser, Coach(place.link, place.info.table_id, inbox) as coach:
        session = Session(place, face, inbox, Helpers(adviser, coach), Typing(by_keys=has_keys()))
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
            for line in face.farewell():
                out.print(line, soft_wrap=True)
            for text in session.summary():
                out.print(text, markup=False, soft_wrap=True)
