"""Services as background processes on this machine, with their ports, logs and state in one folder.

Each process holds a lock on a file in the folder for as long as it lives. The lock, not a process number that another
process may have by now, tells whether it runs.
"""

import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from riverboat.clients.local.file_locks import lock
from riverboat.clients.local.processes import last_log_line, start_module
from riverboat.clients.local.services import (
    AGENT_HOST,
    GAMEMANAGER,
    ORACLE,
    RESOLVER,
    Client,
    ServiceProgram,
    service_settings,
)
from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.connections.keyring import change_keyring, read_keyring
from riverboat.rpc.connections.settings import KEYRING_FILE, secret_in, user_keyring
from riverboat.rpc.secret_files import new_secret

SERVICES: dict[str, ServiceProgram[Client]] = {
    service.name: service for service in (ORACLE, GAMEMANAGER, RESOLVER, AGENT_HOST)
}  # in the order in which they start
DEFAULT_FOLDER = Path(".riverboat")
_STATE = "state.json"
_STOP_SECONDS = 20
_KILL_SECONDS = 5
_LOOK_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Running:
    """A process that was started: its number, and where it listens (an agent host: its game manager's address)."""

    name: str
    pid: int
    address: str


class Stack:
    """The processes of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()

    def log(self, name: str) -> Path:
        """Return the file that a process logs to."""
        return self.folder / f"{name}.log"

    @property
    def journal(self) -> Path:
        """The file that keeps all tables, also when nothing runs."""
        return self.folder / "journal.jsonl"

    @contextmanager
    def exclusively(self) -> Iterator[None]:
        """Refuse while another command starts or stops processes here."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            file = (self.folder / "command.lock").open("a")
        except OSError as error:
            raise Refused(f"--folder: {self.folder} cannot be used: {error.strerror}") from None
        with file:
            if not lock(file):
                raise Refused(f"another riverboat up or down is busy in {self.folder}")
            yield

    def known(self) -> dict[str, Running]:
        """Return the processes of the last start by name, whether or not they still run."""
        try:
            entries = json.loads((self.folder / _STATE).read_text())
            return {entry["name"]: Running(entry["name"], entry["pid"], entry["address"]) for entry in entries}
        except (OSError, ValueError, KeyError, TypeError):  # none, or half written by a machine that lost power
            return {}

    def is_alive(self, name: str) -> bool:
        """Return whether a process of this folder still runs."""
        try:
            with (self.folder / f"{name}.lock").open("a") as file:
                return not lock(file)
        except OSError:
            return False

    def alive(self) -> dict[str, Running]:
        """Return the processes that run now, by name."""
        return {name: running for name, running in self.known().items() if self.is_alive(name)}

    def host_key(self, address: str) -> str:
        """Return the key that agent hosts show to the game manager at an address.

        It is kept where the user's own commands find it: nobody else who can reach the port may play for others.
        """
        key = secret_in("RIVERBOAT_GAMEMANAGER_HOST_KEY") or read_keyring(self._keyring).get(address) or new_secret()
        self._note_key(address, key)
        return key

    @property
    def _keyring(self) -> Path:
        return self.folder / KEYRING_FILE

    def _note_key(self, address: str, key: str | None) -> None:
        """Write a key to the keyrings of the folder and the user, or forget it."""
        try:
            change_keyring(self._keyring, {address: key})
        except OSError as error:
            raise Refused(f"--folder: {self._keyring} cannot be written: {error.strerror}") from None
        with suppress(OSError):  # without a home, commands find it from here only
            change_keyring(user_keyring(), {address: key})

    def start(self, name: str, address: str) -> Running:
        """Start one of the processes; it goes on when we end."""
        arguments, settings = self._command(name, address, self.known())
        with (self.folder / f"{name}.lock").open("a") as held:
            if not lock(held):
                raise Refused(f"{name} runs already in {self.folder}; riverboat down stops it")
            # The process inherits the lock with the descriptor, and holds it from now on.
            process = start_module(arguments, self.log(name), settings, outlives_us=True, kept_open=[held.fileno()])
        running = Running(name, process.pid, address)
        self._save({**self.known(), name: running})
        return running

    def _command(self, name: str, address: str, known: dict[str, Running]) -> tuple[list[str], dict[str, str]]:
        """Return the arguments and the settings of a process."""
        module = SERVICES[name].module
        if name == AGENT_HOST.name:
            settings = service_settings(GAMEMANAGER.name, host_key=self.host_key(address))
            if RESOLVER.name in known:
                settings |= service_settings(RESOLVER.name, server=known[RESOLVER.name].address)
            return [module, "--server", address], settings
        own = {"address": address, "log_format": "json"}
        if name == GAMEMANAGER.name:
            own |= {"journal": str(self.journal), "host_key": self.host_key(address)}
        if name == RESOLVER.name:
            own |= {f"{other}_server": known[other].address for other in (ORACLE.name, GAMEMANAGER.name)}
        return [module], service_settings(name, **own)

    def _save(self, processes: dict[str, Running]) -> None:
        new = self.folder / f"{_STATE}.new"
        new.write_text(json.dumps([asdict(running) for running in processes.values()], indent=2))
        new.replace(self.folder / _STATE)

    def check(self, name: str) -> None:
        """Raise Refused with the last line of the log if a process has ended."""
        if not self.is_alive(name):
            line = last_log_line(self.log(name), SERVICES[name].extras)
            raise Refused(f"{name} did not start: {line} (more in {self.log(name)})")

    def stop(self, say: Callable[[str], None]) -> list[str]:
        """Stop what runs, last started first; return the names, with a remark on those that had to be killed."""
        stopped = []
        for name, running in sorted(self.alive().items(), key=lambda item: -_place(item[0])):
            say(f"stopping {name}…")
            _signal(running.pid, signal.SIGTERM)
            if self._wait_until_dead(name, _STOP_SECONDS):
                stopped.append(name)
                continue
            _signal(running.pid, signal.SIGKILL)
            self._wait_until_dead(name, _KILL_SECONDS)
            stopped.append(f"{name} (killed: it did not stop within {_STOP_SECONDS} seconds)")
        if manager := self.known().get(GAMEMANAGER.name):
            self._note_key(manager.address, None)
        for name in SERVICES:
            (self.folder / f"{name}.lock").unlink(missing_ok=True)
        (self.folder / _STATE).unlink(missing_ok=True)
        return stopped

    def _wait_until_dead(self, name: str, seconds: float) -> bool:
        give_up = time.monotonic() + seconds
        while self.is_alive(name):
            if time.monotonic() > give_up:
                return False
            time.sleep(_LOOK_SECONDS)
        return True


def _place(name: str) -> int:
    return list(SERVICES).index(name) if name in SERVICES else -1


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # it has just ended
        os.kill(pid, number)


def free_address(option: str, port: int) -> str:
    """Return an address of this machine to listen at; port 0 picks a free port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            raise Refused(f"{option}: something else listens at 127.0.0.1:{port}; 0 picks a free port") from None
        return f"127.0.0.1:{probe.getsockname()[1]}"
