"""Starting and stopping a process of our own: its module, its log, and its last words if it dies."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from riverboat.clients.local.settings import child_environment
from riverboat.clients.remote.refusals import Refused
from riverboat.installation import how_to_install

_STOP_SECONDS = 5
_LONGEST_WORDS = 300  # characters of a log's last line


@dataclass(frozen=True, slots=True)
class ChildProcess:
    """A child process, what people call it ("an oracle"), where it logs, and the extras that install it."""

    title: str
    child: "subprocess.Popen[bytes]"
    log: Path
    extras: tuple[str, ...]

    def check(self) -> None:
        """Refuse, with its last words, if it has ended."""
        if self.child.poll() is not None:
            raise Refused(f"cannot start {self.title}: {last_words(self.log, self.extras)}")

    def stop(self, seconds: float = _STOP_SECONDS) -> None:
        """Terminate it; kill it if it has not ended within `seconds`."""
        self.child.terminate()
        try:
            self.child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


def last_words(log: Path, extras: Sequence[str]) -> str:
    """Return the last line of a log, with how to install `extras` where a module is missing."""
    lines = log.read_text(errors="replace").strip().splitlines()[-1:] or ["it logged nothing"]
    hint = f": {how_to_install(*extras)}" if "ModuleNotFoundError" in lines[0] else ""
    return lines[0][:_LONGEST_WORDS] + hint


def start_module(
    words: Sequence[str],
    log: Path,
    environment: Mapping[str, str],
    *,
    outlives_us: bool = False,
    kept_open: Sequence[int] = (),
) -> "subprocess.Popen[bytes]":
    """Start `python -m WORDS`, with its output appended to `log` and `kept_open` file descriptors passed on.

    Unless it outlives us, its standard input is a pipe that closes when we are gone, however that happens: our modules
    end with it when they are told to.
    """
    with log.open("ab") as sink:
        return subprocess.Popen(  # noqa: S603  # our own module
            [sys.executable, "-m", *words],
            env=child_environment(dict(environment)),
            stdin=subprocess.DEVNULL if outlives_us else subprocess.PIPE,
            stdout=sink,
            stderr=sink,
            start_new_session=True,  # Ctrl-C reaches us only, and we stop it in order
            pass_fds=kept_open,
        )


@contextmanager
def child_process(
    title: str,
    words: Sequence[str],
    log: Path,
    environment: Mapping[str, str],
    *,
    extras: tuple[str, ...] = (),
    stop_seconds: float = _STOP_SECONDS,
) -> Iterator[ChildProcess]:
    """Run one of our modules until the block ends, with a log of its own."""
    log.write_bytes(b"")  # what an earlier one said is not this one's last words
    process = ChildProcess(title, start_module(words, log, environment), log, extras)
    try:
        yield process
    finally:
        process.stop(stop_seconds)


def core_count() -> int:
    """Return how many workers this machine is good for."""
    return os.cpu_count() or 1
