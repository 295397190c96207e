"""Plans and jobs: what is refused, and how a plan is cut up."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.errors import InvalidInput
from riverboat.training.jobs import Job
from riverboat.training.plans import FEWEST_SAMPLES, Plan, Recipe
from services.trainer.pace import Pace


@given(st.integers(FEWEST_SAMPLES, 100_000), st.integers(0, 10_000))
def test_jobs_have_all_samples_once(samples: int, size: int) -> None:
    plan = Plan("24", "river", samples, job_size=size)
    jobs = list(plan.jobs())
    assert sum(job.count for job in jobs) == samples
    assert len(jobs) == plan.job_count
    assert len({job.name for job in jobs}) == len(jobs)
    assert [job.seed for job in jobs] == list(range(len(jobs)))


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
        replace(Plan("24", "river", 100), **change)  # type: ignore[arg-type]
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
    pace = Pace(lambda: now)
    assert pace.seconds_left() is None
    for done in range(5):
        pace.tell(done, 100)
        now += 2
    left = pace.seconds_left()
    assert left is not None
    assert 150 < left < 300
