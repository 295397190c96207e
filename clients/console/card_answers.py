"""Answers to small questions about cards: from this process, unless a server is given."""

from contextlib import AbstractContextManager
from importlib import import_module
from typing import TYPE_CHECKING

from riverboat.clients.local.own_oracle import OwnOracle, has_own_oracle, own_oracle
from riverboat.clients.remote.refusals import FieldNames

if TYPE_CHECKING:
    from riverboat.clients.remote.oracle import OracleClient


def card_answers(server: str | None, names: FieldNames) -> "AbstractContextManager[OracleClient | OwnOracle]":
    """Return the oracle at `server` or in RIVERBOAT_ORACLE_SERVER; without one, the library in this process.

    The code that connects to servers is loaded only if one is given, because loading takes half a second.
    """
    if has_own_oracle(server):
        return own_oracle(names)
    chosen: AbstractContextManager[OracleClient] = import_module("riverboat.clients.console.servers").oracle(
        server, names
    )
    return chosen
