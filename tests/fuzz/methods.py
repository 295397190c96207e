"""All methods of all services, from their descriptors."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf.message_factory import GetMessageClass

from riverboat.protos.gamemanager.v1 import (
    agent_hosts_pb2,
    matches_pb2,
    state_manager_pb2,
    tables_pb2,
    tournaments_pb2,
)
from riverboat.protos.oracle.v1 import oracle_pb2
from riverboat.protos.resolver.v1 import resolver_pb2
from riverboat.protos.trainer.v1 import trainer_pb2

CONTRACTS: dict[str, tuple[Any, ...]] = {
    "oracle": (oracle_pb2,),
    "gamemanager": (state_manager_pb2, tables_pb2, matches_pb2, agent_hosts_pb2, tournaments_pb2),
    "resolver": (resolver_pb2,),
    "trainer": (trainer_pb2,),
}


@dataclass(frozen=True, slots=True)
class Method:
    """One method: its server, its path, its messages."""

    server: str
    path: str
    request: Any  # the class of a message
    response: Any
    sends_stream: bool
    gets_stream: bool

    @property
    def name(self) -> str:
        """Return whether the method is a stream in both directions, like Tables.Play."""
        service, _, method = self.path[1:].partition("/")
        return f"{service.rpartition('.')[2]}.{method}"


def all_methods() -> list[Method]:
    """Return every method of every service."""
    return [method for server, modules in CONTRACTS.items() for module in modules for method in _in(server, module)]


def _in(server: str, module: Any) -> Iterator[Method]:
    for service in module.DESCRIPTOR.services_by_name.values():
        for method in service.methods:
            yield Method(
                server,
                f"/{service.full_name}/{method.name}",
                GetMessageClass(method.input_type),
                GetMessageClass(method.output_type),
                method.client_streaming,
                method.server_streaming,
            )
