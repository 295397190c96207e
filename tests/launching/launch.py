"""Start our commands and services as processes, in a tenth of a second instead of two.

`start_module` and `run_module` replace `python -m module words` in the root of the repository. Most processes are forks
of one that has loaded the libraries and kernels (see `server`). `fresh=True` starts a new interpreter, for tests of
starting itself, of memory, and of the list of processes.
"""

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import IO

from tests.launching.process import Forked, Process, open_pipe

ROOT = Path(__file__).resolve().parent.parent.parent
_WARM = ("tests.launching.", "riverboat.")
_COLD = "riverboat.services.trainer"  # loads torch, which must not be forked
# A running interpreter would not notice these variables.
_FOR_A_NEW_INTERPRETER = ("PYTHON", "NUMBA", "LD_", "OMP_", "OPENBLAS_")
_LOCK = threading.Lock()

Stream = IO[bytes] | IO[str] | int | None


def start_module(
    module: str,
    *words: str,
    env: Mapping[str, str] | None = None,
    stdin: Stream = None,
    stdout: Stream = None,
    stderr: Stream = None,
    terminal: int = -1,
    root: Path = ROOT,
    fresh: bool = False,
) -> Process:
    """Start `python -m module words`; streams as for subprocess.Popen, or one terminal for all three."""
    environment = {**(os.environ if env is None else env), "PYTHONPATH": str(root)}
    if fresh or not module.startswith(_WARM) or module.startswith(_COLD) or _needs_new_interpreter(environment):
        command = [sys.executable, "-m", module, *words]
        if terminal >= 0:  # not by preexec_fn, which gRPC's threads may break
            login = "import os, sys; os.login_tty(int(sys.argv[1])); os.execv(sys.argv[2], sys.argv[2:])"
            command = [sys.executable, "-c", login, str(terminal), *command]
        pass_fds = [terminal] if terminal >= 0 else []
        return subprocess.Popen(
            command, cwd=root, env=environment, stdin=stdin, stdout=stdout, stderr=stderr, pass_fds=pass_fds
        )
    return _fork(module, words, environment, (stdin, stdout, stderr), terminal)


def run_module(
    module: str,
    *words: str,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
    timeout: float = 300,
    fresh: bool = False,
) -> "subprocess.CompletedProcess[str]":
    """Run `python -m module words` to its end; return its exit code and output."""
    pipe = subprocess.PIPE
    process = start_module(module, *words, env=env, stdin=pipe, stdout=pipe, stderr=pipe, fresh=fresh)
    try:
        out, err = process.communicate(stdin.encode(), timeout=timeout)
    except BaseException:
        process.kill()
        raise
    return subprocess.CompletedProcess([module, *words], process.wait(), out.decode(), err.decode())


def _needs_new_interpreter(environment: Mapping[str, str]) -> bool:
    def settings(names: Mapping[str, str]) -> dict[str, str]:
        return {key: value for key, value in names.items() if key.startswith(_FOR_A_NEW_INTERPRETER)}

    return settings(environment) != settings({**os.environ, "PYTHONPATH": str(ROOT)})


@cache
def _server() -> socket.socket:
    """Return the connection to the process that forks."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, "-m", "tests.launching.server", str(theirs.fileno())]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
        )
    atexit.register(_end, ours, process)
    return ours


def _end(channel: socket.socket, process: "subprocess.Popen[bytes]") -> None:
    channel.close()
    process.wait()


def _fork(
    module: str, words: Sequence[str], environment: Mapping[str, str], streams: Sequence[Stream], terminal: int
) -> Forked:
    with ExitStack() as closing:
        report, report_end = open_pipe(reads=False)
        closing.callback(os.close, report_end)
        files, pipes = list[int](), list[IO[bytes] | None]()
        for number, stream in enumerate(streams):
            file, pipe = _opened(stream, number, closing)
            files.append(files[1] if stream == subprocess.STDOUT else file)
            pipes.append(pipe)
        request = {
            "module": module,
            "words": list(words),
            "folder": str(ROOT),
            "environment": dict(environment),
            "has_terminal": terminal >= 0,
        }
        passed = [report_end, *files, *([terminal] if terminal >= 0 else [])]
        with _LOCK:
            socket.send_fds(_server(), [json.dumps(request).encode()], passed)
    return Forked(report, *pipes)


def _opened(stream: Stream, number: int, closing: ExitStack) -> tuple[int, IO[bytes] | None]:
    """Return a process's nth descriptor, and our end if it is a pipe."""
    if stream is None or stream == subprocess.STDOUT:
        return number, None
    if stream == subprocess.PIPE:
        pipe, end = open_pipe(reads=number == 0)
        closing.callback(os.close, end)
        return end, pipe
    if stream == subprocess.DEVNULL:
        return closing.enter_context(Path(os.devnull).open("r+b")).fileno(), None
    return stream if isinstance(stream, int) else stream.fileno(), None
