"""Tables for tests of bots, and bots that block or fail."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import grpc

from riverboat.clients.bots import CALL, Bot, View
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rules.variant import no_limit

WAIT_SECONDS = 60


def create_table(server: str, **more: Any) -> pb.CreateTableResponse:
    """Open a table of three chairs without a pause between hands."""
    plain = {"variant": encode_variant(no_limit(50, 100)), "chair_count": 3, "buy_in": 10_000, "clock_ms": 60_000}
    with grpc.insecure_channel(server) as channel:
        return TablesStub(channel).CreateTable(pb.CreateTableRequest(config=pb.TableConfig(**{**plain, **more})))


def table_info(server: str, table_id: str) -> pb.TableInfo:
    """Return a table as everybody sees it."""
    with grpc.insecure_channel(server) as channel:
        tables = TablesStub(channel).ListTables(pb.ListTablesRequest(include_closed=True)).tables
    return next(table for table in tables if table.table_id == table_id)


def moves_at(server: str, table_id: str) -> list[tuple[str, pb.TableEvent.Moved]]:
    """Return all moves of finished hands, with the players' names."""
    with grpc.insecure_channel(server) as channel:
        hands = TablesStub(channel).ListHands(pb.ListHandsRequest(table_id=table_id, hand_count=1000)).hands
    moved = [(hand.names, event.moved) for hand in hands for event in hand.events if event.HasField("moved")]
    return [(names[move.seat], move) for names, move in moved]


async def until(holds: Callable[[], object]) -> None:
    """Wait until a condition holds, without blocking the event loop."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not await asyncio.to_thread(holds):  # noqa: ASYNC110  # it may hold in another process
            await asyncio.sleep(0.02)


def blocking(first: int = 1) -> tuple[type[Bot], threading.Event, list[View]]:
    """Return a bot that thinks about its first turns until it is released, and records the views it got."""
    go, asked = threading.Event(), list[View]()

    class Blocking(Bot):
        def act(self, view: View) -> int:
            asked.append(view)
            if len(asked) <= first:
                go.wait(WAIT_SECONDS)
            return CALL

    return Blocking, go, asked


class Broken(Bot):
    """A bot that raises at its first decision."""

    def act(self, view: View) -> int:
        raise ZeroDivisionError("no idea")
