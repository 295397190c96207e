"""Tables that a command opens for itself, and what to say about the agents it seats there."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import grpc

from riverboat.clients.bots.agents.registry import needs_resolver
from riverboat.clients.console.views.output import note
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb

_CLOSE_SECONDS = 2


@contextmanager
def new_table(link: GameManagerClient, config: pb.TableConfig) -> Iterator[pb.CreateTableResponse]:
    """Open a table; close it on exit."""
    made = link.tables.CreateTable(pb.CreateTableRequest(config=config))
    try:
        yield made
    finally:
        if not link.is_own:  # a private game manager ends with all its tables
            request = pb.CloseTableRequest(table_id=made.table.table_id, dealer_token=made.dealer_token)
            try:
                link.tables.CloseTable(request, timeout=_CLOSE_SECONDS)
            except grpc.RpcError:
                note(f"table {made.table.table_id} could not be closed")


def note_rollouts(agents: Sequence[str], player_count: int) -> None:
    """Say which agents that are named for re-solving will decide by rollouts at this table."""
    resolving = sorted({name for name in agents if needs_resolver(name)})
    if resolving and player_count > 2:
        verb = "decides" if len(resolving) == 1 else "decide"
        note(
            f"{' and '.join(resolving)} {verb} by rollouts in every hand with more than two players dealt in, and the "
            "result counts these decisions as fallbacks: re-solving is for two players"
        )
