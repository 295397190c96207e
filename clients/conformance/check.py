"""What a check is: the method it is about, what is right if it passes, and a function that asks a server."""

from collections.abc import Callable
from dataclasses import dataclass

from riverboat.clients.conformance.server import Server

Run = Callable[[Server], None]


class Wrong(Exception):
    """What a server gets wrong, as a sentence: what was asked, what came, what the contract says."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a contract demands."""

    service: str  # its full name
    method: str  # or empty, for what concerns all methods
    name: str  # what is right if it passes
    run: Run  # raises Wrong if it is not
    seconds: float  # how long it may take


class Checks:
    """The checks of one service, in an order in which somebody might build it."""

    def __init__(self, service: str) -> None:
        self.service = service
        self.all: list[Check] = []

    def __call__(self, method: str, name: str, seconds: float = 60) -> Callable[[Run], Run]:
        """Decorates a function that is a check."""

        def add(run: Run) -> Run:
            self.add(method, name, run, seconds)
            return run

        return add

    def add(self, method: str, name: str, run: Run, seconds: float = 60) -> None:
        """Add a check."""
        self.all.append(Check(self.service, method, name, run, seconds))
