"""riverboat play: sit down at a table."""

import getpass
import sys
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle, islice
from queue import SimpleQueue
from typing import Annotated

import grpc
import typer

from clients.console.failures import EXIT_INTERRUPTED, Refused
from clients.console.game_link import GameLink, game_manager
from clients.console.games import Blinds, GameServer, Limit, Stack, game_of, message_of, names_in, stack_of
from clients.console.options import DeckName
from clients.console.output import note, out
from clients.console.table.advice import Adviser
from clients.console.table.faces import Face, Lines, Screen
from clients.console.table.inbox import Inbox, follow_keys, follow_lines, key_by_key
from clients.console.table.session import Place, Session
from clients.console.table.typing import Typing
from protos.gamemanager.v1 import tables_pb2 as pb

_NAMES = {
    "config.buy_in": "--stack",
    "config.chair_count": "--seats",
    "config.clock_ms": "--clock",
    "config.agents": "--agents",
    "config.variant.blinds": "--blinds",
    "buy_in": "--stack",
    "chair_count": "--seats",
    "stacks": "--stack",
    "name": "--name",
}
_PAUSE_MS = 3000  # between hands, for people to see who won
_LONGEST_NAME = 30


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(play)


def play(
    seats: Annotated[
        int | None,
        typer.Option("--seats", min=2, max=10, help="Chairs at the table; agents are repeated to fill them."),
    ] = None,
    agents: Annotated[str, typer.Option("--agents", help="Whom to play against, like rollout,random.")] = "rollout",
    free: Annotated[int, typer.Option("--free", min=0, max=8, help="Chairs to leave free for others.")] = 0,
    table: Annotated[
        str | None, typer.Option("--table", metavar="ID", help="Join this table instead.", show_default=False)
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="What to be called.", show_default=False)] = None,
    limit: Limit = "no",
    blinds: Blinds = "50,100",
    stack: Stack = None,
    deck: DeckName = "52",
    hands: Annotated[
        int | None, typer.Option("--hands", min=1, help="Leave after so many hands.", show_default=False)
    ] = None,
    clock: Annotated[float, typer.Option("--clock", min=0.1, max=3600, help="Seconds for a decision.")] = 60,
    server: GameServer = None,
) -> None:
    """Play poker: against agents, or at a table where others sit.

    Keys: f fold, c check or call, r raise (then an amount, or pot, half, min, all-in), h what you hold and how
    often it wins, ? help, q leave after this hand (twice: at once). In a pipe, one line for each decision.

    riverboat play

    riverboat play --seats 6 --agents rollout,random,always-call --stack 20000

    riverboat play --server 127.0.0.1:50052 --table 3f2a91c0d4e5 --name Anna
    """
    by_keys = sys.stdin.isatty() and out.is_terminal and not out.is_dumb_terminal
    variant = game_of(limit, blinds, deck)
    named = names_in(agents)
    if not named and not free and table is None:
        raise Refused("--agents: name at least one, like rollout; or leave chairs --free for others")
    config = pb.TableConfig(
        name=f"{_own_name(name)}'s table",
        variant=message_of(variant),
        buy_in=stack_of(stack, variant),
        clock_ms=round(1000 * clock),
        pause_ms=_PAUSE_MS if by_keys else 0,
        chair_count=seats or max(2, 1 + len(named) + free),
    )
    config.agents.extend(_seated(named, config.chair_count - 1 - free))
    config.players_to_start = max(2, 1 + len(config.agents))  # nobody begins without who opened the table
    with game_manager(server, _NAMES, config.agents if table is None else ()) as link, ExitStack() as stack_of_things:
        info = link.info(table) if table else stack_of_things.enter_context(_created(link, config))
        place = _sit_down(link, info, _own_name(name), hands)
        _play(place, by_keys)


def _seated(agents: list[str], count: int) -> list[str]:
    """The agents in turn, as many as there are chairs."""
    if count < len(agents):
        raise Refused(f"--seats: there are {max(0, count)} chairs for {len(agents)} agents")
    return list(islice(cycle(agents), count)) if agents else []


def _own_name(name: str | None) -> str:
    if name is not None:
        return name
    try:
        return getpass.getuser()[:_LONGEST_NAME]
    except (OSError, KeyError):  # a user without a name
        return "player"


@contextmanager
def _created(link: GameLink, config: pb.TableConfig) -> Iterator[pb.TableInfo]:
    """A table that is closed in the end."""
    found = link.tables.CreateTable(pb.CreateTableRequest(config=config))
    try:
        yield found.table
    finally:
        if not link.is_own:
            request = pb.CloseTableRequest(table_id=found.table.table_id, dealer_token=found.dealer_token)
            try:
                link.tables.CloseTable(request, timeout=2)
            except grpc.RpcError:
                note(f"table {found.table.table_id} could not be closed")


def _sit_down(link: GameLink, info: pb.TableInfo, name: str, hands: int | None) -> Place:
    request = pb.JoinTableRequest(table_id=info.table_id, name=name, request_id=uuid.uuid4().hex)
    found = link.tables.JoinTable(request)
    return Place(link, info, found.chair, found.token, hands)


def _play(place: Place, by_keys: bool) -> None:
    inbox: Inbox = SimpleQueue()
    face: Face = Screen(out) if by_keys else Lines()
    with Adviser(inbox) as adviser:
        session = Session(place, face, inbox, adviser, Typing(by_keys))
        try:
            if by_keys:
                with key_by_key(sys.stdin.fileno()), _whole_screen():
                    follow_keys(sys.stdin.fileno(), inbox)
                    session.run()
            else:
                follow_lines(sys.stdin, inbox)
                session.run()
        except KeyboardInterrupt:
            raise typer.Exit(EXIT_INTERRUPTED) from None
        finally:
            for line in (*face.farewell(), session.ledger.summary()):
                out.print(line, markup=False, soft_wrap=True)


@contextmanager
def _whole_screen() -> Iterator[None]:
    """The terminal's other screen; what was on this one is back in the end."""
    sys.stdout.write("\x1b[?1049h\x1b[2J")
    try:
        yield
    finally:
        sys.stdout.write("\x1b[?1049l")
        sys.stdout.flush()
