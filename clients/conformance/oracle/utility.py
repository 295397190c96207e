"""Utility: matrices of a board, of some holdings, and of five-card stud."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECKS, parse_cards
from riverboat.clients.conformance.expectations import array, close, require, same, same_arrays, short
from riverboat.clients.conformance.oracle.common import ORACLE, stub
from riverboat.clients.conformance.server import Server
from riverboat.holdings import holding_index, holdings_of
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub
from riverboat.utility import board_utility, stud_utility

_ROUNDING = 1e-6
_IN_THE_SAME_SUITS, _IN_OTHER_SUITS = 0.82636611, 0.81255490  # equities of aces against kings


def _matrix(oracle: OracleStub, request: pb.UtilityRequest, rows: int, columns: int) -> NDArray[Any]:
    """Return the chunks of an answer as one matrix."""
    parts: list[NDArray[Any]] = []
    row_count = 0
    for chunk in oracle.Utility(request):
        same(f"{short(request)}, the first row of a chunk", chunk.first_row, row_count)
        same(f"{short(request)}, columns of a chunk", chunk.column_count, columns)
        parts.append(array(request, chunk.values, "<f4", chunk.row_count, chunk.column_count))
        row_count += chunk.row_count
    same(f"{short(request)}, rows of all chunks", row_count, rows)
    return np.concatenate(parts)


@ORACLE("Utility", "every pair of holdings, on complete and incomplete boards", 180)
def boards(server: Server) -> None:
    for name, board in (
        ("52", "Td9d2c5h3s"), ("52", "Td9d2c5h"), ("36", "AcKdQhJsTc"), ("24", "Td9dAc"),
        ("leduc", "Kh"), ("leduc", ""), ("kuhn", ""),
    ):  # fmt: skip
        deck, count = DECKS[name], holdings_of(DECKS[name]).count
        request = pb.UtilityRequest(deck=name, board=board)
        matrix = _matrix(stub(server), request, count, count)
        same_arrays(request, matrix, board_utility(deck, parse_cards(board)).matrix(), _ROUNDING)


@ORACLE("Utility", "some rows and columns, with 0 where both holdings cannot be dealt", 120)
def some_holdings(server: Server) -> None:
    rows, columns = np.array([1325, 0, 700, 1324], "<i4"), np.array([5, 800, 1325], "<i4")
    for board in ("QsJh2h", "QsJh2h8d", "QsJh2h8d8c"):
        request = pb.UtilityRequest(board=board, rows=rows.tobytes(), columns=columns.tobytes())
        matrix = _matrix(stub(server), request, len(rows), len(columns))
        whole = board_utility(DECKS["52"], parse_cards(board)).matrix()
        same_arrays(request, matrix, np.nan_to_num(whole[np.ix_(rows, columns)], nan=0.0), _ROUNDING)


@ORACLE("Utility", "empty rows or columns mean all of them")
def one_side(server: Server) -> None:
    deck, one = DECKS["24"], np.array([7], "<i4")
    whole = np.nan_to_num(board_utility(deck, parse_cards("TdTc9sAh")).matrix(), nan=0.0)
    request = pb.UtilityRequest(deck="24", board="TdTc9sAh", rows=one.tobytes())
    same_arrays(request, _matrix(stub(server), request, 1, 276), whole[one], _ROUNDING)
    request = pb.UtilityRequest(deck="24", board="TdTc9sAh", columns=one.tobytes())
    same_arrays(request, _matrix(stub(server), request, 276, 1), whole[:, one], _ROUNDING)


@ORACLE("Utility", "aces against kings before the flop, in the same suits and in others", 120)
def before_the_flop(server: Server) -> None:
    deck = DECKS["52"]
    aces, kings, other = (holding_index(deck, parse_cards(text)) for text in ("AsAh", "KsKh", "KdKc"))
    rows, columns = np.array([aces], "<i4").tobytes(), np.array([kings, other], "<i4").tobytes()
    matrix = _matrix(stub(server), pb.UtilityRequest(board="", rows=rows, columns=columns), 1, 2)
    close("the utility of AsAh against KsKh", float(matrix[0, 0]), 2 * _IN_THE_SAME_SUITS - 1, 1e-5)
    close("the utility of AsAh against KdKc", float(matrix[0, 1]), 2 * _IN_OTHER_SUITS - 1, 1e-5)


@ORACLE("Utility", "five-card stud, by the two hidden cards")
def stud(server: Server) -> None:
    for name, mine, theirs in (
        ("52", "AhKhQhJh", "2c2d7s8s"),
        ("36", "9h9d8c7c", "AsKsQdJd"),
        ("24", "9c9dTcTd", "AcKhQsJd"),
    ):
        deck = DECKS[name]
        request = pb.UtilityRequest(deck=name, stud=pb.UtilityRequest.Stud(mine=mine, theirs=theirs))
        matrix = _matrix(stub(server), request, len(deck.cards), len(deck.cards))
        same_arrays(request, matrix, stud_utility(deck, parse_cards(mine), parse_cards(theirs)))


@ORACLE("Utility", "a message has at most 4,000,000 bytes")
def chunks(server: Server) -> None:
    for chunk in stub(server).Utility(pb.UtilityRequest(board="Td9d2c5h3s")):
        size = chunk.ByteSize()
        require(size <= 4_194_304, f"Utility: a message has {size:,} bytes; many clients accept at most 4 MiB")
