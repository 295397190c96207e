"""Our own services fulfil their contracts: every check of riverboat conformance, one test each."""

from collections.abc import Iterator

import pytest

from riverboat.clients.conformance.check import Check
from riverboat.clients.conformance.contracts import checks_of
from riverboat.clients.conformance.runner import run_check
from riverboat.clients.conformance.server import Server, open_channel
from tests.processes import ServiceProcess


def every(name: str) -> pytest.MarkDecorator:
    checks = checks_of(name)
    names = [f"{check.service.rpartition('.')[2]}.{check.method or 'server'}: {check.name}" for check in checks]
    return pytest.mark.parametrize("check", checks, ids=names)


def asking(process: ServiceProcess) -> Iterator[Server]:
    with open_channel(process.address) as channel:
        yield Server(channel, "")


@pytest.fixture(scope="module")
def oracle_server(oracle_process: ServiceProcess) -> Iterator[Server]:
    yield from asking(oracle_process)


@pytest.fixture(scope="module")
def gamemanager_server(gamemanager_process: ServiceProcess) -> Iterator[Server]:
    yield from asking(gamemanager_process)


@pytest.fixture(scope="module")
def resolver_server(resolver_process: ServiceProcess) -> Iterator[Server]:
    yield from asking(resolver_process)


@pytest.fixture(scope="module")
def trainer_server(trainer_process: ServiceProcess) -> Iterator[Server]:
    yield from asking(trainer_process)


@every("oracle")
def test_oracle(oracle_server: Server, check: Check) -> None:
    assert run_check(oracle_server, check).sentence == ""


@every("gamemanager")
def test_gamemanager(gamemanager_server: Server, check: Check) -> None:
    assert run_check(gamemanager_server, check).sentence == ""


@every("resolver")
def test_resolver(resolver_server: Server, check: Check) -> None:
    assert run_check(resolver_server, check).sentence == ""


@every("trainer")
def test_trainer(trainer_server: Server, check: Check) -> None:
    assert run_check(trainer_server, check).sentence == ""
