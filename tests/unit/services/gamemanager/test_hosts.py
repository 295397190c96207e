"""Permission for hosts to attend."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from riverboat.contracts.hosts import HostOffer
from riverboat.errors import NotYours
from riverboat.services.gamemanager.file_journal import FileJournal
from riverboat.services.gamemanager.hosts import Hosts
from riverboat.services.gamemanager.manager import Manager
from riverboat.services.gamemanager.quotas import TableQuota


@pytest.fixture
async def manager(tmp_path: Path) -> AsyncIterator[Manager]:
    made = Manager(FileJournal(tmp_path / "journal.jsonl", False), TableQuota(10), 60)
    await made.load()
    yield made
    await made.close()


async def refusal(hosts: Hosts, key: str) -> str:
    with pytest.raises(NotYours) as caught:
        await anext(hosts.attend(HostOffer(agents=("caller",), key=key)))
    assert hosts.count == 0
    return str(caught.value)


async def test_a_key_must_be_known(manager: Manager) -> None:
    for is_trusted in (True, False):
        hosts = Hosts(manager, "the key", is_trusted)
        for key in ("", "another", "the key "):
            assert (await refusal(hosts, key)).startswith("hosts need this game manager's key")


async def test_without_a_key_nobody_attends_from_a_network(manager: Manager) -> None:
    hosts = Hosts(manager, "", is_trusted=False)
    assert "RIVERBOAT_GAMEMANAGER_HOST_KEY" in await refusal(hosts, "")
