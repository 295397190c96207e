"""A folder of background processes: ours, others', and stale ones."""

import fcntl
import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from riverboat.clients.bots.settings import host_key
from riverboat.clients.local.connections import started_here
from riverboat.clients.local.file_locks import lock
from riverboat.clients.local.services import AGENT_HOST, GAMEMANAGER
from riverboat.clients.local.services import ORACLE as ORACLE_SERVICE
from riverboat.clients.local.stack import DEFAULT_FOLDER, Running, Stack, free_address
from riverboat.clients.remote.refusals import Refused

ORACLE, MANAGER, HOST = ORACLE_SERVICE.name, GAMEMANAGER.name, AGENT_HOST.name


def pretend(stack: Stack, name: str, pid: int) -> None:
    (stack.folder / "state.json").write_text(json.dumps([{"name": name, "pid": pid, "address": "127.0.0.1:1"}]))


def test_a_stale_number_of_another_process_is_left_alone(tmp_path: Path) -> None:
    stack = Stack(tmp_path)
    pretend(stack, ORACLE, os.getpid())
    (tmp_path / "oracle.lock").touch()
    assert stack.alive() == {}
    assert stack.stop(lambda _: None) == [], "we are still here"
    assert stack.known() == {}


def test_what_holds_the_lock_is_alive_and_is_stopped(tmp_path: Path) -> None:
    stack = Stack(tmp_path)
    with (tmp_path / "oracle.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], pass_fds=[lock.fileno()])
    pretend(stack, ORACLE, process.pid)
    assert list(stack.alive()) == [ORACLE]
    with pytest.raises(Refused, match="runs already"):
        stack.start(ORACLE, "127.0.0.1:1")
    assert stack.stop(lambda _: None) == [ORACLE]
    assert process.wait(10) == -signal.SIGTERM


@pytest.mark.parametrize("text", ["", "{", "[]", "[1]", '[{"name": "oracle"}]', "null"])
def test_broken_state_is_no_state(tmp_path: Path, text: str) -> None:
    (tmp_path / "state.json").write_text(text)
    assert Stack(tmp_path).known() == {}


def test_one_command_at_a_time(tmp_path: Path) -> None:
    first, second = Stack(tmp_path / "new"), Stack(tmp_path / "new")
    with first.exclusively(), pytest.raises(Refused, match="busy"), second.exclusively():
        pass
    with second.exclusively():
        pass


def test_ports() -> None:
    address = free_address("--port", 0)
    assert not address.endswith(":0")
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(Refused, match=f"--port: something else listens at 127.0.0.1:{port}"):
            free_address("--port", port)


def test_the_key_of_hosts_is_made_once_and_forgotten_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIVERBOAT_KEYRING", str(tmp_path / "home" / "keyring.json"))
    stack, address = Stack(tmp_path / "boat"), "127.0.0.1:50052"
    key = stack.host_key(address)
    assert key == stack.host_key(address) == host_key(address)
    assert stack.host_key("127.0.0.1:50059") != key
    for folder in ("home", "boat"):
        assert stat.S_IMODE((tmp_path / folder / "keyring.json").stat().st_mode) == 0o600
    pretend(stack, MANAGER, 1)  # at 127.0.0.1:1
    stack.host_key("127.0.0.1:1")
    assert host_key("127.0.0.1:1")
    stack.stop(lambda _: None)
    assert host_key("127.0.0.1:1") == ""
    assert host_key(address) == key


def test_manager_and_host_are_told_the_same_key_not_by_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIVERBOAT_KEYRING", str(tmp_path / "home" / "keyring.json"))
    stack, variable = Stack(tmp_path), "RIVERBOAT_GAMEMANAGER_HOST_KEY"
    commands = [stack._command(name, "127.0.0.1:1", {}) for name in (MANAGER, HOST)]
    keys = {settings[variable] for _, settings in commands}
    assert keys == {host_key("127.0.0.1:1")}
    assert not [word for words, _ in commands for word in words if word in keys]
    monkeypatch.setenv(variable, "what the owner has chosen")
    assert stack._command(MANAGER, "127.0.0.1:1", {})[1][variable] == "what the owner has chosen"


def test_a_process_that_cannot_start_says_why(tmp_path: Path) -> None:
    stack = Stack(tmp_path)
    stack.start(MANAGER, "nonsense")
    stack._wait_until_dead(MANAGER, 60)
    with pytest.raises(Refused, match="gamemanager did not start: RIVERBOAT_GAMEMANAGER_ADDRESS: must be host:port"):
        stack.check(MANAGER)
    assert stack.stop(lambda _: None) == []
    assert HOST not in stack.known()


def test_a_command_uses_what_runs_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert started_here("resolver") is None
    stack = Stack(DEFAULT_FOLDER)
    stack.folder.mkdir()
    stack._save({"resolver": Running("resolver", 1, "127.0.0.1:50053")})
    assert started_here("resolver") is None, "it has ended"
    with (stack.folder / "resolver.lock").open("a") as held:
        assert lock(held)
        assert started_here("resolver") == "127.0.0.1:50053"
        assert started_here("oracle") is None
