"""The services of a table as real processes, which tests kill and start again at the same addresses."""

import os
from pathlib import Path

from benchmarks.redis_server import RedisProcess
from tests.launching.launch import start_module
from tests.launching.process import Process
from tests.processes import ServiceProcess, free_port

SERVICES = ("oracle", "gamemanager", "resolver", "agents")  # in the order of their dependencies


class Boat:
    """A Redis, an oracle, a game manager, a resolver and an agent host."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._running: dict[str, Process] = {}
        self.addresses = {name: f"127.0.0.1:{free_port()}" for name in SERVICES if name != "agents"}
        self.redis = RedisProcess(folder, free_port())

    def start(self, *names: str) -> None:
        """Start these services, by default all, and wait until those with a health check are healthy."""
        for name in names or SERVICES:
            with self._log(name).open("ab") as sink:
                environment = {**os.environ, **self._settings(name)}
                self._running[name] = start_module(*self._module(name), env=environment, stdout=sink, stderr=sink)
            if name in self.addresses:
                ServiceProcess(self._running[name], self.addresses[name], self._log(name)).wait_until_healthy()

    def log(self, name: str) -> str:
        """Return the output of a service since the boat was made, earlier processes included."""
        return self._log(name).read_text()

    def kill(self, name: str) -> None:
        """Send SIGKILL to a service or to Redis."""
        if name == "redis":
            self.redis.kill()
            return
        self._running[name].kill()
        self._running[name].wait()

    def bring_back(self, name: str) -> None:
        """Start a killed service, or Redis, again."""
        if name == "redis":
            self.redis.start()
        else:
            self.start(name)

    def end(self) -> None:
        """Kill everything that still runs."""
        for process in self._running.values():
            if process.poll() is None:
                process.kill()
                process.wait()
        self.redis.kill()

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    def _module(self, name: str) -> list[str]:
        if name == "agents":
            return ["riverboat.clients.bots.host", "--server", self.addresses["gamemanager"]]
        return [f"riverboat.services.{name}"]

    def _settings(self, name: str) -> dict[str, str]:
        if name == "agents":
            return {"RIVERBOAT_RESOLVER_SERVER": self.addresses["resolver"]}
        settings = {"ADDRESS": self.addresses[name], "LOG_FORMAT": "json"}
        if name == "gamemanager":
            settings["REDIS_URL"] = self.redis.url
        if name == "resolver":
            settings |= {f"{other.upper()}_SERVER": self.addresses[other] for other in ("oracle", "gamemanager")}
        return {f"RIVERBOAT_{name.upper()}_{key}": value for key, value in settings.items()}
