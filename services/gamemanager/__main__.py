"""Start the game manager: python -m services.gamemanager."""

import sys

from protos.gamemanager.v1 import state_manager_pb2, state_manager_pb2_grpc
from riverboat.rpc.server import Service, leave, serve
from riverboat.rpc.start import start
from riverboat.rpc.work import Workers
from services.gamemanager.servicer import StateManagerServicer
from services.gamemanager.settings import GameManagerSettings
from services.gamemanager.state_manager import StateManager


async def run(settings: GameManagerSettings) -> None:
    """Build the service and serve it."""
    workers = Workers(settings.workers, settings.long_calls)
    manager = StateManager(settings.node_limit)
    servicer = StateManagerServicer(manager, workers)
    service = Service(
        name=state_manager_pb2.DESCRIPTOR.services_by_name["StateManager"].full_name,
        register=lambda server: state_manager_pb2_grpc.add_StateManagerServicer_to_server(servicer, server),
        prepare=lambda: workers.prepare(manager.warm_up),
        most_calls=settings.calls,
        until_input_ends=settings.until_input_ends,
    )
    try:
        await serve(service, settings.address, settings.grace_seconds)
    finally:
        workers.close()


if __name__ == "__main__":
    leave(start("gamemanager", GameManagerSettings, run, sys.argv[1:]))
