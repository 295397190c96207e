"""The queue of jobs: Celery on Redis, set so that a job is never lost, and may be done twice.

Jobs are acknowledged when they are done, taken one at a time, and given back when a worker is lost. What they make has
a name of its own, so doing one again changes nothing.
"""

import time
from collections.abc import Callable
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
QUEUE = "riverboat-jobs-by-number"  # workers of version 0.1, which know jobs by name, take from another
_STRANGER_SECONDS = 5.0  # a worker with other code holds a job before it goes back
# 0 is first. The river comes before the turn, whose labels may need its network, and so on.
_PRIORITIES = {"river": 0, "turn": 3, "flop": 6, "preflop": 9}
_STEPS = list(range(10))
# Where jobs wait that nobody has taken: a list for each priority, as kombu names them.
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


def receive(
    app: Celery, do: Callable[[str, int, Job], None], sleep: Callable[[float], None] = time.sleep
) -> Callable[[str, int, dict[str, Any]], None]:
    """Have jobs done; one that this worker's code is not right for goes back into the queue after a while."""

    def solve(run_id: str, number: int, job: dict[str, Any]) -> None:
        try:
            do(run_id, number, Job(**job))
        except OtherCode as error:
            sleep(_STRANGER_SECONDS)  # so that a worker alone does not take and return jobs without end
            raise Reject(str(error), requeue=True) from None

    app.task(name=TASK)(solve)
    return solve
