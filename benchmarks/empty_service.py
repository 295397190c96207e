"""A gRPC service that does nothing, to measure the cost of serving alone."""

import asyncio
import sys
from typing import Any

import grpc
from google.protobuf.empty_pb2 import Empty


async def main(address: str) -> None:
    """Answer /empty.Empty/Call with an empty message until killed."""

    async def call(request: Empty, context: object) -> Empty:
        return Empty()

    handler: Any = grpc.unary_unary_rpc_method_handler(
        call, request_deserializer=Empty.FromString, response_serializer=Empty.SerializeToString
    )
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("empty.Empty", {"Call": handler}),))
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
