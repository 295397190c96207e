"""Real services in real processes, for contract tests and scenarios."""

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grpc_health.v1 import health_pb2, health_pb2_grpc

from riverboat.protos.gamemanager.v1.agent_hosts_pb2 import ListAgentsRequest
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from riverboat.rpc.connections.channels import open_channel
from tests.launching.launch import ROOT as ROOT
from tests.launching.launch import start_module
from tests.launching.process import Process

START_SECONDS = 240  # a cold cache compiles everything


def free_port() -> int:
    """A port that nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environ_of(process: Path) -> str:
    """The environment of a process in /proc that was started fresh, and nothing of one that has ended."""
    try:
        return (process / "environ").read_text(errors="replace")
    except OSError:
        return ""


@dataclass
class ServiceProcess:
    """A running service."""

    process: Process
    address: str
    log: Path

    def log_lines(self) -> list[str]:
        """What it has logged so far."""
        return self.log.read_text().splitlines()

    def health(self, service: str = "") -> str:
        """The state that its health check reports."""
        with open_channel(self.address) as channel:
            request = health_pb2.HealthCheckRequest(service=service)
            stub: Any = health_pb2_grpc.HealthStub(channel)
            found = stub.Check(request, timeout=START_SECONDS, wait_for_ready=True)
        return str(health_pb2.HealthCheckResponse.ServingStatus.Name(found.status))

    def wait_until_healthy(self) -> None:
        """Block until the service is ready."""
        give_up = time.monotonic() + START_SECONDS
        while time.monotonic() < give_up:
            assert self.process.poll() is None, self.log.read_text()
            if self.health() == "SERVING":
                return
            time.sleep(0.1)
        raise AssertionError(f"not healthy after {START_SECONDS} s: {self.log.read_text()}")

    def terminate(self, timeout: float = 20) -> int:
        """SIGTERM, and the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout)


@contextmanager
def meanwhile(look: Callable[[], None], seconds: float) -> Iterator[None]:
    """Do something every so many seconds on a thread, until the block ends."""
    stop = threading.Event()

    def again_and_again() -> None:
        while not stop.wait(seconds):
            look()

    thread = threading.Thread(target=again_and_again, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@contextmanager
def running(
    service: str,
    folder: Path,
    root: Path = ROOT,
    more: dict[str, str] | None = None,
    fresh: bool = False,
    **settings: str,
) -> Iterator[ServiceProcess]:
    """Start `services.<service>` on a free port; it is killed in the end if it still runs.

    `settings` are the service's own, `more` is anything else for its environment; `fresh` as for `start_module`.
    """
    prefix = f"RIVERBOAT_{service.upper()}_"
    address = settings.pop("address", f"127.0.0.1:{free_port()}")
    environment = {**os.environ, f"{prefix}ADDRESS": address}
    environment |= {prefix + name.upper(): value for name, value in settings.items()}
    environment |= more or {}
    log = folder / f"{service}-{time.monotonic_ns()}.log"
    with log.open("wb") as sink:
        process = start_module(
            f"riverboat.services.{service}", env=environment, stdout=sink, stderr=sink, root=root, fresh=fresh
        )
    try:
        yield ServiceProcess(process, address, log)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


@contextmanager
def agent_host(server: str) -> Iterator[None]:
    """A host of agents in a process of its own, until the block ends."""
    process = start_module("riverboat.clients.bots.host", "--server", server, stderr=subprocess.DEVNULL)
    try:
        with open_channel(server) as channel:
            give_up = time.monotonic() + START_SECONDS
            while not AgentHostsStub(channel).ListAgents(ListAgentsRequest(), wait_for_ready=True).agents:
                assert time.monotonic() < give_up, "no agents came"
                time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(30)
