"""Shared by all checks of an oracle: a client, and random boards."""

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck, format_cards
from riverboat.clients.conformance.check import Checks
from riverboat.clients.conformance.server import Server
from riverboat.clients.conformance.vitals import add_vitals
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub

CONTRACT = pb.DESCRIPTOR.services_by_name["Oracle"]
ORACLE = Checks(CONTRACT.full_name)
add_vitals(ORACLE, CONTRACT, pb.ListDecksRequest(), "ListDecks")


def stub(server: Server) -> OracleStub:
    """Return a client of the oracle."""
    return OracleStub(server.channel)


def some_boards(deck: Deck, size: int, count: int) -> NDArray[np.uint8]:
    """Return random boards [count, size], the same in every run."""
    rng = np.random.default_rng(0)
    return np.array([rng.choice(deck.cards, size, replace=False) for _ in range(count)], np.uint8).reshape(count, size)


def texts(boards: NDArray[np.uint8]) -> list[str]:
    """Return boards as text."""
    return [format_cards(board) for board in boards.tolist()]
