"""The jobs that seem to be lost."""

from riverboat.services.trainer.generation.tally import RunSnapshot
from riverboat.services.trainer.sent_jobs import SentJobs
from riverboat.training.progress import Stage


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def look(jobs: SentJobs, moves: int, over: set[int] = frozenset(), **attempts: int) -> None:  # type: ignore[assignment]
    """Update the jobs under way with a tally: finished ones, and attempts by number (n3=1)."""
    numbers = jobs.numbers
    begun = tuple(attempts.get(f"n{number}", 0) for number in numbers)
    jobs.update(RunSnapshot(Stage.GENERATING, 0, 0, moves, 0, tuple(number in over for number in numbers), begun))


def test_what_was_begun_and_not_done_is_lost_after_a_while() -> None:
    clock = Clock()
    jobs = SentJobs(10, clock)
    for number in (1, 2):
        jobs.add(number)
    look(jobs, 1, n1=1)
    clock.now = 9
    assert jobs.lost() == []
    clock.now = 11
    look(jobs, 2, n1=1)  # another job was done: job 2 may just wait behind it
    assert jobs.lost() == [1]
    jobs.add(1)
    assert jobs.lost() == []


def test_what_nobody_begins_is_lost_when_nothing_moves() -> None:
    clock = Clock()
    jobs = SentJobs(10, clock)
    jobs.add(1)
    for clock.now in (5, 9, 12):
        look(jobs, int(clock.now))
        assert jobs.lost() == []
    clock.now = 23
    look(jobs, 12)
    assert jobs.lost() == [1]


def test_what_is_over_is_not_under_way() -> None:
    jobs = SentJobs(10, Clock())
    jobs.add(1)
    assert 1 in jobs
    look(jobs, 1, {1}, n1=1)
    assert (jobs.numbers, 1 in jobs) == ([], False)


def test_a_job_that_is_begun_again_has_its_time_again() -> None:
    clock = Clock()
    jobs = SentJobs(10, clock)
    jobs.add(1)
    look(jobs, 1, n1=1)
    clock.now = 9
    look(jobs, 2, n1=2)
    clock.now = 15
    assert jobs.lost() == []
