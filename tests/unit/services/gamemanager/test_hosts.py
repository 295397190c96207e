"""Permission for hosts to attend."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
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
    game_manager = Manager(FileJournal(tmp_path / "journal.jsonl", False), TableQuota(10), 60)
    await game_manager.load()
    yield game_manager
    await game_manager.close()


async def refusal(hosts: Hosts, key: str) -> str:
    """Return why a host with this key is refused."""
    with pytest.raises(NotYours) as caught:
        await anext(hosts.attend(HostOffer(agents=("caller",), key=key)))
    assert hosts.count == 0
    return str(caught.value)


async def test_a_host_must_know_the_key(manager: Manager) -> None:
    for is_trusted in (True, False):
        hosts = Hosts(manager, "the key", is_trusted)
        for key in ("", "another", "the key "):
            assert (await refusal(hosts, key)).startswith("hosts need this game manager's key")


async def test_a_game_manager_on_a_network_refuses_hosts_if_it_has_no_key(manager: Manager) -> None:
    hosts = Hosts(manager, "", is_trusted=False)
    assert "RIVERBOAT_GAMEMANAGER_HOST_KEY" in await refusal(hosts, "")


@pytest.mark.parametrize(("key", "presented"), [("", "of another game manager"), ("the key", "the key"), ("", "")])
async def test_a_host_is_told_when_it_is_on_offer_and_a_key_that_is_not_needed_is_ignored(
    manager: Manager, key: str, presented: str
) -> None:
    hosts, accepted = Hosts(manager, key, is_trusted=True), asyncio.Event()
    on_offer: list[list[str]] = []

    async def accept() -> None:
        on_offer.append(hosts.agents)
        accepted.set()

    async def attend() -> None:
        async for _ in hosts.attend(HostOffer(agents=("caller",), key=presented), accept=accept):
            pass

    attending = asyncio.create_task(attend())
    waiting = asyncio.create_task(accepted.wait())
    await asyncio.wait({attending, waiting}, return_when=asyncio.FIRST_COMPLETED)
    assert on_offer == [["caller"]]
    attending.cancel()
    with suppress(asyncio.CancelledError):
        await attending
    assert hosts.count == 0
