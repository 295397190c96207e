"""All of Riverboat in the containers of docker-compose.yml, which tests stop and start again."""

import subprocess
import time
from collections.abc import Sequence

from riverboat.rpc.probe import healthy
from tests.processes import ROOT

_PORTS = {"oracle": 50051, "gamemanager": 50052, "resolver": 50053}
_START_SECONDS = 240


class Composed:
    """The same as a `Boat`, through published ports. `command` is docker compose or a replacement."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self.addresses = {name: f"127.0.0.1:{port}" for name, port in _PORTS.items()}

    def start(self) -> None:
        """Start all containers, and wait until services are healthy."""
        self._run("up", "--detach")
        for name in self.addresses:
            self._wait_for(name)

    def log(self, name: str) -> str:
        """Return a service's output since its container was created."""
        return self._run("logs", name)

    def kill(self, name: str) -> None:
        """Stop a container."""
        self._run("stop", name)

    def bring_back(self, name: str) -> None:
        """Start a stopped service again."""
        self._run("start", name)
        if name in self.addresses:
            self._wait_for(name)

    def end(self) -> None:
        """Remove all containers; their volumes stay."""
        self._run("down")

    def _run(self, *words: str) -> str:
        done = subprocess.run([*self._command, *words], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def _wait_for(self, name: str) -> None:
        give_up = time.monotonic() + _START_SECONDS
        while not healthy(self.addresses[name]):
            if time.monotonic() > give_up:
                raise TimeoutError(f"{name} is not healthy after {_START_SECONDS} s:\n{self.log(name)}")
            time.sleep(0.2)
