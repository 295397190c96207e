"""Child processes that run a module of Riverboat: started with a log, stopped, and reported if they die."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from riverboat.clients.local.settings import child_environment
from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.installation import how_to_install

_STOP_SECONDS = 5
_LONGEST_LINE = 300  # characters of a log's last line


@dataclass(frozen=True, slots=True)
class ChildProcess:
    """A child process, its name in a sentence ("an oracle"), its log, and the extras that install it."""

    title: str
    child: "subprocess.Popen[bytes]"
    log: Path
    extras: tuple[str, ...]

    def check(self) -> None:
        """Raise Refused with the last line of the log if the process has ended."""
        if self.child.poll() is not None:
            raise Refused(f"cannot start {self.title}: {last_log_line(self.log, self.extras)}")

    def stop(self, seconds: float = _STOP_SECONDS) -> None:
        """Terminate the process; kill it if it has not ended within `seconds`."""
        self.child.terminate()
        try:
            self.child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


def last_log_line(log: Path, extras: Sequence[str]) -> str:
    """Return the last line of a log; if a module is missing, also how to install `extras`."""
    lines = log.read_text(errors="replace").strip().splitlines()[-1:] or ["it logged nothing"]
    hint = f": {how_to_install(*extras)}" if "ModuleNotFoundError" in lines[0] else ""
    return lines[0][:_LONGEST_LINE] + hint


def start_module(
    arguments: Sequence[str],
    log: Path,
    environment: Mapping[str, str],
    *,
    outlives_us: bool = False,
    kept_open: Sequence[int] = (),
) -> "subprocess.Popen[bytes]":
    """Start `python -m ARGUMENTS`, with its output appended to `log` and `kept_open` file descriptors passed on.

    Unless it outlives us, its standard input is a pipe that closes when we end, even if we are killed. A module that
    was told to (UNTIL_INPUT_ENDS) then stops by itself.
    """
    with log.open("ab") as sink:
        return subprocess.Popen(  # noqa: S603  # our own module
            [sys.executable, "-m", *arguments],
            env=child_environment(dict(environment)),
            stdin=subprocess.DEVNULL if outlives_us else subprocess.PIPE,
            stdout=sink,
            stderr=sink,
            start_new_session=True,  # Ctrl-C reaches only us, and we stop the child in order
            pass_fds=kept_open,
        )


@contextmanager
def child_process(
    title: str,
    arguments: Sequence[str],
    log: Path,
    environment: Mapping[str, str],
    *,
    extras: tuple[str, ...] = (),
    stop_seconds: float = _STOP_SECONDS,
) -> Iterator[ChildProcess]:
    """Run one of our modules until the block ends, with a log of its own."""
    log.write_bytes(b"")  # an earlier process's last line must not be reported as this one's
    process = ChildProcess(title, start_module(arguments, log, environment), log, extras)
    try:
        yield process
    finally:
        process.stop(stop_seconds)


def core_count() -> int:
    """Return the number of processor cores; 1 if it is unknown."""
    return os.cpu_count() or 1
