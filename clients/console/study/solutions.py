"""Solutions: solved or loaded, with a progress bar."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite, log
from pathlib import Path

import grpc

from riverboat.clients.analysis.caveats import exploitability_name
from riverboat.clients.console.study.spot_files import StudySpot
from riverboat.clients.console.views.output import progress_bar, say
from riverboat.clients.remote.refusals import Refused, reason_of
from riverboat.clients.remote.resolver import ResolverClient, loaded_state
from riverboat.contracts.resolver import Solved, Step
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.solving.loop import Limits
from riverboat.solving.subgame import F64

_TARGET = re.compile(r"(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})\s*(%?)")
_FIRST = 1.0  # of the pot: where the bar begins
_FIRST_SECONDS = 0.5  # of solving, after which there is a solution to keep
_LEAST_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Stop:
    """When to stop solving: a target like "0.1%", and perhaps a number of iterations or seconds."""

    target: str
    iterations: int | None
    seconds: float | None

    def limits(self, pot: int) -> Limits:
        """Return the limits in chips, for a pot."""
        match = _TARGET.fullmatch(self.target.strip())
        if not match or not float(match[1]) > 0:
            raise Refused(f"--target: {self.target[:20]!r} must be a percentage of the pot, like 0.1%, or chips")
        chips = float(match[1]) * (pot / 100 if match[2] else 1)
        return Limits(self.iterations, chips, self.seconds)

    def limits_beyond(self, pot: int, solved: Solved) -> Limits:
        """Return the limits for a solution that is solved further: iterations and seconds are those to come."""
        limits, cost = self.limits(pot), solved.cost
        return replace(
            limits,
            iterations=None if limits.iterations is None else limits.iterations + cost.iterations,
            seconds=None if limits.seconds is None else limits.seconds + cost.solving_seconds,
        )


@dataclass(frozen=True, slots=True, eq=False)
class SolveOptions:
    """How to solve a spot."""

    locks: Sequence[tuple[Sequence[Step], F64]]
    depth: tuple[int, int] | None
    leaf: str  # how the tree is estimated below a cut
    short_storage: bool


def solve_spot(link: ResolverClient, spot: StudySpot, options: SolveOptions, limits: Limits) -> Solved:
    """Solve a spot, with a bar on the terminal; Ctrl-C ends solving and keeps what was solved by then."""
    steps = link.solve(
        spot.public,
        str(spot.sizes),
        spot.ranges,
        replace(limits, seconds=min(_FIRST_SECONDS, limits.seconds or _FIRST_SECONDS)),
        depth=options.depth,
        leaf=options.leaf,
        locks=options.locks,
        short_storage=options.short_storage,
    )
    first = _shown(steps, limits, spot.public.pot)
    return first if _is_reached(first, limits) else go_on(link, first, limits, spot.public.pot)


def _is_reached(solved: Solved, limits: Limits) -> bool:
    """Return whether a limit stopped the solver, and not the end of its first seconds."""
    cost = solved.cost
    return (
        (limits.iterations is not None and cost.iterations >= limits.iterations)
        or (limits.seconds is not None and cost.solving_seconds >= limits.seconds)
        or (limits.exploitability is not None and cost.exploitability <= limits.exploitability)
    )


def go_on(link: ResolverClient, solved: Solved, limits: Limits, pot: int) -> Solved:
    """Solve further until the limits, which include what was done; Ctrl-C keeps what was solved by then."""
    cost = solved.cost
    iterations = None if limits.iterations is None else max(1, limits.iterations - cost.iterations)
    seconds = None if limits.seconds is None else max(_LEAST_SECONDS, limits.seconds - cost.solving_seconds)
    try:
        return _shown(link.go_on(solved.handle, replace(limits, iterations=iterations, seconds=seconds)), limits, pot)
    except KeyboardInterrupt:
        say("stopped; this is the solution so far")
        return _shown(link.go_on(solved.handle, Limits(1, None, None)), limits, pot)


def load_solution(
    link: ResolverClient, path: Path, stop: Stop | None, option: str = "--load"
) -> tuple[StudySpot, Solved]:
    """Return a saved solution and its spot; with `stop`, solve further. Errors name the option."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Refused(f"{option}: {path}: {error.strerror or error}") from None
    try:
        loaded = link.load(data)
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.INVALID_ARGUMENT:
            raise
        raise Refused(f"{option}: {path}: {reason_of(error)}") from None
    question = loaded.question
    public = loaded_state(loaded)
    spot = StudySpot(public, question.ranges.reshape(2, -1), parse_bet_sizes(question.spot.bet_sizes))
    if stop is None:
        return spot, loaded.solved
    limits = stop.limits(public.pot)
    if limits.exploitability is not None and loaded.solved.cost.exploitability <= limits.exploitability:
        return spot, loaded.solved
    return spot, go_on(link, loaded.solved, stop.limits_beyond(public.pot, loaded.solved), public.pot)


def _shown(steps: Iterator[Solved], limits: Limits, pot: int) -> Solved:
    """Return the last step; show each one as it comes."""
    last: Solved | None = None
    known = float("nan")
    with progress_bar("building the tree") as bar:
        for last in steps:
            if isfinite(last.cost.exploitability):
                known = last.cost.exploitability
            done = f"{100 * known / pot:.3f} % of the pot" if isfinite(known) else "…"
            name = exploitability_name(last.cost.scope)
            bar.show(part_done(last, limits, known, pot), f"{last.cost.iterations:,} iterations, {name} {done}")
    if last is None or not last.handle:
        raise Refused("the resolver ended without a solution")
    return last


def part_done(step: Solved, limits: Limits, exploitability: float, pot: int) -> float:
    """Return how much is done, 0 to 1; exploitability falls geometrically, so its logarithm counts."""
    parts = [0.0]
    if limits.iterations:
        parts.append(step.cost.iterations / limits.iterations)
    if limits.seconds:
        parts.append(step.cost.solving_seconds / limits.seconds)
    if limits.exploitability and isfinite(exploitability) and exploitability > 0:
        whole = log(_FIRST * pot / limits.exploitability)
        parts.append(log(_FIRST * pot / exploitability) / whole if whole > 0 else 1.0)
    return max(0.0, min(1.0, max(parts)))
