"""The resolver's contract. It is checked together with the oracle and the state manager that it uses."""

from riverboat.clients.conformance.check import Check
from riverboat.clients.conformance.resolver import refusals, resolving, solving
from riverboat.clients.conformance.resolver import saving as keeping
from riverboat.clients.conformance.resolver.common import RESOLVER

__all__ = ["CHECKS"]

_MODULES = (solving, keeping, resolving, refusals)  # importing a module registers its checks, in this order
CHECKS: tuple[Check, ...] = tuple(RESOLVER.all)
