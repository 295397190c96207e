"""Ask a server whether it is healthy: python -m riverboat.rpc.probe 127.0.0.1:50051 (exit code 0 if so)."""

import sys
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from riverboat.rpc.connections.channels import open_channel

_SECONDS = 3.0


def healthy(address: str) -> bool:
    """Return whether the server at `address` says that it is serving."""
    with open_channel(address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        try:
            reply = stub.Check(health_pb2.HealthCheckRequest(), timeout=_SECONDS)
        except grpc.RpcError:
            return False
    return bool(reply.status == health_pb2.HealthCheckResponse.SERVING)


if __name__ == "__main__":
    sys.exit(0 if healthy(sys.argv[1]) else 1)
