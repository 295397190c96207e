"""A bot visits one table: joins it, plays until it is closed, and gets up when it is stopped."""

import asyncio
import secrets
from contextlib import suppress
from typing import Any

import grpc

from riverboat.arena.bot import MakeBot
from riverboat.clients.bots.event_log import log
from riverboat.clients.bots.fairness import Fairness, Report, Reporter
from riverboat.clients.bots.player import Player
from riverboat.clients.bots.seat import Seat, random_seed
from riverboat.clients.remote.backoff import open_channel
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub

_JOIN_SECONDS = 10
_LEAVE_SECONDS = 5


async def visit(
    server: str,
    table_id: str,
    make_bot: MakeBot,
    name: str,
    strict: bool = False,
    seed: int | None = None,
    report: Report | None = None,
) -> None:
    """Play at a table until it is closed or this is cancelled; errors of joining are grpc.RpcError.

    What is found out about the deals is logged and given to `report`; a strict bot gets up if one is not as announced.
    """
    async with open_channel(server) as channel:
        token = await _chair(channel, table_id, name)
        player = Player(make_bot, name, random_seed() if seed is None else seed, strict)
        try:
            await Seat(channel, token, player, name, Fairness(Reporter(name, strict, report))).play()
            log.info("bot_done", bot=name, table=table_id)
        except (asyncio.CancelledError, Exception):
            await _leave(channel, token, name)
            raise


async def _chair(channel: Any, table_id: str, name: str) -> str:
    """Join; if this is cancelled meanwhile, the chair that may be ours already is given back, as nobody else can."""
    joining = asyncio.ensure_future(join(channel, table_id, name))
    try:
        return await asyncio.shield(joining)
    except asyncio.CancelledError:
        with suppress(grpc.aio.AioRpcError):
            await _leave(channel, await joining, name)
        raise


async def join(channel: Any, table_id: str, name: str) -> str:
    """Take any free chair; its token."""
    stub: Any = TablesStub(channel)
    # One id for all attempts, so that a retry gets the same chair; nobody can guess it.
    request = pb.JoinTableRequest(table_id=table_id, name=name, request_id=secrets.token_hex(16), contributes=True)
    for attempt in (1, 2, 3):
        try:
            found = await stub.JoinTable(request, timeout=_JOIN_SECONDS)
            break
        except grpc.aio.AioRpcError as error:
            if attempt == 3 or error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            await asyncio.sleep(attempt / 5)
    log.info("bot_seated", bot=name, chair=found.chair, table=table_id)
    return str(found.token)


async def _leave(channel: Any, token: str, name: str) -> None:
    """Give the chair back, if anybody is there to take it; what is left of the hand is checked or folded."""
    stub: Any = TablesStub(channel)
    try:
        left = await stub.LeaveTable(pb.LeaveTableRequest(token=token, give_up=True), timeout=_LEAVE_SECONDS)
    except grpc.aio.AioRpcError as error:
        log.warning("chair_not_returned", bot=name, reason=error.details() or error.code().name)
    else:
        log.info("chair_returned", bot=name, after_hand=not left.at_once)
