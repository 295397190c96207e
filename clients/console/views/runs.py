"""Training runs for people and for programs."""

from dataclasses import asdict
from typing import Any

from riverboat.contracts.trainer import RunStatus
from riverboat.training.progress import Stage


def what_it_does(status: RunStatus) -> str:
    """Return a run in one line."""
    plan, words = status.plan, []
    if plan is None:
        return status.message or f"this version refuses its plan; riverboat runs --drop {status.run_id} forgets it"
    if status.stage is Stage.PAUSED:
        words.append(f"paused: riverboat runs --resume {status.run_id} continues it")
    if status.stage in (Stage.GENERATING, Stage.PAUSED):
        words.append(f"{status.samples_done:,} of {plan.samples:,} situations solved")
    if status.stage is Stage.GENERATING and not status.jobs_done:
        words.append("no job is done yet; riverboat worker adds workers")
    elif status.epochs:
        best = min(status.epochs, key=lambda epoch: epoch.held_out_loss)
        words.append(f"epoch {len(status.epochs)} of {plan.recipe.epochs}, validation loss {best.held_out_loss:.4f}")
    if status.model:
        words.append(status.model)
    if status.jobs_retried:
        words.append(f"{status.jobs_retried} jobs retried")
    if status.jobs_dead:
        words.append(f"{status.jobs_dead} given up")
    if status.jobs_stale:
        words.append(f"{status.jobs_stale} stale shards replaced")
    if status.seconds_left is not None and status.stage is not Stage.PAUSED:
        words.append(f"{duration(status.seconds_left)} left")
    if status.message:
        words.append(status.message)
    return ", ".join(words) or status.stage.value


def duration(seconds: float) -> str:
    """Return a time as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def run_as_dict(status: RunStatus) -> dict[str, Any]:
    """Return a run for programs."""
    job_count = status.plan.job_count if status.plan else 0
    return {**asdict(status), "stage": status.stage.value, "job_count": job_count}
