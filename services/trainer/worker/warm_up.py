"""The compilation of kernels before the first job."""

from riverboat.nets.leaf import compile_kernels
from riverboat.services.trainer.generation.jobs import do_job, situations_of
from riverboat.situations.labels import Care
from riverboat.training.jobs import Job

_SOLVED = (Job("24", "turn", 0, 2), Job("24", "river", 0, 4))
_SAMPLED = (
    Job("24", "flop", 0, 2, "any-network"),
    Job("24", "preflop", 0, 2, "any-network"),
)  # whose labels need a network


def warm_up() -> None:
    """Compile every kernel, or load it from the cache, by doing very small jobs."""
    for job in _SOLVED:
        do_job(job, Care(iterations=2))
    for job in _SAMPLED:
        situations_of(job)
    compile_kernels()
