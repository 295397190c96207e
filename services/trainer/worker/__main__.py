"""Take jobs from the queue until SIGTERM: python -m riverboat.services.trainer.worker."""

import os
import platform
import signal
import sys
from collections.abc import Sequence
from functools import cache, partial
from threading import Thread

import structlog
from celery import signals
from pydantic import ValidationError

from riverboat.errors import RiverboatError
from riverboat.rpc.logs import configure_logs
from riverboat.rpc.startup import EXIT_REFUSED, print_problems
from riverboat.services.trainer.generation.job_queue import QUEUE, queue_app, receive, receive_rounds
from riverboat.services.trainer.generation.ledger import RunLedger
from riverboat.services.trainer.generation.network_labels import through_network
from riverboat.services.trainer.generation.origin import code_hash
from riverboat.services.trainer.generation.worker import Worker
from riverboat.services.trainer.models import get_model, network_hash
from riverboat.services.trainer.rounds.job import RoundWorker
from riverboat.services.trainer.rounds.kind_code import code_of
from riverboat.services.trainer.rounds.kinds import find_kind
from riverboat.services.trainer.settings import WorkerSettings
from riverboat.services.trainer.store import ObjectStore
from riverboat.services.trainer.worker.probe import problem
from riverboat.services.trainer.worker.warm_up import warm_up
from riverboat.situations.labels import Care

log = structlog.get_logger()
_PREFIX = WorkerSettings.model_config.get("env_prefix", "")


def main(arguments: Sequence[str]) -> int:
    """Work until SIGTERM; with --check only report whether Redis and the store can be reached. Return the exit code."""
    try:
        settings = WorkerSettings()
        if "--check" in arguments:
            reason = problem(settings.redis, settings.store)
            print(reason or "ready to work", file=sys.stderr if reason else sys.stdout)
            return 1 if reason else 0
        store, ledger = ObjectStore(settings.store), RunLedger(settings.redis)
    except ValidationError as error:
        print_problems(error, WorkerSettings, _PREFIX)
        return EXIT_REFUSED
    except (ValueError, RiverboatError) as error:
        setting = "STORE" if isinstance(error, RiverboatError) else "REDIS"
        print(f"{_PREFIX}{setting}: {error}", file=sys.stderr)
        return EXIT_REFUSED
    configure_logs(settings.log_level, settings.log_format)
    code = code_hash()  # now: files may change while this code runs
    through, hash_of = through_network(partial(get_model, store)), cache(partial(network_hash, store))
    worker = Worker(
        store=store,
        ledger=ledger,
        leaf_values=through,
        network_hash=hash_of,
        care=Care(),
        code=code,
        machine=platform.node(),
    )
    app = queue_app(settings.redis, settings.lost_seconds)
    receive(app, worker.do)
    receive_rounds(app, RoundWorker(store, ledger, find_kind, code_of, platform.node()).do)
    if settings.until_input_ends:
        Thread(target=_stop_with_input, daemon=True).start()
    warm_up()  # forked processes inherit the kernels
    signals.worker_ready.connect(
        lambda **_: log.info("worker_ready", processes=settings.processes, code=code), weak=False
    )
    app.worker_main(
        ["worker", "--pool", "prefork", "--concurrency", str(settings.processes), "--queues", QUEUE,
         "--loglevel", settings.log_level, "--without-gossip", "--without-mingle", "--without-heartbeat"]
    )  # fmt: skip
    return 0


def _stop_with_input() -> None:
    """Stop when the parent process is gone.

    Read without Python's lock on standard input: a process forked meanwhile would wait for it forever.
    """
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
