"""Shared by all checks of a game manager: its five services, and players' actions."""

from riverboat.clients.conformance.check import Checks
from riverboat.clients.conformance.vitals import add_vitals
from riverboat.protos.gamemanager.v1 import (
    agent_hosts_pb2,
    matches_pb2,
    state_manager_pb2,
    tables_pb2,
    tournaments_pb2,
)
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rules.variant import no_limit

CONTRACTS = {
    "StateManager": state_manager_pb2.DESCRIPTOR.services_by_name["StateManager"],
    "Tables": tables_pb2.DESCRIPTOR.services_by_name["Tables"],
    "AgentHosts": agent_hosts_pb2.DESCRIPTOR.services_by_name["AgentHosts"],
    "Matches": matches_pb2.DESCRIPTOR.services_by_name["Matches"],
    "Tournaments": tournaments_pb2.DESCRIPTOR.services_by_name["Tournaments"],
}
RULES, TABLES, HOSTS, MATCHES, TOURNAMENTS = (Checks(contract.full_name) for contract in CONTRACTS.values())
add_vitals(RULES, CONTRACTS["StateManager"], state_manager_pb2.ListVariantsRequest(), "ListVariants")
add_vitals(TABLES, CONTRACTS["Tables"], tables_pb2.ListTablesRequest(), "ListTables")
add_vitals(HOSTS, CONTRACTS["AgentHosts"], agent_hosts_pb2.ListAgentsRequest(), "ListAgents")
add_vitals(TOURNAMENTS, CONTRACTS["Tournaments"], tournaments_pb2.ListTournamentsRequest(), "ListTournaments")
add_vitals(MATCHES, CONTRACTS["Matches"], agent_hosts_pb2.ListAgentsRequest(), "")

FOLD, CALL = Action(fold=Action.Fold()), Action(call=Action.Call())
NO_LIMIT = encode_variant(no_limit(50, 100))


def action_of(number: int) -> state_manager_pb2.Action:
    """Return an action from a number: -1 folds, 0 calls, any other number is a raise to it."""
    return {-1: FOLD, 0: CALL}.get(number) or Action(raise_to=number)


def move(seat: int, number: int) -> state_manager_pb2.Event:
    """Return a seat's action as an event."""
    return state_manager_pb2.Event(move=state_manager_pb2.Event.Move(seat=seat, action=action_of(number)))
