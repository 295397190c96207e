"""Riverboat's own services pass every check of riverboat conformance, one test each."""

import pytest

from riverboat.clients.conformance.check import Check
from riverboat.clients.conformance.contracts import checks_of
from riverboat.clients.conformance.runner import run_check
from riverboat.clients.conformance.server import Server, open_channel

CHECKS = [(name, check) for name in ("oracle", "gamemanager", "resolver", "trainer") for check in checks_of(name)]
NAMES = [f"{check.service.rpartition('.')[2]}.{check.method or 'server'}: {check.name}" for _, check in CHECKS]


@pytest.mark.parametrize(("name", "check"), CHECKS, ids=NAMES)
@pytest.mark.slow
def test_service(request: pytest.FixtureRequest, name: str, check: Check) -> None:
    process = request.getfixturevalue(f"{name}_process")
    with open_channel(process.address) as channel:
        assert run_check(Server(channel, ""), check).sentence == ""
