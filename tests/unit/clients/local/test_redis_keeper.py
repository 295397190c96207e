"""Processes that a command started end with it."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import ROOT

PROGRAM = "import os, pathlib, sys, time; pathlib.Path(sys.argv[1]).write_text(str(os.getpid())); time.sleep(1000)"


@pytest.mark.parametrize("end", ["input", "terminate"])
def test_a_program_ends_with_its_keeper_s_input(tmp_path: Path, end: str) -> None:
    number = tmp_path / "number"
    words = [sys.executable, "-c", PROGRAM, str(number)]
    keeper = subprocess.Popen(
        [sys.executable, "-m", "riverboat.clients.local.redis_keeper", *words], cwd=ROOT, stdin=subprocess.PIPE
    )
    try:
        while not (number.exists() and number.read_text()):
            assert keeper.poll() is None
            time.sleep(0.02)
        if end == "input":
            assert keeper.stdin is not None
            keeper.stdin.close()
        else:
            keeper.terminate()
        assert keeper.wait(30) != 0
        assert not Path(f"/proc/{number.read_text()}").exists()
    finally:
        keeper.kill()
