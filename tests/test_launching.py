"""Forks and fresh processes behave alike."""

import os
import pty
import signal
import subprocess

import pytest

from tests.launching.launch import run_module, start_module
from tests.launching.process import Forked

SAMPLE = "tests.launching.sample"
KINDS = pytest.mark.parametrize("fresh", [False, True], ids=["fork", "fresh"])


@KINDS
def test_arguments_environment_streams_and_exit_code(fresh: bool) -> None:
    env = {**os.environ, "SAMPLE": "a value"}
    ended = run_module(SAMPLE, "exit", "7", env=env, stdin="a line\n", fresh=fresh)
    assert (ended.returncode, ended.stderr) == (7, "to standard error\n")
    assert ended.stdout == "['exit', '7'] a value False a line\n"


@KINDS
def test_an_error_is_a_traceback_and_exit_code_1(fresh: bool) -> None:
    ended = run_module(SAMPLE, "raise", "told so", fresh=fresh)
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1] == "RuntimeError: told so"


@KINDS
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signals(fresh: bool, number: signal.Signals) -> None:
    process = start_module(
        SAMPLE, "wait", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, fresh=fresh
    )
    assert process.stdout
    assert process.stdout.readline()
    assert process.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.01)
    process.send_signal(number)
    assert process.wait(60) == process.poll() == -number


@KINDS
def test_a_terminal_of_its_own_passes_on_ctrl_c(fresh: bool) -> None:
    main, side = pty.openpty()
    process = start_module(SAMPLE, "wait", terminal=side, fresh=fresh)
    os.close(side)
    os.write(main, b"typed\n")
    seen = b""
    while b"to standard error" not in seen:
        seen += os.read(main, 1000)
    assert b"['wait'] None True typed" in seen
    os.write(main, b"\x03")
    assert process.wait(60) == -signal.SIGINT
    os.close(main)


def test_a_fork_knows_nothing_of_another() -> None:
    run_module(SAMPLE, "exit", "0", env={**os.environ, "SAMPLE": "first"})
    assert run_module(SAMPLE, "exit", "0").stdout == "['exit', '0'] None False \n"


def test_what_only_a_new_interpreter_notices_starts_one() -> None:
    process = start_module(SAMPLE, "exit", "0", env={**os.environ, "PYTHONIOENCODING": "ascii"}, stdin=subprocess.PIPE)
    process.communicate(b"", timeout=60)
    assert not isinstance(process, Forked)
    process = start_module(SAMPLE, "exit", "0", stdin=subprocess.PIPE)
    process.communicate(b"", timeout=60)
    assert isinstance(process, Forked)
