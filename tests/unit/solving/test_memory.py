"""All memory is counted before it is allocated, including estimates below a cut."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import product

import numpy as np
import pytest

from riverboat.rules.tree import Depth
from riverboat.solving.best_response import worth
from riverboat.solving.cfr import RECENT, new_solver
from riverboat.solving.leaf_values import LeafPort, Leaves
from riverboat.solving.memory import Precision, allocate, bytes_needed, bytes_of, count_rows
from riverboat.solving.subgame import F64
from riverboat.spots.spot import BuiltSpot, build
from tests.unit.solving.games import leduc, spot

SMALL = 100_000  # bytes of small arrays that grow with lines or boards alone
RIVER = spot("QsJh2h8d3c", 100, 400, "/ / / 0.5p all-in", ranges=("66+,A8s+,KTs+,QJs,65s", "QQ-22,A2s+,KJo+,T9s"))
TURN = spot("TsKh9sJc", 60, 120, "/ / 1p all-in / 1p", deck="24")
CUT = replace(spot("TsKh9s", 60, 600, "/ 0.5p 1p; 1p", deck="24"), depth=Depth(2, 1))


def arrays_in(value: object) -> Iterator[np.ndarray]:
    """Yield all arrays in a value and in its parts."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from arrays_in(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from arrays_in(getattr(value, field.name))


def bytes_in(*values: object) -> int:
    """Return the bytes of all arrays, each counted once."""
    return sum({id(array): array.nbytes for array in arrays_in(values)}.values())


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "built", [build(RIVER), leduc(), build(TURN), build(CUT)], ids=["river", "leduc", "turn", "cut"]
)
def test_everything_is_counted(built: BuiltSpot, threads: int) -> None:
    """The count contains all arrays that a solver holds, and little else."""
    for precision, predictive in product(Precision, (False, True)):
        needed = bytes_needed(built.subgame, precision, predictive, threads)
        memory = allocate(built.subgame, precision=precision, predictive=predictive, threads=threads)
        port = LeafPort(memory)
        taken = bytes_in(memory, port.leaves, port._sums)
        assert taken < needed + SMALL
        assert needed < 1.5 * taken + SMALL  # some of it is held twice for a while


def test_regrets_are_counted_to_the_byte() -> None:
    for precision, predictive in product(Precision, (False, True)):
        store = allocate(build(RIVER).subgame, precision=precision, predictive=predictive).store
        kept = (store.regrets, store.sums, store.regret_scales, store.sum_scales, store.predictions)
        assert bytes_in(kept) == bytes_of(count_rows(build(RIVER).subgame), precision, predictive)


class InPieces:
    """A fake estimate below a cut, a few leaves at a time; it records the largest batch."""

    def __init__(self, count: int) -> None:
        self._count, self.most = count, 0

    def pieces(self, leaves: Leaves) -> list[slice]:
        """Return which leaves to ask about together."""
        total = len(leaves.line)
        return [slice(start, min(start + self._count, total)) for start in range(0, total, self._count)]

    def __call__(self, leaves: Leaves, reach: F64) -> F64:
        """Let stronger holdings win more, and more on later lines."""
        self.most = max(self.most, reach.shape[1])
        order = np.linspace(-1, 1, reach.shape[2])
        wins = reach[::-1].sum(axis=2, keepdims=True) * order * leaves.stake[:, None] * np.cos(leaves.line)[:, None]
        return np.stack([wins[0], -wins[1]])


def test_leaves_in_pieces_have_the_same_values_as_all_at_once() -> None:
    subgame = build(CUT).subgame
    whole, few = InPieces(10**6), InPieces(7)
    results = []
    for leaf in (whole, few):
        solver = new_solver(subgame, RECENT, leaf_values=leaf)
        solver.run(5)
        results.append(worth(solver).cfvs)
    assert whole.most > 100
    assert few.most == 7
    assert np.array_equal(results[0], results[1])
