"""Plans and jobs: refusals, and the division of a plan into jobs."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.errors import InvalidInput
from riverboat.services.trainer.remaining_time import RemainingTime
from riverboat.streets import STREETS
from riverboat.training.jobs import Job
from riverboat.training.plans import FEWEST_SAMPLES, MOST_JOBS, MOST_SAMPLES, Recipe, TrainingPlan


@given(st.integers(FEWEST_SAMPLES, 100_000), st.integers(0, 10_000))
def test_jobs_have_all_samples_once(samples: int, size: int) -> None:
    plan = TrainingPlan(deck="24", street="river", samples=samples, job_size=size)
    jobs = list(plan.jobs())
    assert sum(job.count for job in jobs) == samples
    assert len(jobs) == plan.job_count
    assert len({job.name for job in jobs}) == len(jobs)
    assert [job.seed for job in jobs] == list(range(len(jobs)))


def test_more_jobs_than_the_limit_are_refused_with_a_size_that_fits() -> None:
    with pytest.raises(InvalidInput, match="100,000,000 jobs, and the limit is 1,000,000: give 100 or more") as caught:
        TrainingPlan(deck="24", street="river", samples=MOST_SAMPLES, job_size=1)
    assert caught.value.field == "job_size"
    assert TrainingPlan(deck="24", street="river", samples=MOST_SAMPLES, job_size=100).job_count == MOST_JOBS


@pytest.mark.parametrize(("deck", "street"), [(deck, street) for deck in ("24", "36", "52") for street in STREETS])
def test_without_a_job_size_every_plan_fits(deck: str, street: str) -> None:
    leaf = "any-network" if street in ("preflop", "flop") else "exact"
    plan = TrainingPlan(deck=deck, street=street, samples=MOST_SAMPLES, leaf=leaf)
    assert plan.job_count <= MOST_JOBS
    last = plan.job(plan.job_count - 1)  # creates one job, whatever their number
    assert (plan.job_count - 1) * plan.samples_in_a_job + last.count == MOST_SAMPLES


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"deck": "leduc"}, "deck"),
        ({"street": "showdown"}, "street"),
        ({"samples": 0}, "samples"),
        ({"samples": FEWEST_SAMPLES - 1}, "samples"),
        ({"samples": 10**9}, "samples"),
        ({"job_size": -1}, "job_size"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**32}, "seed"),
        ({"leaf": "24-turn-abc"}, "leaf"),
        ({"street": "preflop"}, "leaf"),
        ({"street": "flop"}, "leaf"),
        ({"street": "turn", "leaf": "../../etc/passwd"}, "leaf"),
        ({"street": "turn", "leaf": ""}, "leaf"),
    ],
)
def test_bad_plans_are_refused_by_field(change: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        replace(TrainingPlan(deck="24", street="river", samples=100), **change)  # type: ignore[arg-type]
    assert caught.value.field == field


@pytest.mark.parametrize(
    "change", [{"epochs": 0}, {"rate": 0.0}, {"rate": float("nan")}, {"width": 10**6}, {"depth": 0}]
)
def test_bad_recipes_are_refused_by_field(change: dict[str, float]) -> None:
    with pytest.raises(InvalidInput) as caught:
        replace(Recipe(), **change)  # type: ignore[arg-type]
    assert caught.value.field == next(iter(change))


@pytest.mark.parametrize("change", [{"count": 0}, {"count": 10**6}, {"seed": -1}])
def test_bad_jobs_are_refused_by_field(change: dict[str, int]) -> None:
    with pytest.raises(InvalidInput) as caught:
        replace(Job("24", "turn", 1, 10), **change)  # type: ignore[arg-type]
    assert caught.value.field == next(iter(change))


def test_time_left_follows_from_how_it_went() -> None:
    now = 0.0
    remaining = RemainingTime(lambda: now)
    assert remaining.seconds is None
    for done in range(5):
        remaining.update(done, 100)
        now += 2
    left = remaining.seconds
    assert left is not None
    assert 150 < left < 300
