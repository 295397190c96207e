"""The oracle's contract."""

from riverboat.clients.conformance.check import Check
from riverboat.clients.conformance.oracle import boards, decks, equity, features, hands, refusals, sheets, utility
from riverboat.clients.conformance.oracle.common import ORACLE

__all__ = ["CHECKS"]

# Importing a module registers its checks, in this order.
_MODULES = (decks, hands, features, utility, boards, equity, sheets, refusals)
CHECKS: tuple[Check, ...] = tuple(ORACLE.all)
