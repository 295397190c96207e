"""A chair played by a bot: to the end, through lost connections, and by slow or faulty bots."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from riverboat.arena.bots import CallBot, FoldBot
from riverboat.clients.bots import CALL, Bot, View
from riverboat.clients.bots.bot_chair import BotChair, ChairLost
from riverboat.clients.bots.bot_runner import BotFailed, BotRunner
from riverboat.clients.bots.visit import visit
from riverboat.clients.remote.channels import open_game_channel
from riverboat.clients.remote.play import PlayClient
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.convert.state_manager import encode_state
from riverboat.rules.state import start
from riverboat.rules.variant import no_limit
from tests.processes import free_port
from tests.unit.clients.bots.tables import WAIT_SECONDS, Broken, blocking, create_table, moves_at, table_info, until
from tests.unit.clients.bots.wires import Wire, scripted

HEADS_UP = start(no_limit(50, 100), (10_000, 10_000))


async def test_visits_end_with_the_table(server: str) -> None:
    table = create_table(server, hand_limit=20).table.table_id
    async with asyncio.timeout(WAIT_SECONDS):
        await asyncio.gather(visit(server, table, CallBot, "ann"), visit(server, table, FoldBot, "bob"))
    info = table_info(server, table)
    assert (info.status, info.hand_count) == (pb.TABLE_STATUS_CLOSED, 20)
    assert sum(chair.stack for chair in info.chairs) == 20_000
    assert not any(move.timed_out for _, move in moves_at(server, table))


async def test_a_seat_ends_when_its_player_gets_up(server: str, caplog: pytest.LogCaptureFixture) -> None:
    table = create_table(server).table.table_id
    bot, go, asked = blocking()
    async with open_game_channel(server) as channel:
        stub: Any = TablesStub(channel)
        joined = await stub.JoinTable(pb.JoinTableRequest(table_id=table, name="ann"))
        playing = asyncio.create_task(
            BotChair(PlayClient(channel), joined.token, BotRunner(bot, "ann", 1), "ann").play()
        )
        other = asyncio.create_task(visit(server, table, CallBot, "bob"))
        await until(lambda: asked)
        with caplog.at_level(logging.INFO):
            await stub.LeaveTable(pb.LeaveTableRequest(token=joined.token))
            go.set()
            await asyncio.wait_for(playing, WAIT_SECONDS)
    assert 'bot_got_up bot=ann reason="this token belongs to no chair at this table"' in caplog.text
    assert [chair.name for chair in table_info(server, table).chairs] == ["bob"]
    other.cancel()
    await asyncio.gather(other, return_exceptions=True)


async def test_a_player_without_chips_has_to_get_up(server: str, caplog: pytest.LogCaptureFixture) -> None:
    """The table stays open, and the visit of a player without chips ends by itself."""

    class Shoving(Bot):
        def act(self, view: View) -> int:
            return view.public.raise_limits[1] if view.public.raise_limits else CALL

    table = create_table(server, clock_ms=300).table.table_id
    with caplog.at_level(logging.INFO):
        visits = [asyncio.create_task(visit(server, table, Shoving, name)) for name in ("ann", "bob")]
        async with asyncio.timeout(WAIT_SECONDS):
            done, left = await asyncio.wait(visits, return_when=asyncio.FIRST_COMPLETED)
    assert [task.exception() for task in done] == [None]
    assert 'reason="this token belongs to no chair at this table"' in caplog.text
    (chair,) = table_info(server, table).chairs
    assert chair.stack == 20_000
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    assert not table_info(server, table).chairs, "a stopped bot gives its chair back"


async def test_whoever_is_stopped_while_joining_keeps_no_chair(server: str) -> None:
    """At any moment: the server may have assigned a chair that the bot does not know yet."""
    table = create_table(server).table.table_id
    for step_count in range(40):
        visiting = asyncio.create_task(visit(server, table, CallBot, f"ann {step_count}"))
        for _ in range(step_count):
            await asyncio.sleep(0.001)
        visiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await visiting
        assert not table_info(server, table).chairs, step_count


@pytest.mark.parametrize("token", ["nonsense", "000000000000.abc"])
async def test_tokens_for_nothing(server: str, token: str) -> None:
    async with open_game_channel(server) as channel:
        with pytest.raises(ChairLost, match="this token belongs to no table here"):
            await BotChair(PlayClient(channel), token, BotRunner(CallBot, "ann", 1), "ann").play()


async def test_nobody_to_visit(server: str) -> None:
    for where, table, code in (
        (server, "nonsense", grpc.StatusCode.NOT_FOUND),
        (f"127.0.0.1:{free_port()}", "any", grpc.StatusCode.UNAVAILABLE),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await visit(where, table, CallBot, "ann")
        assert caught.value.code() is code


async def test_a_slow_bot_loses_its_turn_and_plays_on(server: str, caplog: pytest.LogCaptureFixture) -> None:
    table = create_table(server, clock_ms=1000, hand_limit=8).table.table_id
    slow, go, asked = blocking()
    tasks = [asyncio.create_task(visit(server, table, bot, name)) for bot, name in ((slow, "slow"), (CallBot, "bob"))]
    await until(lambda: "bot_too_slow bot=slow hand=" in caplog.text)
    assert len(asked) == 1, "one question at a time"
    go.set()
    await asyncio.wait_for(asyncio.gather(*tasks), WAIT_SECONDS)
    moves = [move for name, move in moves_at(server, table) if name == "slow"]
    assert moves[0].timed_out
    assert not all(move.timed_out for move in moves)


async def test_a_bot_that_thinks_for_ever_can_be_stopped(server: str) -> None:
    table = create_table(server).table.table_id
    slow, go, asked = blocking()
    tasks = [asyncio.create_task(visit(server, table, bot, name)) for bot, name in ((slow, "slow"), (CallBot, "bob"))]
    await until(lambda: asked)
    for task in tasks:
        task.cancel()
    await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), WAIT_SECONDS)
    assert not table_info(server, table).chairs, "its last turn is a fold, which ends the hand"
    go.set()


async def test_a_bot_that_raises_folds_and_stays(server: str, caplog: pytest.LogCaptureFixture) -> None:
    table = create_table(server, hand_limit=6).table.table_id
    async with asyncio.timeout(WAIT_SECONDS):
        await asyncio.gather(visit(server, table, Broken, "broken"), visit(server, table, CallBot, "bob"))
    assert table_info(server, table).hand_count == 6
    assert "bot_failed bot=broken hand=1 seat=" in caplog.text
    actions = [move.action.WhichOneof("kind") for name, move in moves_at(server, table) if name == "broken"]
    assert set(actions) <= {"fold", "call"}
    assert "fold" in actions


async def test_a_strict_bot_that_raises_gets_up(server: str) -> None:
    table = create_table(server).table.table_id
    other = asyncio.create_task(visit(server, table, CallBot, "bob"))
    with pytest.raises(BotFailed, match=r"bot 'broken' failed in hand 1, seat . \(.*\): ZeroDivisionError: no idea"):
        await asyncio.wait_for(visit(server, table, Broken, "broken", strict=True), WAIT_SECONDS)
    chairs = {chair.name: chair for chair in table_info(server, table).chairs}
    assert "broken" not in chairs or chairs["broken"].is_leaving
    other.cancel()
    await asyncio.gather(other, return_exceptions=True)


async def test_a_connection_that_breaks_while_a_bot_thinks(server: str, caplog: pytest.LogCaptureFixture) -> None:
    """The bot is not asked twice, and its answer goes to the new connection."""
    table = create_table(server, hand_limit=3).table.table_id
    slow, go, asked = blocking()
    async with Wire(server).connected() as wire:
        with caplog.at_level(logging.INFO):
            slowly = asyncio.create_task(visit(wire.address, table, slow, "slow"))
            quickly = asyncio.create_task(visit(server, table, CallBot, "bob"))
            await until(lambda: asked)
            for _ in range(2):
                caplog.clear()
                wire.cut()
                await until(lambda: "connection_restored bot=slow" in caplog.text)
            assert len(asked) == 1
            go.set()
            await asyncio.wait_for(asyncio.gather(slowly, quickly), WAIT_SECONDS)
    assert len({(view.public.street, view.actions, view.holding) for view in asked}) == len(asked)
    moves = moves_at(server, table)
    assert len(asked) == sum(name == "slow" for name, _ in moves)
    assert not any(move.timed_out for _, move in moves)


def a_turn(hand_number: int = 1) -> pb.PlayResponse:
    """Return the view of a chair that acts first before the flop."""
    view = pb.View(
        hand_number=hand_number, seat=1, state=encode_state(HEADS_UP), holding="AhKh", is_your_turn=True,
        status=pb.TABLE_STATUS_PLAYING,
    )  # fmt: skip
    return pb.PlayResponse(view=view)


TOKEN = "a.token"  # noqa: S105
CLOSED = pb.PlayResponse(view=pb.View(status=pb.TABLE_STATUS_CLOSED))


async def play(server: str) -> None:
    async with open_game_channel(server) as channel:
        await asyncio.wait_for(
            BotChair(PlayClient(channel), TOKEN, BotRunner(CallBot, "ann", 1), "ann").play(), WAIT_SECONDS
        )


async def test_a_decision_that_cannot_be_written_is_sent_again() -> None:
    """While the journal is unavailable, the bot repeats the same request until it is accepted."""
    ids: list[str] = []

    async def script(_: int, requests: Any, context: Any) -> AsyncIterator[pb.PlayResponse]:
        assert (await anext(requests)).token == TOKEN
        yield a_turn()
        for _ in range(2):
            ids.append((await anext(requests)).decision.request_id)
            yield pb.PlayResponse(refusal=pb.PlayResponse.Refusal(request_id=ids[-1], code=14, message="not now"))
        ids.append((await anext(requests)).decision.request_id)
        yield CLOSED

    async with scripted(script) as server:
        await play(server)
    assert len(ids) == 3
    assert len(set(ids)) == 1


async def test_a_decision_that_may_be_lost_is_sent_again() -> None:
    ids: list[str] = []

    async def script(connection: int, requests: Any, context: Any) -> AsyncIterator[pb.PlayResponse]:
        assert (await anext(requests)).token == TOKEN, "the token comes first, again"
        yield a_turn()
        ids.append((await anext(requests)).decision.request_id)
        if connection < 3:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "gone")
        yield a_turn(hand_number=2)
        ids.append((await anext(requests)).decision.request_id)
        yield CLOSED

    async with scripted(script) as server:
        await play(server)
    assert len(ids) == 4
    assert ids[0] == ids[1] == ids[2] != ids[3]


async def test_a_stream_that_ends_well_is_asked_once_more() -> None:
    connections = 0

    async def script(connection: int, requests: Any, context: Any) -> AsyncIterator[pb.PlayResponse]:
        nonlocal connections
        connections = connection
        await anext(requests)
        if connection == 2:
            await context.abort(grpc.StatusCode.PERMISSION_DENIED, "this token belongs to no chair at this table")
        yield pb.PlayResponse(view=pb.View(status=pb.TABLE_STATUS_WAITING))

    async with scripted(script) as server:
        await play(server)
    assert connections == 2
