"""Exit with 0 if a game manager has agents on offer: python -m riverboat.clients.bots.probe HOST:PORT."""

import asyncio
import sys
from collections.abc import Sequence

import grpc

from riverboat.clients.remote.channels import open_game_channel
from riverboat.clients.remote.hosts import AttendanceClient
from riverboat.clients.remote.refusals import EXIT_REFUSED


async def has_agents(server: str) -> bool:
    """Return whether an agent host offers at least one agent at the server."""
    async with open_game_channel(server) as channel:
        try:
            return bool(await AttendanceClient(channel).agents())
        except grpc.aio.AioRpcError:
            return False


def main(words: Sequence[str]) -> int:
    """Run the command; return its exit code."""
    if len(words) != 1:
        print("usage: python -m riverboat.clients.bots.probe HOST:PORT", file=sys.stderr)
        return EXIT_REFUSED
    return 0 if asyncio.run(has_agents(words[0])) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
