"""A bot's visit to one table: it joins, plays until the table closes, and gets up when it is stopped."""

import asyncio
import secrets
from contextlib import suppress

import grpc

from riverboat.arena.bot import MakeBot
from riverboat.clients.bots.bot_chair import BotChair, random_seed
from riverboat.clients.bots.bot_runner import BotRunner
from riverboat.clients.bots.event_log import log
from riverboat.clients.bots.fairness import Fairness, FindingLog, Report
from riverboat.clients.remote.channels import open_game_channel
from riverboat.clients.remote.play import PlayClient
from riverboat.clients.remote.refusals import reason_of

_ATTEMPTS = 3  # to join
_AGAIN_SECONDS = 0.2  # before the second attempt; twice as long before the third


async def visit(
    server: str,
    table_id: str,
    make_bot: MakeBot,
    name: str,
    *,
    strict: bool = False,
    seed: int | None = None,
    report: Report | None = None,
) -> None:
    """Play at a table until it closes or the task is cancelled; raise grpc.RpcError if joining fails.

    Findings about the deals are logged and passed to `report`. A strict bot gets up if a deal is not as announced.
    """
    async with open_game_channel(server) as channel:
        tables = PlayClient(channel)
        token = await _take_chair(tables, table_id, name)
        runner = BotRunner(make_bot, name, random_seed() if seed is None else seed, strict)
        try:
            await BotChair(tables, token, runner, name, Fairness(FindingLog(name, strict, report))).play()
            log.info("bot_done", bot=name, table=table_id)
        except (asyncio.CancelledError, Exception):
            await _leave(tables, token, name)
            raise


async def _take_chair(tables: PlayClient, table_id: str, name: str) -> str:
    """Join; if cancelled meanwhile, give back the chair that the server may have given us: nobody else can."""
    joining = asyncio.ensure_future(join(tables, table_id, name))
    try:
        return await asyncio.shield(joining)
    except asyncio.CancelledError:
        with suppress(grpc.aio.AioRpcError):
            await _leave(tables, await joining, name)
        raise


async def join(tables: PlayClient, table_id: str, name: str) -> str:
    """Take any free chair; return its token."""
    request_id = secrets.token_hex(16)  # one for all attempts, so that a retry gets the same chair; nobody can guess it
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            joined = await tables.join(table_id=table_id, name=name, request_id=request_id)
            break
        except grpc.aio.AioRpcError as error:
            if attempt == _ATTEMPTS or error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            await asyncio.sleep(attempt * _AGAIN_SECONDS)
    log.info("bot_seated", bot=name, chair=joined.chair, table=table_id)
    return joined.token


async def _leave(tables: PlayClient, token: str, name: str) -> None:
    """Give the chair back, if the server still answers; the rest of the hand is checked or folded."""
    try:
        at_once = await tables.leave(token=token)
    except grpc.aio.AioRpcError as error:
        log.warning("chair_not_returned", bot=name, reason=reason_of(error))
    else:
        log.info("chair_returned", bot=name, after_hand=not at_once)
