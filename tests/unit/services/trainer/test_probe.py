"""The worker's health check."""

from pathlib import Path

from benchmarks.redis_server import redis_server
from riverboat.services.trainer.worker.probe import problem
from tests.processes import free_port


def test_the_worker_finds_its_queue_and_its_store(tmp_path: Path) -> None:
    with redis_server(tmp_path / "redis", free_port()) as server:
        assert problem(server.url, str(tmp_path)) == ""
    assert "Redis does not answer" in problem(server.url, str(tmp_path))
