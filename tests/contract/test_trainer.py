"""The trainer's contract: plans, refusals, watching, networks."""

import secrets
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest

from clients.console.trainer_link import TrainerLink
from protos.trainer.v1 import trainer_pb2 as pb
from protos.trainer.v1.trainer_pb2_grpc import TrainerStub
from riverboat.rpc.dialling.channels import open_channel
from riverboat.training.plans import Plan
from riverboat.training.progress import RunStatus, Stage
from tests.processes import free_port, running
from tests.redis_server import RedisProcess, redis_server

WORDS = ("pause", "resume", "cancel")


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    with redis_server(tmp_path_factory.mktemp("redis"), free_port()) as server:
        yield server


@pytest.fixture(scope="module")
def trainer(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TrainerStub]:
    folder: Path = tmp_path_factory.mktemp("trainer")
    with running("trainer", folder, redis=redis.url, store=str(folder / "data")) as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            yield TrainerStub(channel)


def plan(**changes: object) -> pb.Plan:
    return pb.Plan(**{"deck": "24", "street": "river", "samples": 10, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        (plan(deck="99"), "plan.deck"),
        (plan(street="showdown"), "plan.street"),
        (plan(street="preflop"), "plan.leaf"),
        (plan(samples=0), "plan.samples"),
        (plan(samples=-5), "plan.samples"),
        (plan(job_size=-1), "plan.job_size"),
        (plan(leaf="24-turn-1"), "plan.leaf"),
        (plan(street="turn", leaf="nobody"), "plan.leaf"),
        (plan(seed=-1), "plan.seed"),
        (plan(recipe=pb.Recipe(epochs=-1)), "plan.recipe.epochs"),
        (plan(recipe=pb.Recipe(rate=7.0)), "plan.recipe.rate"),
        (plan(recipe=pb.Recipe(width=10**6)), "plan.recipe.width"),
        (pb.Plan(), "plan.deck"),
    ],
)
def test_bad_plans_are_refused_with_the_field(trainer: TrainerStub, bad: pb.Plan, field: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        trainer.PlanRun(pb.PlanRunRequest(plan=bad), timeout=20)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert (caught.value.details() or "").startswith(f"{field}: ")


def test_a_run_waits_for_workers_and_can_be_ended(trainer: TrainerStub) -> None:
    run = trainer.PlanRun(pb.PlanRunRequest(plan=plan(job_size=5)), timeout=20).run
    assert (run.stage, run.job_count, run.samples_done) == (pb.STAGE_GENERATING, 2, 0)
    assert run.plan.recipe.epochs > 0
    watch = trainer.WatchRun(pb.WatchRunRequest(run_id=run.run_id), timeout=60)
    assert next(watch).run.stage == pb.STAGE_GENERATING
    assert trainer.PauseRun(pb.PauseRunRequest(run_id=run.run_id), timeout=20).run.stage == pb.STAGE_PAUSED
    assert trainer.ResumeRun(pb.ResumeRunRequest(run_id=run.run_id), timeout=20).run.stage == pb.STAGE_GENERATING
    assert trainer.CancelRun(pb.CancelRunRequest(run_id=run.run_id), timeout=20).run.stage == pb.STAGE_CANCELLED
    assert [answer.run.stage for answer in watch][-1] == pb.STAGE_CANCELLED
    with pytest.raises(grpc.RpcError) as caught:
        trainer.PauseRun(pb.PauseRunRequest(run_id=run.run_id), timeout=20)
    assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert run.run_id in [found.run_id for found in trainer.ListRuns(pb.ListRunsRequest(), timeout=20).runs]


@pytest.mark.parametrize("name", ["", "nobody", "../shards/x", "a/b", "\x00", ".hidden", "x" * 5000])
def test_what_is_not_there_is_not_found(trainer: TrainerStub, name: str) -> None:
    for call in (
        lambda: trainer.CancelRun(pb.CancelRunRequest(run_id=name), timeout=20),
        lambda: list(trainer.WatchRun(pb.WatchRunRequest(run_id=name), timeout=20)),
        lambda: list(trainer.FetchModel(pb.FetchModelRequest(name=name), timeout=20)),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            call()
        assert caught.value.code() is grpc.StatusCode.NOT_FOUND


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
                trainer.PlanRun(pb.PlanRunRequest(plan=plan()), timeout=30)
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
            assert "Redis does not answer" in (caught.value.details() or "")
            server.start()
            run = trainer.PlanRun(pb.PlanRunRequest(plan=plan()), timeout=30).run
            assert run.stage == pb.STAGE_GENERATING


def test_admin_calls_need_the_token_and_metrics_have_the_jobs(
    redis: RedisProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In another Redis database, with nobody who would do the jobs."""
    metrics, token = f"127.0.0.1:{free_port()}", secrets.token_hex(16)
    settings: dict[str, Any] = {"redis": f"{redis.url}/3", "store": str(tmp_path), "metrics_address": metrics}
    with running("trainer", tmp_path, admin_token=token, **settings) as process:
        process.wait_until_healthy()
        with open_channel(process.address) as channel:
            link = TrainerLink(channel, process.address)
            wanted = Plan("24", "river", samples=10)
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
