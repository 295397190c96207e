"""Kernels compiled part by part in processes of their own, before the services start that need them.

Each part is a program that compiles what it uses and ends; a part that is compiled already ends at once.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from riverboat.clients.remote.refusals import Refused

_LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class KernelPart:
    """Some kernels: what they are for, how to compile them, and about how long that takes."""

    name: str
    program: str  # Python code
    seconds: float  # of one quiet core: docs/experiments/services.md
    after: tuple[str, ...] = ()  # parts whose kernels it uses


TABLE_PARTS = (
    KernelPart("strengths of hands", "import riverboat.strength.single_hand as hands; "
               "hands.strength_of_seven(0, 1, 2, 3, 4, 5, 6)", 11),
    KernelPart("rules of betting", "from riverboat.services.gamemanager.state_manager import StateManager; "
               "StateManager(1_000_000).warm_up()", 16),
    KernelPart("rollouts of the agents", "from riverboat.clients.bots.agents.registry import plays_alone; "
               "from riverboat.clients.bots.bot_runner import warm_up; warm_up(plays_alone('rollout'))", 5,
               ("strengths of hands", "rules of betting")),
)  # fmt: skip

SOLVER_PARTS = (
    *TABLE_PARTS[:2],
    KernelPart("equities and utilities", "from riverboat.parallel import serial; "
               "from riverboat.services.oracle.oracle import Oracle; Oracle(serial, 1).warm_up()", 15,
               ("strengths of hands",)),
    KernelPart("the solver", "from riverboat.services.resolver.warm_up import warm_up; warm_up()", 60),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CompilationStep:
    """How far compiling is: the share that is done by expectation, and what is being compiled."""

    done: float
    names: tuple[str, ...]


def compile_parts(parts: Sequence[KernelPart] = TABLE_PARTS) -> Iterator[CompilationStep]:
    """Compile parts, each as soon as those before it are done; yield how far it is. All end when the caller stops."""
    running: dict[str, tuple[subprocess.Popen[bytes], float]] = {}
    finished = set[str]()
    whole = sum(part.seconds for part in parts)
    try:
        while len(finished) < len(parts):
            for part in parts:
                if part.name not in running and part.name not in finished and finished.issuperset(part.after):
                    running[part.name] = _started(part), time.monotonic()
            for name, (process, _) in list(running.items()):
                if process.poll() is not None:
                    _check(name, process)
                    finished.add(name)
                    del running[name]
            yield CompilationStep(_done(parts, running, finished) / whole, tuple(running))
            time.sleep(_LOOK_SECONDS)
    finally:
        for process, _ in running.values():
            process.kill()
            process.wait()


def compile_first(parts: Sequence[KernelPart], say: Callable[[str], None]) -> None:
    """Compile parts and say which, and how far it is; `say` may raise to give up."""
    for step in compile_parts(parts):
        if step.names:
            say(f"compiling, only this once: {', '.join(step.names)} ({100 * step.done:.0f} %)…")


def _started(part: KernelPart) -> "subprocess.Popen[bytes]":
    # In a session of its own: Ctrl-C reaches only us, and we end it in order.
    return subprocess.Popen(  # noqa: S603  # our own code
        [sys.executable, "-c", part.program],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _check(name: str, process: "subprocess.Popen[bytes]") -> None:
    said = process.stderr.read().decode(errors="replace").strip() if process.stderr else ""
    if process.returncode:
        raise Refused(f"the {name} could not be compiled: {said.splitlines()[-1] if said else 'no reason given'}")


def _done(
    parts: Sequence[KernelPart], running: dict[str, tuple["subprocess.Popen[bytes]", float]], finished: set[str]
) -> float:
    now, total = time.monotonic(), 0.0
    for part in parts:
        if part.name in finished:
            total += part.seconds
        elif part.name in running:
            gone = now - running[part.name][1]
            total += part.seconds * gone / (gone + part.seconds)  # never quite done before it is
    return total
