"""Real services in real processes, for benchmarks and tests."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from grpc_health.v1 import health_pb2, health_pb2_grpc

from riverboat.clients.local.readiness import wait_until_ready
from riverboat.rpc.connections.channels import open_channel

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 240  # with a cold cache a service compiles everything


class StartedProcess(Protocol):
    """The methods of subprocess.Popen that are used here."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None:
        """Return the exit code, or None while the process runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the process ends; return the exit code."""

    def send_signal(self, sig: int, /) -> None:
        """Send a signal."""

    def kill(self) -> None:
        """Send SIGKILL."""


StartProcess = Callable[[str, Mapping[str, str], IO[bytes]], StartedProcess]  # from a module, an environment and a log


def start_interpreter(module: str, environment: Mapping[str, str], log: IO[bytes]) -> StartedProcess:
    """Start `python -m module` in a new interpreter."""
    command = [sys.executable, "-m", module]
    return subprocess.Popen(command, cwd=ROOT, env={**environment, "PYTHONPATH": str(ROOT)}, stdout=log, stderr=log)


def free_port() -> int:
    """Return a port that is free at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process; 0 if it has ended."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return 1024 * int(line.split()[1])
    except OSError:
        pass
    return 0


@dataclass
class ServiceProcess:
    """A running service."""

    process: StartedProcess
    address: str
    log: Path

    def log_lines(self) -> list[str]:
        """Return the lines logged so far."""
        return self.log.read_text().splitlines()

    def health(self, service: str = "") -> str:
        """Return the state that its health check reports."""
        with open_channel(self.address) as channel:
            request = health_pb2.HealthCheckRequest(service=service)
            stub: Any = health_pb2_grpc.HealthStub(channel)
            response = stub.Check(request, timeout=START_SECONDS, wait_for_ready=True)
        return str(health_pb2.HealthCheckResponse.ServingStatus.Name(response.status))

    def wait_until_healthy(self) -> None:
        """Wait until the service is ready."""
        wait_until_ready(
            self.log.stem,
            lambda _: self.health() == "SERVING",
            self._check_alive,
            lambda _: None,
            seconds=START_SECONDS,
            slow_start=lambda: "",
            hint=f"; see {self.log}",
        )

    def _check_alive(self) -> None:
        assert self.process.poll() is None, self.log.read_text()

    def terminate(self, timeout: float = 20) -> int:
        """Send SIGTERM; return the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout)


@contextmanager
def meanwhile(look: Callable[[], None], seconds: float) -> Iterator[None]:
    """Call `look` every `seconds` seconds on a thread until the block ends."""
    stop = threading.Event()

    def repeat() -> None:
        while not stop.wait(seconds):
            look()

    thread = threading.Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@contextmanager
def running(
    service: str, folder: Path, start: StartProcess = start_interpreter, **settings: str
) -> Iterator[ServiceProcess]:
    """Start `services.<service>` with its settings on a free port; kill it at the end of the block if it still runs."""
    prefix = f"RIVERBOAT_{service.upper()}_"
    address = settings.pop("address", f"127.0.0.1:{free_port()}")
    environment = {**os.environ, f"{prefix}ADDRESS": address}
    environment |= {prefix + name.upper(): value for name, value in settings.items()}
    log = folder / f"{service}-{time.monotonic_ns()}.log"
    with log.open("wb") as sink:
        process = start(f"riverboat.services.{service}", environment, sink)
    try:
        yield ServiceProcess(process, address, log)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


class WorkerProcess:
    """A trainer's worker with one process, which may be killed with its children."""

    def __init__(self, redis: str, store: Path, log: Path, lost_seconds: float = 3) -> None:
        settings = {"redis": redis, "store": str(store), "processes": "1", "lost_seconds": str(lost_seconds)}
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        environment |= {f"RIVERBOAT_WORKER_{name.upper()}": value for name, value in settings.items()}
        command = [sys.executable, "-m", "riverboat.services.trainer.worker"]
        with log.open("ab") as sink:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=sink, stderr=sink, start_new_session=True
            )

    def freeze(self) -> None:
        """Stop the worker and its children where they are."""
        os.killpg(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let the worker and its children go on."""
        os.killpg(self._process.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Send SIGKILL to the worker and its children."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(timeout=10)
