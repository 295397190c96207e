"""riverboat slumbot against a local server that speaks the same interface; nothing leaves this machine."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.launching.launch import run_module, start_module
from tests.slumbot_server import slumbot_server

CONSOLE = "riverboat.clients.console.app"
PIPE = subprocess.PIPE
WAIT_SECONDS = 120


@pytest.mark.slow
def test_a_session_is_stopped_and_continued(tmp_path: Path) -> None:
    folder = tmp_path / "session"
    with slumbot_server() as server:
        words = ["slumbot", "random", "--url", server.url, "--folder", str(folder), "--pause", "0.1"]
        process = start_module(CONSOLE, *words, "-n", "1000", stdout=PIPE, stderr=PIPE)
        try:
            while server.hand_count < 4:
                assert process.poll() is None
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            said, _ = process.communicate(timeout=WAIT_SECONDS)
        finally:
            process.kill()
        assert process.returncode == 130
        assert "every hand is in" in said.decode()
        ended = run_module(CONSOLE, *words, "-n", "6", "--json")
    assert ended.returncode == 0, ended.stderr
    result = json.loads(ended.stdout)
    assert result["plain"]["hands"] == 6
    assert result["plain"]["chips"] == sum(server.won)
    assert result["complete"] is True
    assert result["different"] == 0
    listed = run_module(CONSOLE, "replay", str(folder / "hands.phhs"), "--json")
    assert listed.returncode == 0, listed.stderr


def test_errors_say_what_would_be_right(tmp_path: Path) -> None:
    folder = str(tmp_path / "session")
    ended = run_module(CONSOLE, "slumbot", "random", "--url", "slumbot.com", "--folder", folder)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "--url: 'slumbot.com' is not an address; one looks like https://slumbot.com/api" in ended.stderr
    ended = run_module(CONSOLE, "slumbot", "random", "--user", "me", "--url", "http://127.0.0.1:9", "--folder", folder)
    assert "--user: RIVERBOAT_SLUMBOT_PASSWORD is not set" in ended.stderr
    assert "no agent is called 'nobody'" in run_module(CONSOLE, "slumbot", "nobody").stderr
