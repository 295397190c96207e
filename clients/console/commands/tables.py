"""riverboat tables and hands: what is played at a game manager, and what was."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from google.protobuf.json_format import MessageToDict
from rich.table import Column, Table
from rich.text import Text

from riverboat.clients.console.files import check_target, write
from riverboat.clients.console.hands.records import hands_of
from riverboat.clients.console.options import AsJson, RunningGameServer
from riverboat.clients.console.servers import running_game_manager
from riverboat.clients.console.table.game_words import short_game
from riverboat.clients.console.table.plain_text import cards_words, chips_text, joined, plain
from riverboat.clients.console.table.story import mark_words
from riverboat.clients.console.views.output import note, print_json, print_table
from riverboat.clients.remote.refusals import Refused
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb

_STATUS = {
    pb.TABLE_STATUS_WAITING: "waiting",
    pb.TABLE_STATUS_PLAYING: "playing",
    pb.TABLE_STATUS_CLOSED: "closed",
}
_NAMES = {"table_id": "TABLE"}

TableId = Annotated[str, typer.Argument(metavar="TABLE", help="Its id; riverboat tables lists them.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (tables, hands):
        app.command()(command)


def tables(
    everything: Annotated[bool, typer.Option("--all", help="Also tables that are closed.")] = False,
    server: RunningGameServer = None,
    as_json: AsJson = False,
) -> None:
    """List the tables of a game manager.

    riverboat tables --server 127.0.0.1:50052
    """
    with running_game_manager(server, _NAMES) as link:
        answer = link.tables.ListTables(pb.ListTablesRequest(include_closed=everything))
    if as_json:
        print_json([_as_dict(info) for info in answer.tables])
        return
    if answer.tables:
        _print_tables(answer.tables)
    else:
        note("no tables; riverboat play opens one")
    if answer.damaged_table_ids:
        damaged = ", ".join(plain(table_id) for table_id in answer.damaged_table_ids)
        note(f"set aside because the journal is damaged: {damaged}; the game manager's log says why")


def _print_tables(found: Sequence[pb.TableInfo]) -> None:
    hand_column = Column("hands", justify="right", no_wrap=True)
    shown = Table("table", "status", hand_column, "game", "players", box=None, padding=(0, 2, 0, 0))
    for info in found:
        players = ", ".join(plain(chair.name) + _marks_text(chair.decisions) for chair in info.chairs)
        shown.add_row(
            Text(plain(info.table_id), no_wrap=True),
            _STATUS.get(info.status, "?"),
            f"{info.hand_count:,}",
            Text(short_game(info.config.variant)),
            Text(f"{len(info.chairs)} of {info.config.chair_count}: {players}".rstrip(": ")),
        )
    print_table(shown)


def _marks_text(counts: pb.DecisionCounts) -> str:
    """ " (3 fallback of 40 decisions)"; nothing where all were made as intended."""
    marks = (
        ("partial", counts.partial_count),
        ("fallback", counts.fallback_count),
        ("by clock", counts.timed_out_count),
    )
    words = ", ".join(f"{count:,} {name}" for name, count in marks if count)
    return f" ({words} of {counts.decision_count:,} decisions)" if words else ""


def _as_dict(message: Any) -> dict[str, Any]:
    found: dict[str, Any] = MessageToDict(message, preserving_proto_field_name=True)
    return found


def hands(
    table: TableId,
    phhs: Annotated[
        Path | None, typer.Option("--phhs", metavar="FILE", help="Save them, in the PHH format.", show_default=False)
    ] = None,
    first: Annotated[int, typer.Option("--first", min=1, help="The first hand to list.")] = 1,
    server: RunningGameServer = None,
    as_json: AsJson = False,
) -> None:
    """List or save the hands that were played at a table.

    riverboat replay and riverboat verify read what is saved.

    riverboat hands 3f2a91c0d4e5 --phhs evening.phhs
    """
    check_target("--phhs", phhs, (".phhs",))
    with running_game_manager(server, _NAMES) as link:
        found = list(hands_of(link, table, first))
    saved = _save(phhs, found) if phhs is not None else ""
    if as_json:
        print_json([_as_dict(hand) for hand in found])
    elif phhs is None:
        _print_hands(found)
    else:
        note(saved)


def _save(path: Path, found: Sequence[pb.HandRecord]) -> str:
    lacking = [hand.hand_number for hand in found if not hand.phh]
    if lacking:
        raise Refused(f"--phhs: the format does not have this game (hand {lacking[0]}); --json saves any")
    text = "\n".join(f"[{hand.hand_number}]\n{hand.phh}" for hand in found)
    return f"{len(found)} hands {write('--phhs', path, lambda target: _write(target, text))}"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _print_hands(found: Sequence[pb.HandRecord]) -> None:
    marked = any(_marks_of(hand) for hand in found)
    columns = ["board", "result", *["marks"] * marked]
    shown = Table(Column("hand", justify="right"), *columns, box=None, padding=(0, 2, 0, 0))
    for hand in found:
        board = "".join(event.board_dealt.cards for event in hand.events if event.HasField("board_dealt"))
        payoffs = [event.hand_ended.payoffs for event in hand.events if event.HasField("hand_ended")]
        won = [f"{plain(name)} {chips_text(x, True)}" for name, x in zip(hand.names, payoffs[-1], strict=True) if x]
        shown.add_row(str(hand.hand_number), cards_words(board), Text(joined(won)), *[Text(_marks_of(hand))] * marked)
    print_table(shown)
    note(f"{len(found)} hands")


def _marks_of(hand: pb.HandRecord) -> str:
    """ "rollout: action 3 was a fallback (…)", for each decision that was not made as intended."""
    marks = [mark for event in hand.events if event.HasField("hand_ended") for mark in event.hand_ended.marks]
    return "; ".join(
        f"{plain(hand.names[mark.seat])}: action {mark.action_number + 1} was {mark_words(mark.mark)}"
        + (f" ({plain(mark.reason)})" if mark.reason else "")
        for mark in marks
    )
