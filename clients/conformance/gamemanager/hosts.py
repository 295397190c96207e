"""AgentHosts: hosts offer agents, and are given their chairs."""

import time
from concurrent.futures import ThreadPoolExecutor

import grpc

from riverboat.clients.conformance.check import Run
from riverboat.clients.conformance.expectations import refused, require, same
from riverboat.clients.conformance.gamemanager.attendance import attending
from riverboat.clients.conformance.gamemanager.common import HOSTS
from riverboat.clients.conformance.gamemanager.hands import config
from riverboat.clients.conformance.server import Server
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as pb
from riverboat.protos.gamemanager.v1 import tables_pb2
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub

_WAIT_SECONDS = 20
_BAD = {
    "no agents": [], "a space in a name": ["bad name"], "a long name": ["x" * 31], "101 agents": ["a"] * 101,
    "a name with unprintable characters": ["\x1b[31m"], "a colon without a parameter": ["a:"],
    "a space in a parameter": ["a:b c"],
}  # fmt: skip


@HOSTS("ListAgents", "lists agents in alphabetical order while their host attends")
def listed(server: Server) -> None:
    with attending(server) as first, attending(server) as second:
        agents = list(first.hosts.ListAgents(pb.ListAgentsRequest()).agents)
        require(first.is_listed() and second.is_listed(), "ListAgents: the agents of two hosts are not both listed")
        same("ListAgents, the order", agents, sorted(agents))
    give_up = time.monotonic() + _WAIT_SECONDS
    while first.is_listed():
        require(
            time.monotonic() < give_up,
            f"ListAgents: an agent is still listed {_WAIT_SECONDS} seconds after its host left",
        )
        time.sleep(0.05)


@HOSTS("Attend", "gives a host its agents' chairs, with tokens to play them", 120)
def given(server: Server) -> None:
    with attending(server) as host:
        tables = TablesStub(server.channel)
        setup = config(agents=[host.agent, host.agent], hand_limit=2, pause_ms=0, chair_count=2)
        created = tables.CreateTable(tables_pb2.CreateTableRequest(config=setup))
        chairs = host.chairs(2)
        same("Attend, a table with one agent twice: chairs", sorted(chair.chair for chair in chairs), [0, 1])
        same("Attend, the table", {chair.table_id for chair in chairs}, {created.table.table_id})
        names = [chair.name for chair in created.table.chairs]
        same("the names of an agent that sits twice", names, [host.agent, f"{host.agent} 2"])
        host.play([chair.token for chair in chairs], 2)
        request = tables_pb2.ListTablesRequest(table_id=created.table.table_id)
        (info,) = tables.ListTables(request).tables
        got = tables_pb2.TableStatus.Name(info.status), info.hand_count
        same("a table with a limit of two hands, after them: status and hands", got, ("TABLE_STATUS_CLOSED", 2))


@HOSTS("Attend", "asks a host about a parameter, and creates the table only if the host accepts")
def asked(server: Server) -> None:
    with attending(server, takes_parameter=True) as host, ThreadPoolExecutor(1) as pool:
        listed = host.hosts.ListAgents(pb.ListAgentsRequest()).with_parameter
        require(host.agent in listed, "ListAgents.with_parameter does not list an agent that takes a parameter")
        name = f"{host.agent}:0.5"
        creating = pool.submit(_create, server, name)
        question = host.question()
        same("Attend, a question about a name with a parameter", question.agent, name)
        host.answer(question, "conformance refuses this one")
        error = creating.exception()
        code = error.code().name if isinstance(error, grpc.RpcError) else "OK"
        same("CreateTable with a parameter that the host refuses: status", code, "INVALID_ARGUMENT")
        said = (isinstance(error, grpc.RpcError) and error.details()) or ""
        require(
            "conformance refuses this one" in said,
            f"CreateTable does not give the host's reason for the refusal: {said!r}",
        )
        creating = pool.submit(_create, server, name)
        host.answer(host.question())
        names = [chair.name for chair in creating.result().table.chairs]
        same("the names of an agent with a parameter that sits twice", names, [name, f"{name} 2"])
        same("Attend, agents of the chairs", [chair.agent for chair in host.chairs(2)], [name, name])
        request = tables_pb2.CloseTableRequest(
            table_id=creating.result().table.table_id, dealer_token=creating.result().dealer_token
        )
        TablesStub(server.channel).CloseTable(request)


@HOSTS("Attend", "never asks a host whose agent takes no parameter")
def not_asked(server: Server) -> None:
    with attending(server) as host:
        setup = config(agents=[f"{host.agent}:0.5", host.agent], chair_count=2)
        request = tables_pb2.CreateTableRequest(config=setup)
        refused(TablesStub(server.channel).CreateTable, request, "INVALID_ARGUMENT")


def _create(server: Server, name: str) -> tables_pb2.CreateTableResponse:
    setup = config(agents=[name, name], chair_count=2)
    return TablesStub(server.channel).CreateTable(tables_pb2.CreateTableRequest(config=setup))


def _refuses(agents: list[str]) -> Run:
    def run(server: Server) -> None:
        request = pb.AttendRequest(agents=agents, key=server.host_key)
        refused(AgentHostsStub(server.channel).Attend, [request], "INVALID_ARGUMENT")

    return run


for _words, _agents in _BAD.items():
    HOSTS.add("Attend", f"refuses {_words}", _refuses(_agents))
