"""Exit with 0 if a game manager has agents on offer: python -m riverboat.clients.bots.probe HOST:PORT."""

import asyncio
import sys

import grpc

from riverboat.clients.remote.channels import open_game_channel
from riverboat.clients.remote.hosts import AttendanceClient


async def has_agents(server: str) -> bool:
    """Return whether a host attends at the server with at least one agent."""
    async with open_game_channel(server) as channel:
        try:
            return bool(await AttendanceClient(channel).agents())
        except grpc.aio.AioRpcError:
            return False


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(has_agents(sys.argv[1])) else 1)
