"""The servers to fuzz: real processes of all services with throwaway data."""

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from benchmarks.processes import resident_bytes
from benchmarks.redis_server import redis_server
from tests.processes import ROOT, ServiceProcess, free_port, meanwhile, running

_LOOK_SECONDS = 1.0
HEALTH_SECONDS = 20.0  # a server must pass its health check within this time, even on a busy machine
_SMALL = {  # low, so that requests reach the limits
    "oracle": {"exact_limit": "200000000"},
    "gamemanager": {"node_limit": "200000", "tables": "100", "client_tables": "100", "idle_minutes": "1"},
    "resolver": {"memory_megabytes": "300", "solutions": "8"},
    "trainer": {},
}


@dataclass(slots=True)
class Server:
    """One server, its memory over time, and its problems."""

    name: str
    address: str
    process: ServiceProcess | None = None  # none for a server that was already running
    memory: list[int] = field(default_factory=list)  # bytes, by time
    problems: list[str] = field(default_factory=list)

    def look(self, seconds: float = HEALTH_SECONDS) -> None:
        """Record health and memory; the health check has a time limit."""
        if self.process and self.process.process.poll() is not None:
            self._note(f"its process has ended with code {self.process.process.returncode}")
            return
        if self.process and (taken := resident_bytes(self.process.process.pid)):
            self.memory.append(taken)
        begin = time.monotonic()
        if not _is_healthy(self.address, seconds):
            self._note(f"its health check did not pass within {time.monotonic() - begin:.0f} seconds")

    def bugs(self) -> Counter[str]:
        """Return the bugs in the log, and lines that are not log lines."""
        bugs: Counter[str] = Counter()
        for line in self.process.log_lines() if self.process else ():
            try:
                entry = json.loads(line)
            except ValueError:
                bugs[line[:200]] += 1
                continue
            if entry.get("event") == "bug":
                last = (entry.get("exception") or "").strip().rpartition("\n")[2]
                bugs[f"{entry.get('method') or entry.get('message')}: {last[:200]}"] += 1
        return bugs

    def _note(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)


def _is_healthy(address: str, seconds: float) -> bool:
    with grpc.insecure_channel(address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        try:
            response = stub.Check(health_pb2.HealthCheckRequest(), timeout=seconds, wait_for_ready=True)
        except grpc.RpcError:
            return False
    return bool(response.status == health_pb2.HealthCheckResponse.SERVING)


@contextmanager
def own_servers(folder: Path) -> Iterator[dict[str, Server]]:
    """Start all services with their dependencies; stop them and delete their data at the end of the block."""
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server(folder / "redis", free_port()))
        address = {name: f"127.0.0.1:{free_port()}" for name in _SMALL}
        more: dict[str, dict[str, str]] = {
            "gamemanager": {"journal": str(folder / "journal.jsonl")},
            "resolver": {"oracle_server": address["oracle"], "gamemanager_server": address["gamemanager"]},
            "trainer": {"redis": redis.url, "store": str(folder / "data")},
        }
        processes = {}
        for name, limits in _SMALL.items():
            settings = {"address": address[name], "log_format": "json", **limits, **more.get(name, {})}
            processes[name] = stack.enter_context(running(name, folder, ROOT, None, False, **settings))
        for process in processes.values():
            process.wait_until_healthy()
        yield {name: Server(name, process.address, process) for name, process in processes.items()}


@contextmanager
def watched(servers: Mapping[str, Server]) -> Iterator[None]:
    """Check all servers repeatedly."""

    def look() -> None:
        for server in servers.values():
            server.look()

    with meanwhile(look, _LOOK_SECONDS):
        yield
    look()
