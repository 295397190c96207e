"""Saved solutions: restored unchanged, refused if they are damaged or of another subgame."""

import numpy as np
import pytest

from riverboat.errors import InvalidInput
from riverboat.solving.cfr import DISCOUNTED, PREDICTIVE_PLUS, RECENT
from riverboat.solving.memory import Precision
from riverboat.solving.solution import read_header, restore, resume, save
from riverboat.spots.spot import build
from tests.unit.solving.games import kuhn, leduc, solver, spot

WHERE = spot("TsKh9sJc", 60, 200, "/ / 1p / 1p", deck="24", ranges=("AA-99,AKs", "AA-99,AQs-ATs"))


@pytest.mark.parametrize("precision", Precision)
def test_solving_goes_on_where_it_stopped(precision: Precision) -> None:
    whole, first, second = (solver(build(WHERE), RECENT, precision) for _ in range(3))
    whole.run(40)
    first.run(25)
    data = save(first, {"spot": "a turn"})
    resume(data, second)
    second.run(15)
    assert second.iteration == 40
    assert whole.memory.store.sums.tobytes() == second.memory.store.sums.tobytes()
    assert read_header(data).note == {"spot": "a turn"}


def test_averages_alone_are_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    solved, again = solver(leduc(), PREDICTIVE_PLUS), solver(leduc(), PREDICTIVE_PLUS)
    solved.run(100)
    with monkeypatch.context() as patch:
        patch.setattr("riverboat.solving.solution._ARRAYS", ("sums", "sum_scales", "locked"))
        data = save(solved, {})
    with pytest.raises(InvalidInput, match="has no predictions, regret_scales, regrets"):
        resume(data, again)


def test_what_is_damaged_is_refused() -> None:
    solved = solver(kuhn(), DISCOUNTED)
    solved.run(10)
    data = save(solved, {})
    rng = np.random.default_rng(1)
    for _ in range(50):
        wrong = bytearray(data)
        wrong[int(rng.integers(len(wrong)))] ^= int(rng.integers(1, 256))
        with pytest.raises(InvalidInput):
            restore(bytes(wrong), solved.memory)
    for end in (0, 5, 40, len(data) - 1):
        with pytest.raises(InvalidInput):
            restore(data[:end], solved.memory)


def test_another_spot_is_refused() -> None:
    solved, other = solver(kuhn(), DISCOUNTED), solver(leduc(), DISCOUNTED)
    with pytest.raises(InvalidInput, match="another spot"):
        restore(save(solved, {}), other.memory)
    short = solver(kuhn(), DISCOUNTED, Precision.SHORT)
    with pytest.raises(InvalidInput, match="do not fit"):
        restore(save(solved, {}), short.memory)
