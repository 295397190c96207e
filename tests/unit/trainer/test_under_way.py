"""Which jobs seem to be lost."""

from services.trainer.under_way import UnderWay


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_was_begun_and_not_done_is_lost_after_a_while() -> None:
    clock = Clock()
    jobs = UnderWay(10, clock)
    for name in ("a", "b"):
        jobs.sent(name)
    jobs.look(set(), {"a": 1})
    clock.now = 9
    assert jobs.lost() == []
    clock.now = 11
    jobs.look({"c"}, {"a": 1})  # something else is done: b may just wait behind it
    assert jobs.lost() == ["a"]
    jobs.sent("a")
    assert jobs.lost() == []


def test_what_nobody_begins_is_lost_when_nothing_moves() -> None:
    clock = Clock()
    jobs = UnderWay(10, clock)
    jobs.sent("a")
    for clock.now in (5, 9, 12):
        jobs.look(set(), {"x": int(clock.now)})
        assert jobs.lost() == []
    clock.now = 23
    jobs.look(set(), {"x": 12})
    assert jobs.lost() == ["a"]


def test_what_is_over_is_not_under_way() -> None:
    jobs = UnderWay(10, Clock())
    jobs.sent("a")
    assert "a" in jobs
    jobs.look({"a"}, {"a": 1})
    assert (jobs.count, "a" in jobs) == (0, False)


def test_a_job_that_is_begun_again_has_its_time_again() -> None:
    clock = Clock()
    jobs = UnderWay(10, clock)
    jobs.sent("a")
    jobs.look(set(), {"a": 1})
    clock.now = 9
    jobs.look(set(), {"a": 2})
    clock.now = 15
    assert jobs.lost() == []
