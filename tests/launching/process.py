"""A process forked by another process, with the methods of subprocess.Popen that tests use."""

import os
import select
import signal
import subprocess
import threading
from contextlib import suppress
from typing import IO


class Forked:
    """A running fork; `report` delivers its pid, and later its exit code."""

    def __init__(
        self, report: IO[bytes], stdin: IO[bytes] | None, stdout: IO[bytes] | None, stderr: IO[bytes] | None
    ) -> None:
        self._report = report
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr
        self.returncode: int | None = None
        first = report.readline()
        assert first, "the process that forks has ended: see its error above"
        self.pid = int(first)

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the process ends; return its exit code, negative for a signal."""
        if self.returncode is None:
            if not select.select([self._report], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            self.returncode = int(self._report.readline())
            self._report.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, data: bytes | None = None, timeout: float | None = None) -> tuple[bytes, bytes]:
        """Send all input; return everything that the process writes to its pipes."""
        written = [b"", b""]

        def read(i: int, stream: IO[bytes]) -> None:
            written[i] = stream.read()
            stream.close()

        def write(stream: IO[bytes]) -> None:
            with suppress(BrokenPipeError), stream:  # the process may end without reading
                stream.write(data or b"")

        threads = [
            threading.Thread(target=read, args=(i, stream), daemon=True)
            for i, stream in enumerate((self.stdout, self.stderr))
            if stream
        ]
        threads += [threading.Thread(target=write, args=(self.stdin,), daemon=True)] if self.stdin else []
        for thread in threads:
            thread.start()
        self.wait(timeout)
        for thread in threads:
            thread.join(timeout)
        return written[0], written[1]


Process = subprocess.Popen[bytes] | Forked


def open_pipe(reads: bool) -> tuple[IO[bytes], int]:
    """Return our end of a pipe, and the process's descriptor, for reading or writing."""
    read, write = os.pipe()
    return (os.fdopen(write, "wb"), read) if reads else (os.fdopen(read, "rb"), write)
