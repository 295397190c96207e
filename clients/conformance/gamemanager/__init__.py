"""The game manager's contracts: rules, tables, matches, tournaments and agent hosts."""

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
    tournaments,
    trees,
)
from riverboat.clients.conformance.gamemanager.common import HOSTS, MATCHES, RULES, TABLES, TOURNAMENTS

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
    tournaments,
)  # importing a module registers its checks
CHECKS: tuple[Check, ...] = (*RULES.all, *TABLES.all, *HOSTS.all, *MATCHES.all, *TOURNAMENTS.all)
