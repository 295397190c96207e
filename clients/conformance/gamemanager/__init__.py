"""The game manager's contracts: rules, tables, matches and agent hosts."""

from riverboat.clients.conformance.check import Check
from riverboat.clients.conformance.gamemanager import (
    dealing,
    hosts,
    matches,
    play,
    rules,
    rules_refusals,
    spectators,
    tables,
    tables_refusals,
    trees,
)
from riverboat.clients.conformance.gamemanager.common import HOSTS, MATCHES, RULES, TABLES

__all__ = ["CHECKS"]

_MODULES = (
    rules,
    trees,
    rules_refusals,
    tables,
    dealing,
    play,
    spectators,
    tables_refusals,
    hosts,
    matches,
)  # importing a module registers its checks
CHECKS: tuple[Check, ...] = (*RULES.all, *TABLES.all, *HOSTS.all, *MATCHES.all)
