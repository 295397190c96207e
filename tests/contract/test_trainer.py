"""Riverboat's trainer beyond riverboat conformance: its error texts, odd names, and outages of Redis."""

import secrets
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest

from benchmarks.redis_server import redis_server
from riverboat.clients.conformance.trainer import INVALID
from riverboat.clients.remote.trainer import TrainerClient
from riverboat.contracts.trainer import RunStatus
from riverboat.protos.trainer.v1 import trainer_pb2 as pb
from riverboat.protos.trainer.v1.trainer_pb2_grpc import TrainerStub
from riverboat.rpc.connections.channels import open_channel
from riverboat.training.plans import TrainingPlan
from riverboat.training.progress import Stage
from tests.processes import ServiceProcess, free_port, running

PLAN = pb.Plan(deck="24", street="river", samples=100)

WORDS = ("pause", "resume", "cancel", "drop")


@pytest.fixture
def trainer(trainer_process: ServiceProcess) -> Iterator[TrainerStub]:
    with grpc.insecure_channel(trainer_process.address) as channel:
        yield TrainerStub(channel)


@pytest.mark.parametrize(("bad", "field"), [(bad, field) for _, bad, field in INVALID])
def test_our_own_messages_begin_with_the_field(trainer: TrainerStub, bad: pb.Plan, field: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        trainer.PlanRun(pb.PlanRunRequest(plan=bad), timeout=20)
    assert (caught.value.details() or "").startswith(f"{field}: ")


@pytest.mark.parametrize("name", ["", "nobody", "../shards/x", "a/b", "\x00", ".hidden", "x" * 5000])
def test_what_is_not_there_is_not_found(trainer: TrainerStub, name: str) -> None:
    for call in (
        lambda: trainer.CancelRun(pb.CancelRunRequest(run_id=name), timeout=20),
        lambda: trainer.DropRun(pb.DropRunRequest(run_id=name), timeout=20),
        lambda: list(trainer.WatchRun(pb.WatchRunRequest(run_id=name), timeout=20)),
        lambda: list(trainer.FetchModel(pb.FetchModelRequest(name=name), timeout=20)),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            call()
        assert caught.value.code() is grpc.StatusCode.NOT_FOUND


@pytest.mark.slow
def test_without_redis_it_says_so_and_comes_back(tmp_path: Path) -> None:
    with (
        redis_server(tmp_path / "redis", free_port()) as server,
        running("trainer", tmp_path, redis=server.url, store=str(tmp_path / "data")) as process,
    ):
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            trainer = TrainerStub(channel)
            server.kill()
            with pytest.raises(grpc.RpcError) as caught:
                trainer.PlanRun(pb.PlanRunRequest(plan=PLAN), timeout=30)
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
            assert "Redis does not answer" in (caught.value.details() or "")
            server.start()
            run = trainer.PlanRun(pb.PlanRunRequest(plan=PLAN), timeout=30).run
            assert run.stage == pb.STAGE_GENERATING


@pytest.mark.slow
def test_admin_calls_need_the_token_and_metrics_have_the_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without workers."""
    metrics, token = f"127.0.0.1:{free_port()}", secrets.token_hex(16)
    settings: dict[str, Any] = {"store": str(tmp_path), "metrics_address": metrics, "admin_token": token}
    with (
        redis_server(tmp_path / "redis", free_port()) as redis,
        running("trainer", tmp_path, redis=redis.url, **settings) as process,
    ):
        process.wait_until_healthy()
        with open_channel(process.address) as channel:
            link = TrainerClient(channel, process.address)
            wanted = TrainingPlan(deck="24", street="river", samples=100)
            attempts: list[Callable[[], RunStatus]] = [partial(link.change, word, "x") for word in WORDS]
            attempts.append(partial(link.plan, wanted))
            for attempt in attempts:
                with pytest.raises(grpc.RpcError, match="this is an admin call") as caught:
                    attempt()
                assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED
            assert link.runs() == []
            monkeypatch.setenv("RIVERBOAT_ADMIN_TOKEN", token)
            run_id = link.plan(wanted).run_id
            assert link.change("cancel", run_id).stage is Stage.CANCELLED
        with urllib.request.urlopen(f"http://{metrics}/metrics") as answer:
            lines = answer.read().decode().splitlines()
        assert {'riverboat_jobs{state="done"} 0.0', 'riverboat_runs{stage="cancelled"} 1.0'} <= set(lines)
        assert any(line.startswith("riverboat_jobs_queued ") for line in lines)
        assert token not in process.log.read_text()
