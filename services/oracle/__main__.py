"""Start the oracle: python -m riverboat.services.oracle."""

import sys

from riverboat.protos.oracle.v1 import oracle_pb2, oracle_pb2_grpc
from riverboat.rpc.observers import Figure
from riverboat.rpc.server import Service, leave, serve
from riverboat.rpc.startup import start
from riverboat.rpc.work import Workers
from riverboat.services.oracle.oracle import Oracle
from riverboat.services.oracle.servicer import OracleServicer
from riverboat.services.oracle.settings import OracleSettings


async def run(settings: OracleSettings) -> None:
    """Build the service and serve it."""
    workers = Workers(settings.workers, settings.long_calls)
    oracle = Oracle(workers.run, settings.exact_limit)
    service = Service(
        names=(oracle_pb2.DESCRIPTOR.services_by_name["Oracle"].full_name,),
        register=lambda server: oracle_pb2_grpc.add_OracleServicer_to_server(OracleServicer(oracle, workers), server),
        prepare=lambda: workers.prepare(oracle.warm_up),
        most_calls=settings.calls,
        figures=(Figure("riverboat_long_calls_open", "gauge", "long calls under way", lambda: workers.long_calls),),
    )
    try:
        await serve(service, settings)
    finally:
        workers.close()


if __name__ == "__main__":
    leave(start("oracle", OracleSettings, run, sys.argv[1:]))
