"""Child processes: their last log line, and how they end."""

import sys
from pathlib import Path

import pytest

from riverboat.clients.local.processes import child_process, last_log_line
from riverboat.clients.remote.refusals import Refused

SLEEP = ["riverboat.clients.local.redis_keeper", sys.executable, "-c", "import time; time.sleep(1000)"]


def test_a_child_ends_with_its_block(tmp_path: Path) -> None:
    with child_process("a sleeper", SLEEP, tmp_path / "sleeper.log", {}) as process:
        process.check()
        assert process.child.poll() is None
    assert process.child.returncode is not None


def test_a_child_that_cannot_start_says_why(tmp_path: Path) -> None:
    log = tmp_path / "nobody.log"
    log.write_text("what an earlier one said")
    with child_process("a stranger", ["riverboat.services.nobody"], log, {}) as process:
        process.child.wait(60)
        with pytest.raises(Refused, match=r"^cannot start a stranger: .*No module named riverboat\.services\.nobody$"):
            process.check()


def test_last_log_line(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("")
    assert last_log_line(log, ()) == "it logged nothing"
    log.write_text("first\nModuleNotFoundError: No module named 'torch'\n")
    assert "-e '.[trainer]'" in last_log_line(log, ("trainer",))
