"""The game manager's contracts: the rules, tables, matches and hosts of agents."""

from clients.conformance.check import Check
from clients.conformance.gamemanager import (
    dealing,
    hosts,
    matches,
    play,
    rules,
    rules_refusals,
    tables,
    tables_refusals,
    trees,
    watching,
)
from clients.conformance.gamemanager.common import HOSTS, MATCHES, RULES, TABLES

__all__ = ["CHECKS"]

_MODULES = (
    rules,
    trees,
    rules_refusals,
    tables,
    dealing,
    play,
    watching,
    tables_refusals,
    hosts,
    matches,
)  # each adds its own
CHECKS: tuple[Check, ...] = (*RULES.all, *TABLES.all, *HOSTS.all, *MATCHES.all)
