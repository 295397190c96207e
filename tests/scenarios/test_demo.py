"""riverboat demo and doctor as people run them, and make up with and without Docker."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.launching.launch import start_module
from tests.processes import ROOT, ServiceProcess
from tests.scenarios.test_console import riverboat

WAIT_SECONDS = 240


@pytest.mark.slow
def test_in_a_pipe_it_goes_through_all_stops(resolver_process: ServiceProcess, tmp_path: Path) -> None:
    completed = riverboat("demo", RIVERBOAT_RESOLVER_SERVER=resolver_process.address, TMPDIR=str(tmp_path))
    assert completed.returncode == 0, completed.stderr
    assert completed.stderr == ""
    text = completed.stdout
    stops = [
        "1. A hand",
        "resolver holds",
        "2. A decision, explained",
        "resolver's range, in %",
        "3. A spot, solved",
        "What to try next",
    ]
    assert [stop for stop in stops if stop in text] == stops
    assert [text.index(stop) for stop in stops] == sorted(text.index(stop) for stop in stops)
    shares = [float(share) for share in re.findall(r"iterations +([\d.]+) % of the pot", text)]
    assert len(shares) > 3
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] <= 0.1
    assert "Press Enter" not in text
    assert list(tmp_path.iterdir()) == []


class Visitor:
    """A person at a terminal in which the demo runs."""

    def __init__(self, **more: str) -> None:
        self._main, side = pty.openpty()
        environment = {**os.environ, "COLUMNS": "100", "LINES": "30", "TERM": "xterm-256color", **more}
        self.process = start_module("riverboat.clients.console", "demo", env=environment, terminal=side)
        os.close(side)
        self.seen = ""

    def wait_for(self, text: str, count: int = 1) -> None:
        give_up = time.monotonic() + WAIT_SECONDS
        while self.seen.count(text) < count and self._read():
            assert time.monotonic() < give_up, self.seen
        assert self.seen.count(text) >= count, self.seen

    def _read(self) -> bool:
        readable, _, _ = select.select([self._main], [], [], 0.1)
        try:
            self.seen += os.read(self._main, 65536).decode(errors="replace") if readable else ""
        except OSError:
            return False
        return True

    def press(self, keys: bytes) -> None:
        os.write(self._main, keys)

    def end(self) -> int:
        while self._read() and self.process.poll() is None:
            pass
        code = self.process.wait(timeout=60)
        while select.select([self._main], [], [], 0)[0] and self._read():
            pass
        os.close(self._main)
        return code


@pytest.mark.slow
def test_on_a_terminal_it_waits_takes_any_key_and_ends_quietly(
    resolver_process: ServiceProcess, tmp_path: Path
) -> None:
    visitor = Visitor(RIVERBOAT_RESOLVER_SERVER=resolver_process.address, TMPDIR=str(tmp_path))
    visitor.press(b"\x1b[A\xff\xfe nonsense\n\n")
    visitor.wait_for("Press Enter")
    visitor.press(b"\xff\x1bOP%s{}\n")
    visitor.wait_for("Press Enter", 2)
    visitor.press(b"\x03")
    assert visitor.end() == 128 + signal.SIGINT
    assert "Traceback" not in visitor.seen
    assert "resolver's range, in %" in visitor.seen
    assert "3. A spot" not in visitor.seen
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_looks_at_this_installation() -> None:
    completed = riverboat("doctor", "--json")
    answer = json.loads(completed.stdout)
    assert completed.returncode == (0 if answer["works"] else 1)
    assert {"python", "kernels", "networks", "port 50051", "redis", "docker compose"} <= {
        one["about"] for one in answer["findings"]
    }
    assert all(one["mend"] for one in answer["findings"] if one["mark"] != "works")


def made(target: str, folder: Path, docker: str) -> str:
    """Run make in a separate folder, with fake riverboat and docker commands that print their arguments."""
    tools = folder / ".venv" / "bin"
    tools.mkdir(parents=True, exist_ok=True)
    for path, text in ((tools / "riverboat", 'echo "riverboat $@"'), (tools / "docker", docker)):
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    words = ["make", "--silent", "--file", str(ROOT / "Makefile"), "--old-file", ".venv/.installed", target]
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    (folder / ".venv" / ".installed").touch()
    completed = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stderr
    return completed.stdout


def test_make_up_and_down_say_which_way(tmp_path: Path) -> None:
    good, bad = 'echo "docker $@"', "exit 1"
    assert made("up", tmp_path, good) == "with docker compose:\ndocker compose up --detach\n"
    assert made("down", tmp_path, good) == "with docker compose:\ndocker compose down\n"
    said = made("up", tmp_path, bad).splitlines()
    assert said == ["docker compose does not work here; starting processes on this machine:", "riverboat up"]
    assert made("down", tmp_path, bad) == "nothing was running\n"
    (tmp_path / ".riverboat").mkdir()
    (tmp_path / ".riverboat" / "state.json").touch()
    assert made("down", tmp_path, bad) == "stopping processes on this machine:\nriverboat down\n"
