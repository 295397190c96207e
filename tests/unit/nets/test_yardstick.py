"""Yardsticks: their contents, and the scores of networks."""

from dataclasses import replace

import numpy as np
import pytest

from riverboat.errors import InvalidInput
from riverboat.nets.yardstick import (
    Yardstick,
    YardstickAbout,
    YardstickScore,
    as_arrays,
    deviations,
    from_arrays,
    ranges_of,
    score,
    shares_of,
)
from riverboat.solving.subgame import F32

H = 6
ABOUT = YardstickAbout(
    deck="24",
    street="turn",
    seed=1,
    code="code",
    labels="exact",
    bet_sizes="1p",
    exploitability=0.001,
    total_chips=1000,
    equity=YardstickScore(0.1, 0.2),
)


def yardstick(count: int = 40, boards: int = 3) -> Yardstick:
    rng = np.random.default_rng(1)
    ranges = rng.random((count, 2, H)).astype(np.float32)
    ranges[:, :, 0] = 0  # impossible
    ranges /= ranges.sum(axis=2, keepdims=True)
    return Yardstick(
        about=ABOUT,
        boards=np.arange(4 * boards, dtype=np.uint8).reshape(boards, 4),
        board_of=(np.arange(count) % boards).astype(np.uint16),
        pots=np.arange(100, 100 + count, dtype=np.int32),
        shares=shares_of(ranges),
        values=rng.normal(size=(count, 2, H)).astype(np.float16),
        profiles=np.full((boards, H, 32), 1 / 32, np.float16),
        means=np.tile(np.linspace(0, 1, H, dtype=np.float32), (boards, 1)),
    )


def test_huber_is_half_a_square_and_then_a_line() -> None:
    ranges = np.array([[[0, 0.5, 0.5], [0, 0.5, 0.5]]], np.float32)
    estimates = np.array([[[9, 0.5, 0], [9, 0, -3]]], np.float32)  # the first holding is impossible
    huber, error = deviations(estimates, np.zeros_like(estimates), ranges)[0]
    assert huber == pytest.approx((0.5 * 0.25 + 2.5) / 4)
    assert error == pytest.approx(3.5 / 4)


def test_a_network_that_knows_everything_scores_nothing_and_others_their_error() -> None:
    stick = yardstick()
    asked: list[tuple[F32, F32, F32]] = []

    def off_by(error: float) -> YardstickScore:
        place = 0

        def values(ranges: F32, pot: F32, board: F32) -> F32:
            nonlocal place
            asked.append((ranges, pot, board))
            known = stick.values[place : place + len(ranges)].astype(np.float32)
            place += len(ranges)
            return known[:, None] + np.float32(error)

        return score(stick, values)

    assert off_by(0) == YardstickScore(0, 0)
    assert off_by(0.1).huber == pytest.approx(0.005, rel=1e-4)
    assert off_by(0.1).error == pytest.approx(0.1, rel=1e-4)
    ranges, pot, board = (np.concatenate(parts) for parts in zip(*asked[: len(asked) // 3], strict=True))
    assert (ranges.shape, pot.shape, board.shape) == ((40, 1, 2, H), (40, 1, 1), (40, H, 64))
    assert np.allclose(ranges.sum(axis=3), 1)
    assert pot[:, 0, 0] == pytest.approx(stick.pots / 1000)


def test_it_comes_back_as_it_was() -> None:
    stick = yardstick()
    again = from_arrays(as_arrays(stick))
    assert again.about == ABOUT
    assert again.hash == stick.hash
    changed = replace(stick, values=stick.values + np.float16(0.25))
    assert changed.hash != stick.hash
    assert replace(stick, about=replace(ABOUT, labels="24-river-12345678")).hash != stick.hash


def test_kept_ranges_stay_what_they_are() -> None:
    """Rounding twice would separate the ranges from their labels."""
    kept = yardstick().shares
    assert ranges_of(kept).sum(axis=-1) == pytest.approx(1)
    assert not ranges_of(kept)[..., 0].any()
    assert np.array_equal(from_arrays(as_arrays(yardstick())).shares, kept)


@pytest.mark.parametrize(
    ("name", "array", "reason"),
    [
        ("about", np.frombuffer(b"{}", np.uint8), "missing"),
        ("about", np.frombuffer(b"[]", np.uint8), "missing"),
        ("values", np.zeros((40, 2, H + 1), np.float16), "values"),
        ("values", np.full((40, 2, H), np.nan, np.float16), "finite"),
        ("board_of", np.full(40, 3, np.uint16), "3 boards"),
        ("pots", np.zeros(0, np.int32), "pots"),
    ],
)
def test_a_damaged_one_is_refused(name: str, array: np.ndarray, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        from_arrays({**as_arrays(yardstick()), name: array})


def test_one_with_something_missing_is_refused() -> None:
    arrays = as_arrays(yardstick())
    del arrays["shares"]
    with pytest.raises(InvalidInput, match="shares"):
        from_arrays(arrays)
