"""Exit with 0 if a game manager has agents on offer: python -m riverboat.clients.bots.probe HOST:PORT."""

import asyncio
import sys
from typing import Any

import grpc

from riverboat.clients.remote.backoff import open_channel
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as pb
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub

_SECONDS = 3.0


async def on_offer(server: str) -> bool:
    """Whether a host attends there with at least one agent."""
    async with open_channel(server) as channel:
        stub: Any = AgentHostsStub(channel)
        try:
            return bool((await stub.ListAgents(pb.ListAgentsRequest(), timeout=_SECONDS)).agents)
        except grpc.aio.AioRpcError:
            return False


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(on_offer(sys.argv[1])) else 1)
