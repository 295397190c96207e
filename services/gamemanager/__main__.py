"""Start the game manager: python -m riverboat.services.gamemanager."""

import sys
from typing import Any

from riverboat.protos.gamemanager.v1 import (
    agent_hosts_pb2,
    agent_hosts_pb2_grpc,
    matches_pb2,
    matches_pb2_grpc,
    state_manager_pb2,
    state_manager_pb2_grpc,
    tables_pb2,
    tables_pb2_grpc,
    tournaments_pb2,
    tournaments_pb2_grpc,
)
from riverboat.rpc.exposure import is_trusted
from riverboat.rpc.observers import Figure
from riverboat.rpc.server import Service, leave, serve
from riverboat.rpc.settings import secret_of
from riverboat.rpc.startup import start
from riverboat.rpc.work import Workers
from riverboat.services.gamemanager.file_journal import FileJournal
from riverboat.services.gamemanager.hosts import Hosts
from riverboat.services.gamemanager.manager import Manager
from riverboat.services.gamemanager.matches import Matches
from riverboat.services.gamemanager.quotas import TableQuota
from riverboat.services.gamemanager.redis_journal import RedisJournal
from riverboat.services.gamemanager.servicer import (
    AgentHostsServicer,
    MatchesServicer,
    StateManagerServicer,
    TablesServicer,
    TournamentsServicer,
)
from riverboat.services.gamemanager.settings import GameManagerSettings
from riverboat.services.gamemanager.state_manager import StateManager
from riverboat.services.gamemanager.tournaments import Tournaments, warm_up
from riverboat.tables.log import Shelf


async def run(settings: GameManagerSettings) -> None:
    """Build the service and serve it."""
    workers = Workers(settings.workers, settings.long_calls)
    states = StateManager(settings.node_limit)
    journal = (
        RedisJournal(settings.redis_url) if settings.redis_url else FileJournal(settings.journal, settings.journal_sync)
    )
    quota = TableQuota(settings.tables, settings.client_tables)
    manager = Manager(journal, quota, 60 * settings.idle_minutes, Shelf(settings.hands))
    host_key = secret_of(settings.host_key, "host_key_file", settings.host_key_file)
    hosts = Hosts(manager, host_key, is_trusted(settings))
    tournaments = Tournaments(manager, hosts)

    def register(server: Any) -> None:
        state_manager_pb2_grpc.add_StateManagerServicer_to_server(StateManagerServicer(states, workers), server)
        tables_pb2_grpc.add_TablesServicer_to_server(TablesServicer(manager, hosts), server)
        agent_hosts_pb2_grpc.add_AgentHostsServicer_to_server(AgentHostsServicer(hosts), server)
        matches_pb2_grpc.add_MatchesServicer_to_server(MatchesServicer(Matches(manager, hosts)), server)
        tournaments_pb2_grpc.add_TournamentsServicer_to_server(TournamentsServicer(manager, tournaments), server)

    async def prepare() -> None:
        await workers.prepare(states.warm_up)
        await workers.prepare(warm_up)
        await manager.load()

    service = Service(
        names=_contract_names(),
        register=register,
        prepare=prepare,
        most_calls=settings.calls,
        figures=_figures(manager, hosts, workers),
    )
    try:
        await serve(service, settings)
    finally:
        await manager.close()
        workers.close()


def _contract_names() -> tuple[str, ...]:
    modules = (state_manager_pb2, tables_pb2, agent_hosts_pb2, matches_pb2, tournaments_pb2)
    files = (module.DESCRIPTOR for module in modules)
    return tuple(contract.full_name for file in files for contract in file.services_by_name.values())


def _figures(manager: Manager, hosts: Hosts, workers: Workers) -> tuple[Figure, ...]:
    tables, tournaments = manager.tables, manager.tournaments
    return (
        Figure("riverboat_tables_open", "gauge", "tables that are open", lambda: len(tables.open_tables)),
        Figure("riverboat_tournaments_open", "gauge", "tournaments that are not over", lambda: tournaments.open_count),
        Figure("riverboat_tables_damaged", "gauge", "tables that are set aside", lambda: len(tables.damaged)),
        Figure("riverboat_hands_finished", "counter", "hands that have ended here", lambda: tables.finished_hands),
        Figure("riverboat_hosts_attending", "gauge", "agent hosts that attend", lambda: hosts.count),
        Figure("riverboat_agents_attending", "gauge", "agents on offer", lambda: len(hosts.agents)),
        Figure("riverboat_long_calls_open", "gauge", "trees under way", lambda: workers.long_calls),
    )


if __name__ == "__main__":
    leave(start("gamemanager", GameManagerSettings, run, sys.argv[1:]))
