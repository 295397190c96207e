"""Spots to study: solve, read nodes, save, load."""

import base64
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from riverboat.contracts.resolver import (
    EQUITY,
    ContinueQuestion,
    Loaded,
    LockQuestion,
    NodeAnswer,
    NumberedNode,
    Solved,
    SolveQuestion,
    Step,
    is_network_name,
)
from riverboat.errors import InvalidInput, in_field
from riverboat.rpc.convert.resolver import decode_saved_question, encode_saved_question
from riverboat.services.resolver.networks import Networks
from riverboat.services.resolver.nodes import node_answer
from riverboat.services.resolver.places import nearest_places, place_at
from riverboat.services.resolver.solutions import KeptSolution, Solutions
from riverboat.services.resolver.solvers import Hurry, Solvers, Started, TimeLeft
from riverboat.services.resolver.spots import PreparedSpot, prepare_spot
from riverboat.services.resolver.upstream import Upstream
from riverboat.solving.best_response import exploitability, worth
from riverboat.solving.loop import Limits, solve
from riverboat.solving.memory import Precision
from riverboat.solving.nodes import lock
from riverboat.solving.solution import read_header, resume, save

_CHUNK = 1_000_000  # bytes
_NAMES = ("ranges[0]", "ranges[1]")


class Study:
    """Solves spots and answers questions about their solutions."""

    def __init__(self, upstream: Upstream, networks: Networks, solvers: Solvers, solutions: Solutions) -> None:
        self._upstream, self._networks, self._solvers, self._solutions = upstream, networks, solvers, solutions

    # Solving

    def solve(self, question: SolveQuestion | ContinueQuestion, time_left: TimeLeft) -> Generator[Solved, None, None]:
        """Yield progress, and at the end a handle, also when the caller's time is up."""
        if isinstance(question, ContinueQuestion):
            yield from self._go_on(question, time_left)
            return
        started = self._start(question)
        solution = KeptSolution(
            question=question, spot=started.spot, solver=started.solver, byte_count=started.byte_count
        )
        with self._kept_or_freed(started):
            for i, wanted in enumerate(question.locks):
                with in_field(f"locks[{i}]"):
                    self._lock(started, wanted)
            is_partial = yield from self._iterate(solution, started, question.limits, time_left)
            handle = self._solutions.keep(solution)
        yield self._last(solution, started, handle, is_partial)

    def _start(self, question: SolveQuestion) -> Started:
        begin = self._solvers.clock()
        if len(question.ranges) % 2:
            raise InvalidInput("ranges", "must be two, of the same length")
        ranges = question.ranges.reshape(2, -1)
        locks = [wanted.strategy for wanted in question.locks if wanted.strategy.size % ranges.shape[1] == 0]
        rows = [row for strategy in locks for row in strategy.reshape(-1, ranges.shape[1])]
        spot = prepare_spot(self._upstream, self._networks, question.spot, ranges, _NAMES, rows)
        precision = Precision.SHORT if question.short_storage else Precision.SINGLE
        return self._solvers.start(spot, question.algorithm, precision, begin)

    @contextmanager
    def _kept_or_freed(self, started: Started) -> Iterator[None]:
        """Free a solver's memory if the block, which keeps its solution, fails."""
        try:
            yield
        except BaseException:  # also when the caller disconnects
            started.solver.close()
            self._solutions.free(started.byte_count)
            raise

    def _go_on(self, question: ContinueQuestion, time_left: TimeLeft) -> Generator[Solved, None, None]:
        with self._solutions.in_use(question.handle) as solution:
            now = self._solvers.clock()
            started = Started(solution.spot, solution.solver, solution.byte_count, now, now)
            is_partial = yield from self._iterate(solution, started, question.limits, time_left)
            yield self._last(solution, started, question.handle, is_partial)

    def _iterate(
        self, solution: KeptSolution, started: Started, limits: Limits, time_left: TimeLeft
    ) -> Generator[Solved, None, bool]:
        """Solve step by step, so that questions about nodes get a turn; return whether time ran out."""
        steps = solve(started.solver, limits, self._solvers.clock)
        hurry = Hurry(started.solver, time_left, self._solvers.clock)
        while True:
            with solution.lock:
                progress = next(steps)
                solution.forget_values()
                if progress.is_last or hurry.is_over():
                    known = progress.exploitability
                    solution.exploitability = exploitability(started.solver) if known is None else known
                    return not progress.is_last
            left = progress.exploitability if progress.exploitability is not None else float("nan")
            yield Solved(cost=started.cost(left, self._solvers.clock(), is_partial=False))

    def _last(self, solution: KeptSolution, started: Started, handle: str, is_partial: bool) -> Solved:
        cost = started.cost(solution.exploitability, self._solvers.clock(), is_partial)
        with solution.lock:
            means = worth(solution.solver).means + solution.question.spot.state.pot / 2
        expires = self._solutions.expire_seconds
        return Solved(cost=cost, handle=handle, evs=tuple(means.tolist()), expires_seconds=expires)

    def _lock(self, started: Started, wanted: LockQuestion) -> None:
        spot = started.spot
        place = place_at(spot, wanted.path)
        count = len(spot.built.actions(place.line))
        if not count or wanted.strategy.size != count * spot.subgame.holding_count:
            raise InvalidInput("strategy", f"must be [{count}, {spot.subgame.holding_count}]")
        asked = wanted.strategy.reshape(count, -1).astype(np.float64)
        lock(started.solver.memory, place.line, place.board, asked[:, place.names])

    # Reading

    def node(self, handle: str, path: tuple[Step, ...]) -> NodeAnswer:
        """Return one node of a solution."""
        solution = self._solutions.find(handle)
        answer = node_answer(solution, place_at(solution.spot, path))
        return replace(answer, state=self._upstream.apply(solution.question.spot.state, path))

    def nodes(self, handle: str, most: int) -> Generator[NumberedNode, None, None]:
        """Yield the nodes nearest to the root, up to a maximum, without their states.

        Board by board: the values of all lines on a board come from one walk through the whole subgame.
        """
        with self._solutions.in_use(handle) as solution:
            reached = nearest_places(solution.spot, most)
            for index in sorted(range(len(reached)), key=lambda n: reached[n].place.board):
                node = reached[index]
                yield NumberedNode(
                    index=index,
                    parent=node.parent,
                    step=node.step,
                    node_count=len(reached),
                    answer=node_answer(solution, node.place),
                )

    def release(self, handle: str) -> bool:
        """Forget a solution; return whether there was one."""
        return self._solutions.release(handle)

    # Keeping

    def save(self, handle: str) -> Generator[tuple[bytes, int], None, None]:
        """Yield a solution as chunks of bytes, each with the total number of bytes."""
        solution = self._solutions.find(handle)
        request = base64.b64encode(encode_saved_question(solution.question)).decode()
        note = {"request": request, "leaf": solution.spot.leaf_name}
        with solution.lock:
            data = save(solution.solver, note)
        for start in range(0, len(data), _CHUNK):
            yield data[start : start + _CHUNK], len(data)

    def load(self, data: bytes) -> Generator[Loaded, None, None]:
        """Load a saved solution under a new handle."""
        note = read_header(data).note
        question = _same_leaf(decode_saved_question(_saved_question(note)), note)
        started = self._start(question)
        solution = KeptSolution(
            question=question, spot=started.spot, solver=started.solver, byte_count=started.byte_count
        )
        with self._kept_or_freed(started):
            _check_leaf(started.spot, note)
            resume(data, started.solver)
            solution.exploitability = exploitability(started.solver)
            handle = self._solutions.keep(solution)
        yield Loaded(solved=self._last(solution, started, handle, is_partial=False), question=question)


def _saved_question(note: dict[str, Any]) -> bytes:
    """Return the question in a saved solution's note."""
    try:
        return base64.b64decode(str(note["request"]), validate=True)
    except (KeyError, TypeError, ValueError):
        raise InvalidInput("", "the solution does not say what was solved") from None


def _same_leaf(question: SolveQuestion, note: dict[str, Any]) -> SolveQuestion:
    """Return the question with the estimate that was used then: the default network may have changed since."""
    leaf = str(note.get("leaf", ""))
    is_known = leaf == EQUITY or is_network_name(leaf)
    return replace(question, spot=replace(question.spot, leaf=leaf)) if is_known else question


def _check_leaf(spot: PreparedSpot, note: dict[str, Any]) -> None:
    """Raise InvalidInput if the estimate below the cut is no longer available."""
    if note.get("leaf", spot.leaf_name) != spot.leaf_name:
        leaf = str(note["leaf"])[:80]
        raise InvalidInput(
            "", f"the solution needs the network {leaf} below its cut, which this resolver does not have"
        )
