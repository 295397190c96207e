"""Start the trainer: python -m riverboat.services.trainer."""

import asyncio
import subprocess
import sys

from riverboat.errors import RiverboatError
from riverboat.protos.trainer.v1 import trainer_pb2, trainer_pb2_grpc
from riverboat.rpc.admin import admin_check
from riverboat.rpc.observers import Figure
from riverboat.rpc.server import Service, leave, serve
from riverboat.rpc.settings import CannotStart, secret_of
from riverboat.rpc.startup import start
from riverboat.rpc.work import Workers
from riverboat.services.trainer.conductor import Conductor, Resources
from riverboat.services.trainer.generation.job_queue import QUEUE_KEYS, queue_app, send
from riverboat.services.trainer.generation.ledger import RunLedger
from riverboat.services.trainer.generation.origin import code_hash
from riverboat.services.trainer.rounds.kinds import list_kinds
from riverboat.services.trainer.servicer import TrainerServicer
from riverboat.services.trainer.settings import TrainerSettings
from riverboat.services.trainer.store import ObjectStore
from riverboat.services.trainer.trainer import Trainer

_ADMIN = ("PlanRun", "PauseRun", "ResumeRun", "CancelRun", "DropRun")


async def run(settings: TrainerSettings) -> None:
    """Build the service and serve it."""
    try:
        store, ledger = ObjectStore(settings.store), RunLedger(settings.redis)
    except (RiverboatError, ValueError) as error:
        raise CannotStart("store" if isinstance(error, RiverboatError) else "redis", str(error)) from None
    list_kinds()  # imports every kind on one thread: two calls that import them at the same time can fail
    workers = Workers(settings.workers, settings.calls)
    app = queue_app(settings.redis, settings.lost_seconds)
    conductor = Conductor(
        Resources(
            ledger=ledger,
            store=store,
            send=lambda run_id, number, job: send(app, run_id, number, job),
            learn=lambda run_id: subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "riverboat.services.trainer.learning", run_id]
            ),
            ahead=settings.ahead,
            lost_seconds=settings.lost_seconds,
            code=code_hash(),
            go_round=lambda run_id: subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "riverboat.services.trainer.rounds", run_id]
            ),
        )
    )
    trainer = Trainer(ledger, store, conductor, settings.runs)
    servicer = TrainerServicer(trainer, workers)
    name = trainer_pb2.DESCRIPTOR.services_by_name["Trainer"].full_name
    admin = admin_check(settings, secret_of(settings.admin_token, "admin_token_file", settings.admin_token_file))
    service = Service(
        names=(name,),
        checks={f"/{name}/{method}": admin for method in _ADMIN},
        register=lambda server: trainer_pb2_grpc.add_TrainerServicer_to_server(servicer, server),
        prepare=lambda: workers.prepare(conductor.go_on if settings.conducts else ledger.convert_old_runs),
        most_calls=settings.calls,
        figures=_figures(trainer, ledger),
    )
    try:
        await serve(service, settings)
    finally:
        await asyncio.to_thread(conductor.close)
        ledger.close()
        workers.close()


def _figures(trainer: Trainer, ledger: RunLedger) -> tuple[Figure, ...]:
    return (
        Figure("riverboat_jobs", "gauge", "jobs of all runs, by outcome", trainer.jobs, "state"),
        Figure("riverboat_jobs_queued", "gauge", "jobs that wait for a worker", lambda: ledger.waiting(QUEUE_KEYS)),
        Figure("riverboat_samples", "gauge", "samples of all runs", trainer.samples),
        Figure("riverboat_runs", "gauge", "runs, by stage", trainer.stages, "stage"),
    )


if __name__ == "__main__":
    leave(start("trainer", TrainerSettings, run, sys.argv[1:]))
