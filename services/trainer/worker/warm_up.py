"""Kernels are compiled before the first job."""

from riverboat.situations.labels import Care
from riverboat.training.plans import Job
from services.trainer.generating.jobs import do_job

_JOBS = (Job("24", "turn", 0, 2), Job("24", "river", 0, 4))


def warm_up() -> None:
    """Compile every kernel, or load it from the cache, by doing something very small."""
    for job in _JOBS:
        do_job(job, Care(iterations=2))
