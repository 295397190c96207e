"""Training from an empty store to a strategy: real Redis, real workers, real kills."""

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import grpc
import numpy as np
import pytest

from benchmarks.processes import WorkerProcess
from benchmarks.redis_server import RedisProcess, redis_server
from riverboat.cards import parse_cards
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.resolver.v1 import resolver_pb2
from riverboat.protos.resolver.v1.resolver_pb2_grpc import ResolverStub
from riverboat.protos.trainer.v1 import trainer_pb2 as pb
from riverboat.protos.trainer.v1.trainer_pb2_grpc import TrainerStub
from riverboat.rpc.convert.state_manager import encode_state
from riverboat.services.trainer.generation.connection import connect, run_key
from riverboat.services.trainer.generation.samples import unpack
from riverboat.spots.spot import street_start
from riverboat.training.plans import TrainingPlan
from tests.conftest import LARGE
from tests.processes import ROOT, ServiceProcess, free_port, running

T = TypeVar("T")
LOST_SECONDS = "3"  # seconds after which a job goes to another worker
RECIPE = pb.Recipe(epochs=2, batch_size=16, width=16, depth=1)


class Plant:
    """Redis, a store, a trainer, and workers that come and go."""

    def __init__(self, folder: Path, redis: RedisProcess, process: ServiceProcess) -> None:
        self.folder, self.redis, self.store = folder, redis, folder / "data"
        self.trainer = TrainerStub(grpc.insecure_channel(process.address))
        self.workers: list[WorkerProcess] = []

    def hire(self) -> WorkerProcess:
        self.workers.append(WorkerProcess(self.redis.url, self.store, self.folder / "worker.log"))
        return self.workers[-1]

    def run(self, run_id: str) -> pb.Run:
        (listed,) = [
            run for run in self.trainer.ListRuns(pb.ListRunsRequest(), timeout=30).runs if run.run_id == run_id
        ]
        return listed

    def wait_for_jobs(self, run_id: str, count: int) -> None:
        for _ in range(1200):
            run = self.run(run_id)
            if run.jobs_done >= count:
                return
            time.sleep(0.1)
        raise AssertionError(f"{run} did not get so far; {(self.folder / 'worker.log').read_text()[-2000:]}")

    def kill_in_a_job(self, run_id: str, worker: WorkerProcess) -> None:
        """Kill the only worker while a job of the run is under way."""
        redis = connect(self.redis.url)
        for _ in range(1200):
            worker.freeze()
            if redis.hlen(run_key(run_id, "attempts")):
                worker.kill()
                return
            worker.thaw()
            time.sleep(0.05)
        raise AssertionError("no job was ever under way")

    def shards(self) -> dict[str, bytes]:
        return {file.stem: file.read_bytes() for file in (self.store / "shards").glob("*.safetensors")}


@pytest.fixture
def plant(tmp_path: Path) -> Iterator[Plant]:
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server(tmp_path / "redis", free_port()))
        settings = {"redis": redis.url, "store": str(tmp_path / "data"), "lost_seconds": LOST_SECONDS, "ahead": "4"}
        process = stack.enter_context(running("trainer", tmp_path, ROOT, None, False, **settings))
        process.wait_until_healthy()
        plant = Plant(tmp_path, redis, process)
        yield plant
        for worker in plant.workers:
            worker.kill()


def planned(plant: Plant, plan: pb.Plan) -> str:
    return plant.trainer.PlanRun(pb.PlanRunRequest(plan=plan), timeout=30).run.run_id


def last_word(plant: Plant, run_id: str) -> pb.Run:
    *_, last = plant.trainer.WatchRun(pb.WatchRunRequest(run_id=run_id), timeout=180)
    return last.run


@pytest.mark.slow
def test_from_nothing_to_a_strategy_with_kills_on_the_way(
    plant: Plant, oracle_process: ServiceProcess, gamemanager_process: ServiceProcess
) -> None:
    run_id = planned(plant, pb.Plan(deck="24", street="river", samples=240, job_size=20, recipe=RECIPE))
    worker = plant.hire()
    plant.wait_for_jobs(run_id, 2)
    plant.kill_in_a_job(run_id, worker)  # which another worker begins again
    plant.hire()
    plant.wait_for_jobs(run_id, 5)
    plant.redis.kill()
    with pytest.raises(grpc.RpcError, match="Redis does not answer"):
        plant.run(run_id)
    plant.redis.start()
    last = last_word(plant, run_id)
    assert (last.stage, last.message, list(last.dead_jobs)) == (pb.STAGE_DONE, "", [])
    assert last.samples_done == 240
    assert last.jobs_retried >= 1
    expected = {job.name for job in TrainingPlan(deck="24", street="river", samples=240, job_size=20).jobs()}
    shards = plant.shards()
    assert set(shards) == expected
    assert sum(unpack(data)[0].count for data in shards.values()) == 240
    assert not list((plant.store / "shards").glob("*.part"))
    folder = _fetched(plant, last.model)
    _resolve_with(plant, folder, last.model, oracle_process, gamemanager_process)


