"""The job queue: Celery on Redis, configured for at-least-once delivery.

A worker takes one job at a time and acknowledges it when it is done; the jobs of a lost worker return to the queue. A
shard's name depends only on its job, so a job that is done twice writes the same shard.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from celery import Celery
from celery.exceptions import Reject
from kombu.exceptions import OperationalError
from kombu.transport.redis import Channel

from riverboat.errors import Unavailable
from riverboat.services.trainer.generation.worker import OtherCode
from riverboat.training.jobs import Job

TASK = "riverboat.solve"
_ROUND_TASK = "riverboat.round"
QUEUE = "riverboat-jobs-by-number"  # version 0.1 had jobs by name; its workers use another queue
_RETURN_SECONDS = 5.0  # that a worker whose code differs holds a job before it returns it
# 0 is first. The river comes before the turn, whose labels may need its network, and so on.
_PRIORITIES = {"river": 0, "turn": 3, "flop": 6, "preflop": 9}
_ROUND_PRIORITY = 0  # a round waits for its last job
_STEPS = list(range(10))
# Redis keys of the waiting jobs: one list per priority, named as kombu does.
QUEUE_KEYS = tuple(QUEUE + (f"{Channel.sep}{step}" if step else "") for step in _STEPS)


def queue_app(url: str, lost_seconds: float) -> Celery:
    """Return Celery with our settings; a job whose worker is silent for `lost_seconds` goes to another worker."""
    app = Celery("riverboat", broker=url)
    app.conf.update(
        task_default_queue=QUEUE,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        worker_prefetch_multiplier=1,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": lost_seconds,
            "unacked_restore_interval": min(10, max(1, lost_seconds / 4)),
            "priority_steps": _STEPS,
            "queue_order_strategy": "priority",
            "socket_keepalive": True,
        },
    )
    return app


def send(app: Celery, run_id: str, number: int, job: Job) -> None:
    """Put a job into the queue; Unavailable if Redis does not answer."""
    try:
        app.send_task(TASK, [run_id, number, asdict(job)], queue=QUEUE, priority=_PRIORITIES[job.street])
    except OperationalError as error:
        raise Unavailable(f"Redis does not answer: {error}") from None


def send_round_job(app: Celery, run_id: str, number: int, job: int, code: str) -> None:
    """Put a job of a run in rounds into the queue; Unavailable if Redis does not answer."""
    try:
        app.send_task(_ROUND_TASK, [run_id, number, job, code], queue=QUEUE, priority=_ROUND_PRIORITY)
    except OperationalError as error:
        raise Unavailable(f"Redis does not answer: {error}") from None


def receive(
    app: Celery, do: Callable[[str, int, Job], None], sleep: Callable[[float], None] = time.sleep
) -> Callable[[str, int, dict[str, Any]], None]:
    """Register `do` as the task for jobs, and return the task; a job that needs other code goes back to the queue."""

    def solve(run_id: str, number: int, job: dict[str, Any]) -> None:
        with _returning(sleep):
            do(run_id, number, Job(**job))

    app.task(name=TASK)(solve)
    return solve


def receive_rounds(
    app: Celery, do: Callable[[str, int, int, str], None], sleep: Callable[[float], None] = time.sleep
) -> None:
    """Register `do` as the task for jobs of runs in rounds; a job that needs other code goes back to the queue."""

    def round_job(run_id: str, number: int, job: int, code: str) -> None:
        with _returning(sleep):
            do(run_id, number, job, code)

    app.task(name=_ROUND_TASK)(round_job)


@contextmanager
def _returning(sleep: Callable[[float], None]) -> Iterator[None]:
    """Return a job to the queue if it needs other code than this worker's."""
    try:
        yield
    except OtherCode as error:
        sleep(_RETURN_SECONDS)  # a worker alone would otherwise take and return the job in a tight loop
        raise Reject(str(error), requeue=True) from None
