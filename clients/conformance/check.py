"""A check of a contract: its method, the rule that it checks, and a function that asks a server."""

from collections.abc import Callable
from dataclasses import dataclass

from riverboat.clients.conformance.server import Server

Run = Callable[[Server], None]


class Wrong(Exception):
    """A breach of the contract, in a sentence: what was asked, what came, what the contract says."""


@dataclass(frozen=True, slots=True)
class Check:
    """One rule of a contract."""

    service: str  # full name
    method: str  # "" for a rule about all methods
    name: str  # the rule, as a sentence
    run: Run  # raises Wrong if the server breaks the rule
    seconds: float  # time limit


class Checks:
    """The checks of one service, in an order in which one might build it."""

    def __init__(self, service: str) -> None:
        self.service = service
        self.all: list[Check] = []

    def __call__(self, method: str, name: str, seconds: float = 60) -> Callable[[Run], Run]:
        """Make a check of the decorated function."""

        def add(run: Run) -> Run:
            self.add(method, name, run, seconds)
            return run

        return add

    def add(self, method: str, name: str, run: Run, seconds: float = 60) -> None:
        """Add a check."""
        self.all.append(Check(self.service, method, name, run, seconds))
