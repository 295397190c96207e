"""A Redis and a bench for tests of runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.redis_server import redis_server
from riverboat.services.trainer import conductor as conducting
from riverboat.services.trainer.generation.ledger import RunLedger
from riverboat.services.trainer.store import ObjectStore
from tests.processes import free_port
from tests.unit.services.trainer.bench import Bench


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_server(tmp_path_factory.mktemp("redis"), free_port()) as server:
        yield server.url


@pytest.fixture
def bench(redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(conducting, "_TICK_SECONDS", 0.01)
    monkeypatch.setattr(conducting, "_WAIT_SECONDS", 0.05)
    return Bench(RunLedger(redis_url), ObjectStore(str(tmp_path)))
