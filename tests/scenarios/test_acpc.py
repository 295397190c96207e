"""riverboat acpc: a dealer and two agents, each a process."""

import json
import subprocess
from pathlib import Path

import pytest

from riverboat.history.acpc import read_acpc
from riverboat.rules.variant import no_limit
from tests.launching.launch import run_module, start_module
from tests.launching.process import Process

CONSOLE = "riverboat.clients.console.app"
PIPE = subprocess.PIPE
WAIT_SECONDS = 120


def serve(*words: str) -> tuple[Process, list[str]]:
    """Start a dealer; return its process and the ports of the players."""
    dealer = start_module(CONSOLE, "acpc", "serve", "alice", "bob", *words, stdout=PIPE, stderr=PIPE)
    assert dealer.stdout is not None
    return dealer, dealer.stdout.readline().decode().split()


@pytest.mark.slow
def test_a_match_between_two_processes(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    dealer, ports = serve("-n", "30", "--seed", "4", "--log", str(log))
    first = start_module(CONSOLE, "acpc", "play", "random", "--port", ports[0], "--json", stdout=PIPE, stderr=PIPE)
    try:
        second = run_module(CONSOLE, "acpc", "play", "always-call", "--port", ports[1], "--strict")
        said, errors = dealer.communicate(timeout=WAIT_SECONDS)
        won, _ = first.communicate(timeout=WAIT_SECONDS)
    finally:
        for process in (dealer, first):
            process.kill()
    assert (second.returncode, dealer.returncode, first.returncode) == (0, 0, 0), errors.decode()
    score = said.decode().splitlines()[-1]
    result = json.loads(won)
    assert result["hands"] == 30
    assert score == f"SCORE:{result['chips']:.0f}|{-result['chips']:.0f}:alice|bob"
    assert "in 30 hands" in second.stdout
    lines = log.read_text().splitlines()
    assert lines[-1] == score
    histories = list(read_acpc(log.read_text(), no_limit(50, 100), 20_000))
    assert len(histories) == 30
    assert all(history.finishing_stacks for history in histories)


@pytest.mark.slow
def test_an_agent_that_is_killed_ends_the_match_and_the_log(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    dealer, ports = serve("-n", "1000000", "--log", str(log))
    calling = ("acpc", "play", "always-call", "--port")
    first = start_module(CONSOLE, *calling, ports[0], stdout=PIPE, stderr=PIPE)
    second = start_module(CONSOLE, *calling, ports[1], stdout=PIPE, stderr=PIPE)
    try:
        with log.open() as file:
            while "STATE:" not in file.readline():
                assert dealer.poll() is None
        second.kill()
        _, errors = dealer.communicate(timeout=WAIT_SECONDS)
        first.communicate(timeout=WAIT_SECONDS)
    finally:
        for process in (dealer, first, second):
            process.kill()
    assert (dealer.returncode, first.returncode) == (2, 0)
    assert "bob closed its connection; the match ends after" in errors.decode()
    *hands, _, reason, score = log.read_text().splitlines()
    assert reason.endswith("of 1000000 hands: bob closed its connection")
    won = [line.split(":")[4:] for line in hands if line.startswith("STATE:")]
    alice = sum(int(chips.split("|")[names.split("|").index("alice")]) for chips, names in won)
    assert score == f"SCORE:{alice}|{-alice}:alice|bob"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["serve", "alice"], "NAME: the protocol is for 2 or 3 players, not 1"),
        (["serve", "a", "a"], "NAME: names must differ, and use ASCII letters"),
        (["serve", "a", "b:c"], "NAME: 'b:c' cannot be a name in a log"),
        (["serve", "a", "b", "--stack", "100"], "--stack: must be more than the big blind of 100"),
        (["serve", "a", "b", "--log", "match.txt"], "--log: match.txt must end in .log"),
        (["serve", "a", "b", "--host", "192.0.2.1"], "--port: cannot listen at 192.0.2.1"),
        (["serve", "a", "b", "--start-seconds", "0.01"], "after 0.01 s no agent has connected for a and b"),
        (["play", "nobody", "--port", "1"], "no agent is called 'nobody'"),
        (["play", "random"], "--port is missing; see riverboat acpc play --help"),
        (["play", "random", "--port", "1", "--blinds", "5"], "--blinds: '5' must be two numbers"),
    ],
)
def test_errors_say_what_would_be_right(words: list[str], message: str) -> None:
    ended = run_module(CONSOLE, "acpc", *words)
    assert ended.returncode == 2
    assert message in ended.stderr
