"""A process that has loaded everything our commands and services import, and forks for each one that is started.

It loads and compiles only what does not depend on an environment: third-party libraries and `riverboat`. Each fork
loads our commands and services again, so that they see their own arguments, environment and terminal.
"""

import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from typing import Any

# No resolver: its onnxruntime starts a thread, which a fork would not have.
_LOADED = (
    "riverboat.clients.console.app",
    "riverboat.clients.bots.host",
    "riverboat.services.oracle.__main__",
    "riverboat.services.gamemanager.__main__",
)
_FORGOTTEN = ("riverboat.clients", "riverboat.services")
_REQUEST_BYTES = 1 << 20
_MOST_FILES = 16
_OUT_OF_THE_WAY = 200  # above all descriptors that a fork has open


@dataclass(frozen=True, slots=True)
class Request:
    """A request to run `python -m module words`. Its descriptors come with it: 0, 1, 2, and 3 for a terminal."""

    module: str
    words: list[str]
    folder: str
    environment: dict[str, str]
    has_terminal: bool


def load() -> None:
    """Import what commands and services need and load their kernels, then unload modules that read the environment."""
    for name in _LOADED:
        importlib.import_module(name)
    _load_commands_and_agents()
    _warm_up()
    for name in list(sys.modules):
        if name.startswith(_FORGOTTEN):
            del sys.modules[name]
    gc.collect()
    gc.freeze()


def _load_commands_and_agents() -> None:
    """Import what the command loads on demand."""
    from riverboat.clients.bots.agents.registry import AGENTS
    from riverboat.clients.console.catalogue import LISTED

    for command in LISTED.values():
        importlib.import_module(f"riverboat.clients.console.commands.{command.module_name}")
    assert all(AGENTS.values())


def _warm_up() -> None:
    from riverboat.parallel import serial
    from riverboat.services.gamemanager.state_manager import StateManager
    from riverboat.services.oracle.oracle import Oracle

    StateManager(1_000_000).warm_up()
    Oracle(serial, 10**10).warm_up()


class Server:
    """Forks on request, and reports each fork's exit code."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._wake, wake_write = os.pipe()
        os.set_blocking(wake_write, False)
        signal.set_wakeup_fd(wake_write)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the client that asks for processes ends them
        self._reports: dict[int, int] = {}  # by process, for those whose exit code is wanted

    def serve(self) -> tuple[Request, list[int]]:
        """Serve until the clients are gone. Return only in forks: the request and its open descriptors."""
        while True:
            readable, _, _ = select.select([self._channel.fileno(), self._wake], [], [])
            if self._wake in readable:
                os.read(self._wake, 4096)
                self._report()
            if self._channel.fileno() in readable:
                data, files, _, _ = socket.recv_fds(self._channel, _REQUEST_BYTES, _MOST_FILES)
                if not data:
                    os._exit(0)
                report, *files = files
                process = os.fork()
                if process == 0:
                    self._channel.detach()
                    return Request(**json.loads(data)), files
                self._reports[process] = report
                os.write(report, f"{process}\n".encode())
                for file in files:
                    os.close(file)

    def _report(self) -> None:
        while self._reports:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            report = self._reports.pop(process)
            with suppress(BrokenPipeError):  # the client is gone
                os.write(report, f"{os.waitstatus_to_exitcode(status)}\n".encode())
            os.close(report)


def become(request: Request, files: list[int]) -> None:
    """Make this fork look like a new process with these arguments."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for i, file in enumerate(files):
        os.dup2(file, _OUT_OF_THE_WAY + i, inheritable=False)
    os.closerange(3, _OUT_OF_THE_WAY)
    for i in range(len(files)):
        os.dup2(_OUT_OF_THE_WAY + i, i)
    os.closerange(_OUT_OF_THE_WAY, _OUT_OF_THE_WAY + _MOST_FILES)
    if request.has_terminal:
        os.login_tty(3)
    os.chdir(request.folder)
    os.environ.clear()
    os.environ.update(request.environment)
    sys.argv = ["", *request.words]
    _open_streams()


def _open_streams() -> None:
    """Open streams over the new descriptors, buffered as in a new interpreter."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old: Any = getattr(sys, name)
        raw = open(number, "rb" if number == 0 else "wb", closefd=False)  # noqa: SIM115  # a descriptor
        is_line_buffered = number == 2 or os.isatty(number)
        stream = TextIOWrapper(raw, encoding=old.encoding, errors=old.errors, line_buffering=is_line_buffered)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def main(channel: int) -> None:
    """Load, serve, and in each fork run the requested module to its end."""
    load()
    request, files = Server(socket.socket(fileno=channel)).serve()
    become(request, files)
    runpy.run_module(request.module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
