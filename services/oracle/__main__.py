"""Start the oracle: python -m services.oracle."""

import asyncio
import sys

from pydantic import ValidationError

from protos.oracle.v1 import oracle_pb2, oracle_pb2_grpc
from riverboat.rpc.logs import configure_logs
from riverboat.rpc.server import CannotListen, Service, leave, serve
from riverboat.rpc.work import Workers
from services.oracle.oracle import Oracle
from services.oracle.servicer import OracleServicer
from services.oracle.settings import OracleSettings


async def run(settings: OracleSettings) -> None:
    """Build the service and serve it."""
    workers = Workers(settings.workers, settings.long_calls)
    oracle = Oracle(workers.run, settings.exact_limit)
    service = Service(
        name=oracle_pb2.DESCRIPTOR.services_by_name["Oracle"].full_name,
        register=lambda server: oracle_pb2_grpc.add_OracleServicer_to_server(OracleServicer(oracle, workers), server),
        prepare=lambda: workers.prepare(oracle.warm_up),
        most_calls=settings.calls,
    )
    try:
        await serve(service, settings.address, settings.grace_seconds)
    finally:
        workers.close()


def main() -> int:
    """Serve until told to stop; 2 if the settings do not work."""
    try:
        settings = OracleSettings()
        configure_logs(settings.log_level, settings.log_format)
        asyncio.run(run(settings))
    except ValidationError as error:
        for problem in error.errors():
            name = "RIVERBOAT_ORACLE_" + "_".join(str(part) for part in problem["loc"]).upper()
            print(f"{name}: {problem['msg']}", file=sys.stderr)
        return 2
    except CannotListen as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    leave(main())
