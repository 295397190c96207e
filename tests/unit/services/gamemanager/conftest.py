"""A journal in memory for each test that asks for one."""

import pytest

from tests.unit.services.gamemanager.fakes import Memory


@pytest.fixture
def journal() -> Memory:
    """Return an empty journal."""
    return Memory()