def _fetched(plant: Plant, name: str) -> Path:
    """Return the network and its card as a client gets them."""
    (model,) = plant.trainer.ListModels(pb.ListModelsRequest(), timeout=30).models
    data = b"".join(answer.chunk for answer in plant.trainer.FetchModel(pb.FetchModelRequest(name=name), timeout=30))
    assert (model.name, model.samples) == (name, 240)
    assert model.test_samples > 0
    assert model.test_mean_absolute_error > model.test_loss > 0
    assert hashlib.sha256(data).hexdigest() == model.hash == json.loads(model.card)["hash"]
    folder = plant.folder / "networks"
    folder.mkdir()
    (folder / "river.json").write_text(model.card)
    (folder / "river.onnx").write_bytes(data)
    return folder


def _resolve_with(plant: Plant, folder: Path, name: str, oracle: ServiceProcess, states: ServiceProcess) -> None:
    servers = (oracle.address, states.address)
    with running(
        "resolver",
        plant.folder,
        oracle_server=servers[0],
        gamemanager_server=servers[1],
        networks=str(folder),
        shipped="false",
    ) as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address, options=LARGE) as channel:
            resolver = ResolverStub(channel)
            assert name in _names(resolver)
            assert _turn(resolver, "network").cost.leaf == _turn(resolver, name).cost.leaf == name
            assert _turn(resolver, "equity").cost.leaf == "equity"
            good = (folder / "river.onnx").read_bytes()
            (folder / "river.onnx").write_bytes(good[:-10])
            refused = _until(lambda: list(_networks(resolver).refused))
            assert "its hash is" in refused[0].reason
            assert name in _names(resolver)  # the old network stays in use
            (folder / "river.onnx").write_bytes(good)
            assert _until(lambda: not _networks(resolver).refused)


def _networks(resolver: ResolverStub) -> resolver_pb2.ListNetworksResponse:
    return resolver.ListNetworks(resolver_pb2.ListNetworksRequest(), timeout=30)


def _names(resolver: ResolverStub) -> list[str]:
    """Return all networks by name: after so little training, equity may be better."""
    answer = _networks(resolver)
    return [network.name for network in (*answer.networks, *answer.by_name)]


def _until(ask: Callable[[], T]) -> T:
    for _ in range(100):
        if answer := ask():
            return answer
        time.sleep(0.1)
    raise AssertionError("the condition never held")


def _turn(resolver: ResolverStub, leaf: str) -> resolver_pb2.ResolveResponse:
    public = street_start(tuple(parse_cards("TsTh9sKd")), 200, 1000, deck="24", big_blind=10)
    level = 0 if leaf == "equity" else 1
    spot = resolver_pb2.Spot(
        state=encode_state(public), bet_sizes="1p", depth=rules_pb.Subtree.Depth(street=3, level=level), leaf=leaf
    )
    weights = np.ones(276, "<f4").tobytes()
    budget = resolver_pb2.Budget(iterations=10)
    request = resolver_pb2.ResolveRequest(spot=spot, own_range=weights, opponent_range=weights, budget=budget)
    return resolver.Resolve(request, timeout=60)


@pytest.mark.slow
def test_one_worker_and_the_same_seed_give_the_same_shards(plant: Plant) -> None:
    plan = pb.Plan(deck="24", street="turn", samples=100, job_size=50, seed=5, recipe=RECIPE)
    run_id = planned(plant, plan)
    plant.hire()
    plant.wait_for_jobs(run_id, 2)
    first = plant.shards()
    assert len(first) == 2
    plant.trainer.CancelRun(pb.CancelRunRequest(run_id=run_id), timeout=30)  # otherwise it would make them again
    for file in (plant.store / "shards").iterdir():
        file.unlink()
    again = planned(plant, plan)
    plant.wait_for_jobs(again, 2)
    assert plant.shards() == first
