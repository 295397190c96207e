"""Start the resolver: python -m riverboat.services.resolver."""

import sys
import time
from pathlib import Path

from riverboat.protos.gamemanager.v1.state_manager_pb2_grpc import StateManagerStub
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub
from riverboat.protos.resolver.v1 import resolver_pb2, resolver_pb2_grpc
from riverboat.rpc.connections.channels import open_channel
from riverboat.rpc.observers import Figure
from riverboat.rpc.server import Service, leave, serve
from riverboat.rpc.startup import start
from riverboat.rpc.work import Workers
from riverboat.services.resolver.answer_cache import AnswerCache
from riverboat.services.resolver.networks import Networks
from riverboat.services.resolver.resolver import SpotResolver
from riverboat.services.resolver.scoring import SHIPPED_YARDSTICKS, Yardsticks
from riverboat.services.resolver.servicer import ResolverServicer
from riverboat.services.resolver.settings import ResolverSettings
from riverboat.services.resolver.solutions import Solutions
from riverboat.services.resolver.solvers import Solvers
from riverboat.services.resolver.study import Study
from riverboat.services.resolver.uploads import Uploads
from riverboat.services.resolver.upstream import Upstream
from riverboat.services.resolver.warm_up import warm_up

_SHIPPED = Path(__file__).parent / "trained"  # those that come with Riverboat
_OPTIONS = (("grpc.max_receive_message_length", 64 * 1024 * 1024), ("grpc.max_reconnect_backoff_ms", 2000))


async def run(settings: ResolverSettings) -> None:
    """Build the service and serve it."""
    workers = Workers(settings.workers, settings.long_calls)
    oracle = open_channel(settings.oracle_server, _OPTIONS)
    states = open_channel(settings.gamemanager_server, _OPTIONS)
    byte_limit = settings.memory_megabytes * 10**6
    solutions = Solutions(settings.solutions, byte_limit, round(60 * settings.expire_minutes), time.monotonic)
    upstream = Upstream(OracleStub(oracle), StateManagerStub(states))
    solvers = Solvers(solutions, settings.threads, time.perf_counter)
    folders = [*([_SHIPPED] if settings.shipped else []), *([settings.networks] if settings.networks else [])]
    networks = Networks(folders, settings.threads, Yardsticks(SHIPPED_YARDSTICKS), time.monotonic)

    def prepare() -> None:
        warm_up()
        networks.shelf()  # so that no call waits until files are read and scored

    servicer = ResolverServicer(
        SpotResolver(upstream, networks, solvers, solutions, AnswerCache(settings.answer_megabytes * 10**6)),
        Study(upstream, networks, solvers, solutions),
        networks,
        Uploads(byte_limit),
        workers,
    )
    service = Service(
        names=(resolver_pb2.DESCRIPTOR.services_by_name["Resolver"].full_name,),
        register=lambda server: resolver_pb2_grpc.add_ResolverServicer_to_server(servicer, server),
        prepare=lambda: workers.prepare(prepare),
        most_calls=settings.calls,
        figures=(
            Figure(
                "riverboat_solves_running", "gauge", "spots being solved, saved or loaded", lambda: workers.long_calls
            ),
            Figure("riverboat_networks_loaded", "gauge", "value networks used by default", lambda: networks.used_count),
            Figure("riverboat_solutions_kept", "gauge", "solutions whose nodes can be read", lambda: solutions.count),
            Figure("riverboat_solving_bytes", "gauge", "memory of all spots", lambda: solutions.taken_bytes),
        ),
    )
    try:
        await serve(service, settings)
    finally:
        oracle.close()
        states.close()
        workers.close()


if __name__ == "__main__":
    leave(start("resolver", ResolverSettings, run, sys.argv[1:]))
