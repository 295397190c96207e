"""Our own trainer beyond what riverboat conformance checks: its words, odd names, and Redis going away."""

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from clients.conformance.trainer import INVALID
from protos.trainer.v1 import trainer_pb2 as pb
from protos.trainer.v1.trainer_pb2_grpc import TrainerStub
from tests.processes import ServiceProcess, free_port, running
from tests.redis_server import redis_server

PLAN = pb.Plan(deck="24", street="river", samples=10)


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
                trainer.PlanRun(pb.PlanRunRequest(plan=PLAN), timeout=30)
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
            assert "Redis does not answer" in (caught.value.details() or "")
            server.start()
            run = trainer.PlanRun(pb.PlanRunRequest(plan=PLAN), timeout=30).run
            assert run.stage == pb.STAGE_GENERATING
