"""Encrypted services and their clients as processes, with valid and invalid certificates."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from riverboat.clients.console.commands import bot as bot_command
from riverboat.clients.console.commands import cards as card_commands
from riverboat.clients.console.commands import solve as solve_command
from riverboat.clients.console.commands import tables as tables_command
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.connections.channels import open_channel
from riverboat.rpc.probe import healthy
from tests.certificates import Authority, Pair
from tests.commands import run_command
from tests.contract.test_tables import config
from tests.launching.launch import run_module, start_module
from tests.processes import ServiceProcess, running

SPOT = ["--board", "TsTh9sKdAc", "--deck", "24", "--pot", "60", "--stack", "120", "--sizes", "50%,a", "--target", "5%"]
Run = Callable[..., tuple[int, str]]


@dataclass(frozen=True)
class Stack:
    """An oracle with TLS, a game manager with mutual TLS, a resolver that uses both, and the authority."""

    folder: Path
    authority: Authority
    client: Pair
    oracle: ServiceProcess
    manager: ServiceProcess
    resolver: ServiceProcess


def dialling(authority: str, pair: Pair | None = None) -> dict[str, str]:
    """Return a client's environment."""
    own = {"RIVERBOAT_TLS_CERTIFICATE": pair.certificate, "RIVERBOAT_TLS_KEY": pair.key} if pair else {}
    return {"RIVERBOAT_TLS_AUTHORITY": authority, **own}


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("tls")
    authority = Authority(folder, "authority")
    server, client = authority.sign("server"), authority.sign("client")
    tls: dict[str, Any] = {"tls_certificate": server.certificate, "tls_key": server.key}
    with pytest.MonkeyPatch.context() as patch, ExitStack() as processes:
        for name, value in dialling(authority.file, client).items():
            patch.setenv(name, value)  # for the resolver and for health checks
        journal = str(folder / "journal.jsonl")
        oracle = processes.enter_context(running("oracle", folder, **tls))
        mutual = {**tls, "tls_client_authority": authority.file}
        manager = processes.enter_context(running("gamemanager", folder, journal=journal, **mutual))
        upstream: dict[str, Any] = {"oracle_server": oracle.address, "gamemanager_server": manager.address}
        resolver = processes.enter_context(running("resolver", folder, **upstream, **tls))
        for process in (oracle, manager, resolver):
            process.wait_until_healthy()
        patch.undo()
        yield Stack(folder, authority, client, oracle, manager, resolver)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a console command with an environment; return the exit code, and the output or the refusal."""

    def command(environment: dict[str, str], *words: str) -> tuple[int, str]:
        with monkeypatch.context() as patch:
            for name in ("RIVERBOAT_TLS_AUTHORITY", "RIVERBOAT_TLS_CERTIFICATE", "RIVERBOAT_TLS_KEY"):
                patch.setenv(name, environment.get(name, ""))
            return run_command([card_commands, solve_command, tables_command, bot_command], *words)

    return command


def test_commands_speak_tls(stack: Stack, run: Run) -> None:
    known = dialling(stack.authority.file)
    code, text = run(known, "classify", "KhKdKs4c4d2c7h", "--server", stack.oracle.address)
    assert (code, "full house, kings over fours" in text) == (0, True), text
    code, text = run(known, "solve", *SPOT, "--server", stack.resolver.address)
    assert (code, "% of the pot" in text) == (0, True), text
    code, text = run(dialling(stack.authority.file, stack.client), "tables", "--server", stack.manager.address)
    assert code == 0, text


def test_a_plain_client_is_refused_in_a_line(stack: Stack, run: Run) -> None:
    for words in (["classify", "KhKdKs4c4d2c7h", "--server", stack.oracle.address],
                  ["solve", *SPOT, "--server", stack.resolver.address],
                  ["tables", "--server", stack.manager.address]):  # fmt: skip
        code, text = run({}, *words)
        assert code == 2
        assert "it may require TLS; set RIVERBOAT_TLS_AUTHORITY to" in text.splitlines()[-1]


def test_certificates_that_do_not_fit_are_named(stack: Stack, run: Run, tmp_path: Path) -> None:
    other = Authority(tmp_path, "other")
    code, text = run(dialling(other.file), "deal", "--server", stack.oracle.address)
    words = f"the certificate of {stack.oracle.address} is not signed by the authority in {other.file}"
    assert (code, text) == (2, words + " (RIVERBOAT_TLS_AUTHORITY)")
    for pair in (None, other.sign("stranger")):
        code, text = run(dialling(stack.authority.file, pair), "tables", "--server", stack.manager.address)
        assert (code, "it may require a client certificate" in text) == (2, True), text


def test_a_server_without_tls(oracle_process: ServiceProcess, stack: Stack, run: Run) -> None:
    code, text = run(dialling(stack.authority.file), "deal", "--server", oracle_process.address)
    assert (code, f"{oracle_process.address} does not speak TLS" in text) == (2, True), text


def test_own_servers_of_a_command_stay_plain(stack: Stack, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIVERBOAT_ORACLE_TLS_CERTIFICATE", "/nowhere")
    monkeypatch.setenv("RIVERBOAT_ORACLE_SERVER", "")
    code, text = run(dialling(stack.authority.file), "classify", "KhKdKs4c4d2c7h")
    assert (code, "full house" in text) == (0, True), text


def test_bots_speak_tls(stack: Stack, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two bots play a table to its end, with certificates on both sides."""
    known = dialling(stack.authority.file, stack.client)
    for name, value in known.items():
        monkeypatch.setenv(name, value)
    with open_channel(stack.manager.address) as channel:
        made = TablesStub(channel).CreateTable(pb.CreateTableRequest(config=config(pause_ms=0, hand_limit=5)))
    table = ["--server", stack.manager.address, "--table", made.table.table_id]
    words = ("bot", "clients/examples/ten_lines.py", *table, "--name")
    bots = [start_module("riverboat.clients.console", *words, name, stderr=subprocess.PIPE) for name in ("Ann", "Ben")]
    for bot in bots:
        _, said = bot.communicate(timeout=120)
        assert bot.returncode == 0, said
        assert b"bot_done" in said
    code, text = run(dialling(stack.authority.file), "bot", "clients/examples/ten_lines.py", *table)
    assert (code, "it may require a client certificate" in text) == (2, True), text


def test_the_probe_speaks_tls(stack: Stack) -> None:
    environment = {**os.environ, **dialling(stack.authority.file, stack.client)}
    assert run_module("riverboat.rpc.probe", stack.manager.address, env=environment).returncode == 0
    assert not healthy(stack.manager.address), "without a certificate"


def test_half_of_a_certificate_is_refused_before_listening(stack: Stack, tmp_path: Path) -> None:
    with running("oracle", tmp_path, tls_certificate=stack.client.certificate) as process:
        assert process.process.wait(timeout=60) == 2
        (line,) = process.log_lines()
    assert line.startswith("RIVERBOAT_ORACLE_TLS_KEY: is not set")


def test_a_resolver_whose_oracle_it_cannot_trust_says_so(stack: Stack, run: Run, tmp_path: Path) -> None:
    other = Authority(tmp_path, "other")
    upstream: dict[str, Any] = {"oracle_server": stack.oracle.address, "gamemanager_server": stack.manager.address}
    with running("resolver", tmp_path, more=dialling(other.file), **upstream) as process:
        process.wait_until_healthy()
        code, text = run({}, "solve", *SPOT, "--server", process.address)
    assert code == 2
    assert "does not answer (UNAVAILABLE): the certificate of the" in text
    assert other.file in text
