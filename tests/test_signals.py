"""Tests that interrupt processes work wherever the tests were started."""

import signal
import subprocess
import sys

from tests.processes import ROOT


def test_a_child_can_be_interrupted() -> None:
    """A child hears SIGINT and SIGQUIT."""
    program = "import signal; print([signal.getsignal(n) == signal.SIG_IGN for n in (signal.SIGINT, signal.SIGQUIT)])"
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert child.stdout == "[False, False]\n"


def test_a_child_can_be_interrupted_when_tests_run_in_the_background() -> None:
    """`sh -c 'make test &'` starts everything with both signals ignored."""
    program = f"""
import os, signal, sys
for number in {signal.SIGINT:d}, {signal.SIGQUIT:d}:
    signal.signal(number, signal.SIG_IGN)
test = "tests/test_signals.py::test_a_child_can_be_interrupted"
os.execv(sys.executable, [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test])
"""
    words = [sys.executable, "-c", program]
    background = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert background.returncode == 0, background.stdout
    assert "1 passed" in background.stdout
