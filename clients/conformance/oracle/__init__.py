"""The oracle's contract."""

from riverboat.clients.conformance.check import Check
from riverboat.clients.conformance.oracle import boards, decks, equity, features, hands, refusals, sheets, utility
from riverboat.clients.conformance.oracle.common import ORACLE

__all__ = ["CHECKS"]

_MODULES = (decks, hands, features, utility, boards, equity, sheets, refusals)  # each adds its own, in this order
CHECKS: tuple[Check, ...] = tuple(ORACLE.all)
