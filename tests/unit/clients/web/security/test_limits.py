from riverboat.clients.web.security.limits import Buckets, Rate


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_and_fills_again() -> None:
    clock = Clock()
    buckets = Buckets(Rate(burst=3, per_second=0.5), clock)
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]
    clock.now = 1.0
    assert not buckets.take("a")
    clock.now = 2.0
    assert buckets.take("a")
    assert not buckets.take("a")


def test_clients_have_buckets_of_their_own() -> None:
    buckets = Buckets(Rate(burst=1, per_second=0), Clock())
    assert buckets.take("a")
    assert buckets.take("b")
    assert not buckets.take("a")


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    clock = Clock()
    buckets = Buckets(Rate(burst=2, per_second=10), clock)
    buckets.take("a")
    clock.now = 100.0
    assert [buckets.take("a") for _ in range(3)] == [True, True, False]
