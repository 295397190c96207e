"""The solver: Kuhn and Leduc beside open_spiel in the same run; real spots, and two threads beside one.

Spots have no ratio here, because `make bench` can install no other native solver: docs/benchmarks.md has a comparison.
Times of spots are processor time, except where threads are compared.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

from benchmarks.golden_spots import golden
from benchmarks.timing import Row, in_turn, per_second
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.variant import KUHN, LEDUC
from riverboat.solving.best_response import exploitability
from riverboat.solving.cfr import CFR, RECENT, Solver, new_solver
from riverboat.solving.memory import Precision, bytes_of, count_rows
from riverboat.spots.spot import BuiltSpot, build, whole_game

_TARGET = 0.005  # of the pot
_MOST_MEGABYTES = 550  # for flop_small
_ITERATIONS = {"river_uniform": 400, "river_realistic": 300, "river_srp": 600, "turn_srp": 20, "flop_small": 4}


def rows() -> Iterator[Row]:
    """Yield the rows about solving."""
    yield from _small_games()
    yield from _start_up()
    for name in _ITERATIONS:
        yield from _spot(name)


def _solver(built: BuiltSpot, precision: Precision = Precision.SINGLE, threads: int = 1) -> Solver:
    return new_solver(
        built.subgame, RECENT if len(built.subgame.items) > 6 else CFR, precision=precision, threads=threads
    )


def _small_games() -> Iterator[Row]:
    import pyspiel

    for variant, stack, name, count, bar in ((KUHN, 2, "kuhn_poker", 2000, 1.0), (LEDUC, 13, "leduc_poker", 20, 10.0)):
        ours = _solver(build(whole_game(variant, stack, parse_bet_sizes("all-in"))), Precision.DOUBLE)
        theirs = pyspiel.CFRSolver(pyspiel.load_game(name))
        times = in_turn(_iterate(ours, count), _repeat(theirs.evaluate_and_update_policy, count), rounds=5)
        ratio = times[1] / times[0]
        yield Row(
            f"{variant.name}: CFR iterations, float64", per_second(count, times[0]),
            f"open_spiel in C++ {per_second(count, times[1])}", f"{ratio:.3g}×", f"{bar:g}×", ratio >= bar,
        )  # fmt: skip


def _iterate(solver: Solver, count: int) -> Callable[[], object]:
    return lambda: solver.run(count)


def _repeat(work: Callable[[], object], count: int) -> Callable[[], object]:
    def run() -> None:
        for _ in range(count):
            work()

    return run


def _spot(name: str) -> Iterator[Row]:
    spot, _ = golden(name)
    built, pot = build(spot), float(spot.public.pot)
    solver = _solver(built)
    solver.run(1)
    ms = 1000 * _best_cpu(solver, _ITERATIONS[name])
    yield Row(f"{name}: an iteration", f"{ms:.3g} ms")
    seconds, iterations = _time_to_target(built, pot)
    yield Row(f"{name}: to 0.5 % of the pot, {iterations} iterations", f"{seconds:.3g} s")
    if name in ("turn_srp", "flop_small"):
        yield _threads(built, name)
    if name == "flop_small":
        yield from _memory(built)


def _best_cpu(solver: Solver, count: int) -> float:
    """Return the processor time of one iteration in seconds, the best of three."""
    times = []
    for _ in range(3):
        before = time.process_time()
        solver.run(count)
        times.append((time.process_time() - before) / count)
    return min(times)


def _time_to_target(built: BuiltSpot, pot: float) -> tuple[float, int]:
    """Return the processor time until the target is reached, checked at every tenth iteration."""
    solver = _solver(built)
    before, looking = time.process_time(), 0.0
    while True:
        solver.run(10)
        start_looking = time.process_time()
        done = exploitability(solver) <= _TARGET * pot
        looking += time.process_time() - start_looking
        if done:
            return time.process_time() - before - looking, solver.iteration


def _threads(built: BuiltSpot, name: str) -> Row:
    one, two = _solver(built), _solver(built, threads=2)
    one.run(1)
    two.run(1)
    count = _ITERATIONS[name]
    times = in_turn(_iterate(one, count), _iterate(two, count), rounds=3)
    two.close()
    ratio = times[0] / times[1]
    ours, peer = f"{1000 * times[1] / count:.3g} ms", f"ours on one: {1000 * times[0] / count:.3g} ms"
    return Row(f"{name}: an iteration on two threads", ours, peer, f"{ratio:.3g}×", "1.5×", ratio >= 1.5)


def _memory(built: BuiltSpot) -> Iterator[Row]:
    rows_of_regrets = count_rows(built.subgame)
    for precision in (Precision.SINGLE, Precision.SHORT):
        megabytes = bytes_of(rows_of_regrets, precision, False) / 1e6
        work, bar = f"flop_small: regrets and strategies in {precision.value}", f"≤ {_MOST_MEGABYTES} MB"
        yield Row(work, f"{megabytes:.0f} MB", "", "", bar, megabytes <= _MOST_MEGABYTES)


def _start_up() -> Iterator[Row]:
    """Yield rows about a process that solves a river: with nothing compiled, and with kernels on disk."""
    with tempfile.TemporaryDirectory() as folder:
        for state in ("nothing compiled", "kernels on disk"):
            before = time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", "from benchmarks.solving import first_river; first_river()"],
                env={**os.environ, "NUMBA_CACHE_DIR": folder},
                check=True,
            )
            seconds = time.perf_counter() - before
            yield Row(f"a process that solves a river, {state}", f"{seconds:.3g} s")


def first_river() -> None:
    """Solve a river in a new process."""
    spot, _ = golden("river_srp")
    solver = _solver(build(spot))
    solver.run(100)
