"""A check of a contract: the method, the rule to check, and a function that calls the server."""

from collections.abc import Callable
from dataclasses import dataclass

from riverboat.clients.conformance.server import Server

Run = Callable[[Server], None]


class Wrong(Exception):
    """A breach of the contract, in a sentence: the request, the answer, and what the contract says."""


@dataclass(frozen=True, slots=True)
class Check:
    """One rule of a contract."""

    service: str  # full name
    method: str  # "" for a rule about all methods
    name: str  # the rule, as a sentence
    run: Run  # raises Wrong if the server breaks the rule
    seconds: float  # time limit


class Checks:
    """The checks of one service, in an order in which the methods can be implemented."""

    def __init__(self, service: str) -> None:
        self.service = service
        self.all: list[Check] = []

    def __call__(self, method: str, name: str, seconds: float = 60) -> Callable[[Run], Run]:
        """Turn the decorated function into a check."""

        def add(run: Run) -> Run:
            self.add(method, name, run, seconds)
            return run

        return add

    def add(self, method: str, name: str, run: Run, seconds: float = 60) -> None:
        """Add a check."""
        self.all.append(Check(self.service, method, name, run, seconds))
