"""Training: situations per second, workers, the queue, inference beside torch, and memory while samples stream."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import grpc

from benchmarks.processes import ROOT, WorkerProcess, free_port, running
from benchmarks.redis_server import redis_server
from benchmarks.timing import Row, in_turn, milliseconds, per_second, seconds
from riverboat.nets.layout import LAYOUT, About
from riverboat.nets.network import Network
from riverboat.protos.trainer.v1 import trainer_pb2 as pb
from riverboat.protos.trainer.v1.trainer_pb2_grpc import TrainerStub
from riverboat.services.trainer.generation.jobs import do_job
from riverboat.services.trainer.generation.network_labels import leaf_maker
from riverboat.services.trainer.generation.origin import Origin
from riverboat.services.trainer.generation.shards import put_shard
from riverboat.services.trainer.store import ObjectStore
from riverboat.situations.labels import Care
from riverboat.training.jobs import Job
from riverboat.training.plans import TrainingPlan

_COUNTS = {("24", "river"): 200, ("24", "turn"): 20, ("52", "river"): 40, ("52", "turn"): 4}
_FLOP_COUNT = 4
_TRAINED = ROOT / "services" / "resolver" / "trained"
_SMALL_JOB = 5
_SMALL_JOBS = 60
_SHARDS = (4, 40)


def rows() -> Iterator[Row]:
    """Yield the rows about training."""
    yield from _solving()
    yield from _workers()
    yield from _inference()
    yield _memory()


def _solving() -> Iterator[Row]:
    """Yield rows about situations per second on one core."""
    for (deck, street), count in _COUNTS.items():
        do_job(Job(deck, street, 0, 2), Care())
        took = seconds(lambda deck=deck, street=street, count=count: do_job(Job(deck, street, 1, count), Care()))  # type: ignore[misc]
        yield Row(f"situations solved, {deck} cards, {street}, one core", per_second(count, took))
    (file,) = _TRAINED.glob("24-turn-*.onnx")
    through = leaf_maker(Network(file.read_bytes()))
    do_job(Job("24", "flop", 0, 1, file.stem), Care(), through)
    took = seconds(lambda: do_job(Job("24", "flop", 1, _FLOP_COUNT, file.stem), Care(), through))
    yield Row("situations solved, 24 cards, flop through that turn", per_second(_FLOP_COUNT, took))


def _workers() -> Iterator[Row]:
    """Yield rows about two worker processes beside one, and about the cost of the queue."""
    with tempfile.TemporaryDirectory() as name, redis_server(Path(name) / "redis", free_port()) as redis:
        folder = Path(name)
        store = folder / "data"
        with running("trainer", folder, redis=redis.url, store=str(store), ahead="64") as process:
            process.wait_until_healthy()
            with grpc.insecure_channel(process.address) as channel:
                trainer = TrainerStub(channel)
                workers = [WorkerProcess(redis.url, store, folder / "worker.log")]
                try:
                    _timed(trainer, "river", 100, _SMALL_JOB, 0)  # until it is ready
                    alone = seconds(lambda: do_job(Job("24", "river", 7, _SMALL_JOB), Care()))
                    small = _timed(trainer, "river", _SMALL_JOBS * _SMALL_JOB, _SMALL_JOB, 1000) / _SMALL_JOBS
                    yield Row("the queue, per job", milliseconds(max(small - alone, 0)))
                    one = _timed(trainer, "turn", 160, 20, 2000)
                    workers.append(WorkerProcess(redis.url, store, folder / "worker.log"))
                    _timed(trainer, "river", 100, _SMALL_JOB, 3000)
                    two = _timed(trainer, "turn", 160, 20, 4000)
                    yield Row("two workers beside one", f"{one / two:.2f} times", "", f"{one / two:.2f}")
                finally:
                    for worker in workers:
                        worker.kill()


def _timed(trainer: TrainerStub, street: str, samples: int, size: int, seed: int) -> float:
    """Return the seconds until a run's samples are generated; cancel the run then."""
    plan = pb.Plan(deck="24", street=street, samples=samples, job_size=size, seed=seed)
    start = time.perf_counter()
    run_id = trainer.PlanRun(pb.PlanRunRequest(plan=plan), timeout=30).run.run_id
    for answer in trainer.WatchRun(pb.WatchRunRequest(run_id=run_id), timeout=600):
        if answer.run.samples_done >= samples:
            break
    took = time.perf_counter() - start
    trainer.CancelRun(pb.CancelRunRequest(run_id=run_id), timeout=30)
    return took


def _inference() -> Iterator[Row]:
    """Yield rows about a batch of leaves through onnxruntime, beside torch on one thread."""
    import torch

    from riverboat.services.trainer.learning.export import example, export
    from riverboat.services.trainer.learning.network import ValueNetwork

    torch.set_num_threads(1)
    for deck, boards in (("24", 21), ("52", 49)):
        network = ValueNetwork(deck, 256, 2)
        exported = Network(
            export(
                network,
                About(
                    layout=LAYOUT,
                    deck=deck,
                    street="turn",
                    data="",
                    code="",
                    samples=0,
                    train_loss=0.0,
                    held_out_loss=0.0,
                ),
            )
        )
        for lines in (1, 8):
            inputs = example(network, boards, lines, 1)
            tensors = [torch.from_numpy(array) for array in inputs]
            with torch.no_grad():
                ours, theirs = in_turn(lambda: exported.values(*inputs), lambda: network(*tensors))  # noqa: B023
            work = f"network, {deck} cards, {boards} boards x {lines} situations"
            yield Row(work, milliseconds(ours), f"torch {milliseconds(theirs)}", f"{theirs / ours:.2f}")


def _memory() -> Row:
    """Return a row about peak memory while an epoch reads ten times as many shards."""
    with tempfile.TemporaryDirectory() as folder:
        store = ObjectStore(folder)
        plan = TrainingPlan(deck="24", street="river", samples=400 * max(_SHARDS), job_size=400)
        samples = do_job(plan.job(0), Care(iterations=1))
        for job in plan.jobs():
            put_shard(store, job, samples, Origin(""), 0.0, 0.0)
        few, many = (_peak(folder, count) for count in _SHARDS)
    work, peer = f"memory of an epoch, {_SHARDS[1]} shards", f"{_SHARDS[0]} shards {few:.0f} MB"
    return Row(work, f"{many:.0f} MB", peer, f"{many / few:.2f}")


_EPOCH = """
import resource, sys, torch
from riverboat.training.plans import Recipe, TrainingPlan
from riverboat.services.trainer.generation.shards import read_shard
from riverboat.services.trainer.learning.training import Training
from riverboat.services.trainer.store import ObjectStore
store, count = ObjectStore(sys.argv[1]), int(sys.argv[2])
names = [job.name for job in TrainingPlan("24", "river", 400 * count, job_size=400).jobs()]
Training("24", Recipe(epochs=1, width=64, depth=1)).run_epoch(lambda name: read_shard(store, name), names, 400 * count)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _peak(folder: str, count: int) -> float:
    completed = subprocess.run(
        [sys.executable, "-c", _EPOCH, folder, str(count)], check=True, capture_output=True, text=True
    )
    return int(completed.stdout) / 1000


if __name__ == "__main__":
    for row in rows():
        print(row.work, "|", row.ours, "|", row.peer, "|", row.ratio, flush=True)
