"""Real services in real processes, most of them forks that start in a tenth of a second."""

import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from benchmarks import processes
from benchmarks.processes import ROOT as ROOT
from benchmarks.processes import START_SECONDS as START_SECONDS
from benchmarks.processes import ServiceProcess as ServiceProcess
from benchmarks.processes import free_port as free_port
from benchmarks.processes import meanwhile as meanwhile
from riverboat.protos.gamemanager.v1.agent_hosts_pb2 import ListAgentsRequest
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from riverboat.rpc.connections.channels import open_channel
from tests.launching.launch import start_module
from tests.launching.process import Process


def environ_of(process: Path) -> str:
    """Return the environment of a fresh process from /proc; empty if it has ended."""
    try:
        return (process / "environ").read_text(errors="replace")
    except OSError:
        return ""


@contextmanager
def running(
    service: str,
    folder: Path,
    root: Path = ROOT,
    more: dict[str, str] | None = None,
    fresh: bool = False,
    **settings: str,
) -> Iterator[ServiceProcess]:
    """Start a service from the repository in `root` until the block ends.

    `settings` are the service's own, `more` is anything else for its environment; `fresh` as for `start_module`.
    """

    def start(module: str, environment: Mapping[str, str], log: IO[bytes]) -> Process:
        return start_module(module, env={**environment, **(more or {})}, stdout=log, stderr=log, root=root, fresh=fresh)

    with processes.running(service, folder, start, **settings) as process:
        yield process


@contextmanager
def agent_host(server: str) -> Iterator[None]:
    """Run an agent host in its own process until the block ends."""
    process = start_module("riverboat.clients.bots.host", "--server", server, stderr=subprocess.DEVNULL)
    try:
        with open_channel(server) as channel:
            give_up = time.monotonic() + START_SECONDS
            while not AgentHostsStub(channel).ListAgents(ListAgentsRequest(), wait_for_ready=True).agents:
                assert time.monotonic() < give_up, "the agents did not attend"
                time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(30)
