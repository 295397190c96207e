"""Services as local background processes, with their ports, logs and state in one folder.

A process is known to be ours by a lock: each one holds a lock on a file in the folder for as long as it lives,
which no stale number in a file and no other process with that number can pretend.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from riverboat.clients.console.settings import child_environment
from riverboat.clients.local.file_locks import lock
from riverboat.clients.local.processes import last_words, service_settings
from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.connections.keyring import change_keyring, read_keyring
from riverboat.rpc.connections.settings import KEYRING_FILE, secret_in, user_keyring
from riverboat.rpc.secret_files import new_secret

ORACLE, MANAGER, RESOLVER, HOST = "oracle", "gamemanager", "resolver", "agents"
ORDER = (ORACLE, MANAGER, RESOLVER, HOST)
_STATE = "state.json"
_STOP_SECONDS = 20
_KILL_SECONDS = 5
_LOOK_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Running:
    """A process that was started: its number, and where it listens (an agent host: whom it plays for)."""

    name: str
    pid: int
    address: str


class Stack:
    """The processes of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()

    def log(self, name: str) -> Path:
        """Where a process writes to."""
        return self.folder / f"{name}.log"

    @property
    def journal(self) -> Path:
        """Where tables are kept, also when nothing runs."""
        return self.folder / "journal.jsonl"

    @contextmanager
    def exclusively(self) -> Iterator[None]:
        """Only one command at a time starts or stops things."""
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
        """What was started last, whether or not it still runs."""
        try:
            found = json.loads((self.folder / _STATE).read_text())
            return {entry["name"]: Running(entry["name"], entry["pid"], entry["address"]) for entry in found}
        except (OSError, ValueError, KeyError, TypeError):  # none, or half written by a machine that lost power
            return {}

    def is_alive(self, name: str) -> bool:
        """Whether a process of this folder still runs."""
        try:
            with (self.folder / f"{name}.lock").open("a") as file:
                return not lock(file)
        except OSError:
            return False

    def alive(self) -> dict[str, Running]:
        """What runs now."""
        return {name: running for name, running in self.known().items() if self.is_alive(name)}

    def host_key(self, address: str) -> str:
        """The key that the game manager at an address wants from agent hosts. It is written down where commands of the
        same user find it: whoever else can reach the port is not to play for others."""
        key = secret_in("RIVERBOAT_GAMEMANAGER_HOST_KEY") or read_keyring(self._keyring).get(address) or new_secret()
        self._note_key(address, key)
        return key

    @property
    def _keyring(self) -> Path:
        return self.folder / KEYRING_FILE

    def _note_key(self, address: str, key: str | None) -> None:
        """Write a key down, here and in the user's own keyring, or forget it."""
        try:
            change_keyring(self._keyring, {address: key})
        except OSError as error:
            raise Refused(f"--folder: {self._keyring} cannot be written: {error.strerror}") from None
        with suppress(OSError):  # without a home, commands find it from here only
            change_keyring(user_keyring(), {address: key})

    def start(self, name: str, address: str) -> Running:
        """Start one of the processes; it goes on when we end."""
        words, settings = self._command(name, address, self.known())
        with self.log(name).open("ab") as sink, (self.folder / f"{name}.lock").open("a") as held:
            if not lock(held):
                raise Refused(f"{name} runs already in {self.folder}; riverboat down stops it")
            process = subprocess.Popen(  # noqa: S603  # our own modules
                [sys.executable, "-m", *words],
                env=child_environment(settings),
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                start_new_session=True,
                pass_fds=[held.fileno()],  # the lock is its own now
            )
        running = Running(name, process.pid, address)
        self._save({**self.known(), name: running})
        return running

    def _command(self, name: str, address: str, known: dict[str, Running]) -> tuple[list[str], dict[str, str]]:
        if name == HOST:
            settings = {"RIVERBOAT_RESOLVER_SERVER": known[RESOLVER].address} if RESOLVER in known else {}
            settings |= service_settings(MANAGER, host_key=self.host_key(address))
            return ["riverboat.clients.bots.host", "--server", address], settings
        more = {"journal": str(self.journal), "host_key": self.host_key(address)} if name == MANAGER else {}
        if name == RESOLVER:
            more = {f"{other}_server": known[other].address for other in (ORACLE, MANAGER)}
        return [f"riverboat.services.{name}"], service_settings(name, address=address, log_format="json", **more)

    def _save(self, processes: dict[str, Running]) -> None:
        new = self.folder / f"{_STATE}.new"
        new.write_text(json.dumps([asdict(running) for running in processes.values()], indent=2))
        new.replace(self.folder / _STATE)

    def check(self, name: str) -> None:
        """Refuse, with its last words, if a process has ended."""
        if not self.is_alive(name):
            raise Refused(f"{name} did not start: {last_words(self.log(name))} (more in {self.log(name)})")

    def stop(self, say: Callable[[str], None]) -> list[str]:
        """Stop what runs, last started first; what was stopped, with a word for those that had to be killed."""
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
        if manager := self.known().get(MANAGER):
            self._note_key(manager.address, None)
        for name in ORDER:
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
    return ORDER.index(name) if name in ORDER else -1


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # it has just ended
        os.kill(pid, number)


def free_address(option: str, port: int) -> str:
    """An address on this machine to listen at; any that is free for port 0."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            raise Refused(f"{option}: something else listens at 127.0.0.1:{port}; 0 takes any free port") from None
        return f"127.0.0.1:{probe.getsockname()[1]}"
