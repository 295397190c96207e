"""riverboat tables, watch and hands: tables from outside."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from google.protobuf.json_format import MessageToDict
from rich.table import Column, Table
from rich.text import Text

from clients.console.failures import EXIT_INTERRUPTED, Refused
from clients.console.files import check_target, write
from clients.console.game_link import GameLink, game_manager, running_game_manager
from clients.console.games import Blinds, GameServer, Limit, Stack, game_of, message_of, names_in, stack_of
from clients.console.options import AsJson, DeckName
from clients.console.output import note, out, print_json
from clients.console.table.faces import Face, Lines, Screen
from clients.console.table.plain import cards_words, chips_text, joined, plain
from clients.console.table.records import hands_of
from clients.console.table.screen import game_words
from clients.console.table.watching import Watcher, first_event, updates
from protos.gamemanager.v1 import tables_pb2 as pb

_STATUS = {
    pb.TABLE_STATUS_WAITING: "waiting",
    pb.TABLE_STATUS_PLAYING: "playing",
    pb.TABLE_STATUS_CLOSED: "closed",
}
_NAMES = {"table_id": "TABLE", "dealer_token": "--dealer", "config.agents": "--agents"}
_PAUSE_MS = 1000  # between hands that are watched

TableId = Annotated[str, typer.Argument(metavar="TABLE", help="Its id; riverboat tables lists them.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (tables, watch, hands):
        app.command()(command)


def tables(
    everything: Annotated[bool, typer.Option("--all", help="Also tables that are closed.")] = False,
    server: GameServer = None,
    as_json: AsJson = False,
) -> None:
    """List the tables of a game manager.

    riverboat tables --server 127.0.0.1:50052
    """
    with running_game_manager(server, _NAMES) as link:
        found = link.tables.ListTables(pb.ListTablesRequest(include_closed=everything)).tables
    if as_json:
        print_json([_as_dict(info) for info in found])
        return
    if not found:
        note("no tables; riverboat play opens one")
        return
    right = [Column(name, justify="right") for name in ("chairs", "hands")]
    shown = Table("table", "name", "game", *right, "status", "players", box=None, padding=(0, 2, 0, 0))
    for info in found:
        shown.add_row(
            Text(plain(info.table_id)),
            Text(plain(info.config.name, 24)),
            Text(game_words(info.config.variant)),
            f"{len(info.chairs)}/{info.config.chair_count}",
            f"{info.hand_count:,}",
            _STATUS.get(info.status, "?"),
            Text(", ".join(plain(chair.name) for chair in info.chairs)),
        )
    out.print(shown)


def _as_dict(message: Any) -> dict[str, Any]:
    found: dict[str, Any] = MessageToDict(message, preserving_proto_field_name=True)
    return found


def watch(
    table: Annotated[
        str | None, typer.Argument(metavar="[TABLE]", help="Its id; riverboat tables lists them.", show_default=False)
    ] = None,
    dealer: Annotated[
        str,
        typer.Option("--dealer", metavar="TOKEN", help="See all cards, if only agents play.", show_default=False),
    ] = "",
    agents: Annotated[
        str, typer.Option("--agents", help="Seat these at a new table and see all cards.", show_default=False)
    ] = "",
    hands: Annotated[int, typer.Option("--hands", min=1, help="Hands at a new table.")] = 10,
    limit: Limit = "no",
    blinds: Blinds = "50,100",
    stack: Stack = None,
    deck: DeckName = "52",
    server: GameServer = None,
) -> None:
    """Look on at a table: as a spectator, or over the dealer's shoulder where only agents play.

    On a terminal the table is shown as it is; in a pipe everything that happens is a line. Ctrl-C ends it.

    riverboat watch 3f2a91c0d4e5 --server 127.0.0.1:50052

    riverboat watch --agents rollout,random,always-call --hands 5
    """
    if (table is None) == (not agents):
        raise Refused("which table? Give its id, or --agents to seat at a new one")
    screen = out.is_terminal and not out.is_dumb_terminal
    if table is not None:
        with running_game_manager(server, _NAMES) as link:
            _watch(link, link.info(table), dealer, screen)
        return
    variant, named = game_of(limit, blinds, deck), names_in(agents)
    config = pb.TableConfig(
        name="agents",
        variant=message_of(variant),
        chair_count=len(named),
        buy_in=stack_of(stack, variant),
        hand_limit=hands,
        pause_ms=_PAUSE_MS if screen else 0,
        agents=named,
        agents_only=True,
    )
    with game_manager(server, _NAMES, named) as link:
        made = link.tables.CreateTable(pb.CreateTableRequest(config=config))
        _watch(link, made.table, made.dealer_token, screen)


def _watch(link: GameLink, info: pb.TableInfo, dealer_token: str, screen: bool) -> None:
    face: Face = Screen(out) if screen else Lines()
    watcher = Watcher(info, face)
    try:
        with _other_screen(screen):
            for update in updates(link, info.table_id, first_event(link, info), dealer_token):
                scene = watcher.take(update)
                if info.config.agents_only and scene.has_one_winner:
                    break  # agents do not buy again
    except KeyboardInterrupt:
        raise typer.Exit(EXIT_INTERRUPTED) from None
    for line in face.farewell():
        out.print(line, markup=False, soft_wrap=True)


@contextmanager
def _other_screen(wanted: bool) -> Iterator[None]:
    sys.stdout.write("\x1b[?1049h\x1b[2J" if wanted else "")
    try:
        yield
    finally:
        sys.stdout.write("\x1b[?1049l" if wanted else "")
        sys.stdout.flush()


def hands(
    table: TableId,
    phhs: Annotated[
        Path | None, typer.Option("--phhs", metavar="FILE", help="Save them, in the PHH format.", show_default=False)
    ] = None,
    first: Annotated[int, typer.Option("--first", min=1, help="The first hand to list.")] = 1,
    server: GameServer = None,
    as_json: AsJson = False,
) -> None:
    """List the hands that were played at a table, or save them; riverboat replay and verify read the file.

    riverboat hands 3f2a91c0d4e5 --phhs evening.phhs
    """
    check_target("--phhs", phhs, (".phhs",))
    with running_game_manager(server, _NAMES) as link:
        found = list(hands_of(link, table, first))
    if as_json:
        print_json([_as_dict(hand) for hand in found])
    elif phhs is None:
        _print_hands(found)
    if phhs is not None:
        note(_save(phhs, found))


def _save(path: Path, found: Sequence[pb.HandRecord]) -> str:
    lacking = [hand.hand_number for hand in found if not hand.phh]
    if lacking:
        raise Refused(f"--phhs: the format does not have this game (hand {lacking[0]}); --json saves any")
    text = "\n".join(f"[{hand.hand_number}]\n{hand.phh}" for hand in found)
    return f"{len(found)} hands {write('--phhs', path, lambda target: _write(target, text))}"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _print_hands(found: Sequence[pb.HandRecord]) -> None:
    shown = Table(Column("hand", justify="right"), "board", "result", box=None, padding=(0, 2, 0, 0))
    for hand in found:
        board = "".join(event.board_dealt.cards for event in hand.events if event.HasField("board_dealt"))
        payoffs = [event.hand_ended.payoffs for event in hand.events if event.HasField("hand_ended")]
        won = [f"{plain(name)} {chips_text(x, True)}" for name, x in zip(hand.names, payoffs[-1], strict=True) if x]
        shown.add_row(str(hand.hand_number), cards_words(board), Text(joined(won)))
    out.print(shown)
    note(f"{len(found)} hands")
