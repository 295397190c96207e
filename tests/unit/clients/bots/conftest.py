"""What tests of bots share."""

import pytest

from tests.processes import ServiceProcess


@pytest.fixture
def server(gamemanager_process: ServiceProcess) -> str:
    """The address of a game manager."""
    return gamemanager_process.address
