"""The work on a job: every worker makes the same samples from it."""

from functools import lru_cache

import numpy as np

from riverboat.services.trainer.generation.samples import Samples
from riverboat.situations.flops import FlopAverage
from riverboat.situations.labels import Care, Label, LeafMaker, label
from riverboat.situations.sampler import sample
from riverboat.situations.situation import Situation, find_deck
from riverboat.streets import STREET_NUMBERS
from riverboat.training.jobs import Job


def situations_of(job: Job) -> list[Situation]:
    """Return the situations of a job."""
    rng = np.random.default_rng([job.seed, STREET_NUMBERS[job.street], int(job.deck)])
    return list(sample(find_deck(job.deck), STREET_NUMBERS[job.street], job.count, rng))


def do_job(job: Job, care: Care, leaf_values: LeafMaker | None = None) -> Samples:
    """Sample and solve the situations of a job."""
    situations = situations_of(job)
    if not STREET_NUMBERS[job.street] and leaf_values is not None:
        return _collected(job, situations, _average(job.deck, leaf_values).labels(situations))
    return _collected(job, situations, [label(situation, care, leaf_values) for situation in situations])


@lru_cache(1)
def _average(deck: str, leaf_values: LeafMaker) -> FlopAverage:
    """Return the average over all flops, cached: its features take longer to compute than a job's labels."""
    return FlopAverage(find_deck(deck), leaf_values)


def _collected(job: Job, situations: list[Situation], labels: list[Label]) -> Samples:
    return Samples(
        deck=job.deck,
        street=job.street,
        boards=np.array([situation.board for situation in situations], np.uint8).reshape(len(situations), -1),
        pot_shares=np.array([situation.pot_share for situation in situations], np.float32),
        ranges=np.array([situation.weights for situation in situations], np.float32),
        values=np.array([label.values for label in labels], np.float32),
        exploitability=np.array([label.exploitability for label in labels], np.float32),
        iterations=np.array([label.iterations for label in labels], np.int32),
    )
