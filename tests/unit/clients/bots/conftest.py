"""Fixtures of tests of bots."""

import pytest

from tests.processes import ServiceProcess


@pytest.fixture
def server(gamemanager_process: ServiceProcess) -> str:
    """Return the address of a game manager."""
    return gamemanager_process.address
