"""Features: equity now and the deciles of equity on later streets."""

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECKS, Deck, parse_cards
from riverboat.clients.conformance.expectations import array, same, same_arrays
from riverboat.clients.conformance.oracle.common import ORACLE, stub
from riverboat.clients.conformance.server import Server
from riverboat.features.card_features import all_features, feature_count, some_features
from riverboat.features.preflop import class_features, spread_features
from riverboat.holdings import holding_index, holdings_of
from riverboat.protos.oracle.v1 import oracle_pb2 as pb

_WITHIN = 1e-6  # float32 of a number up to 1


def _check(server: Server, request: pb.FeaturesRequest, wanted: NDArray[np.float32]) -> None:
    answer = stub(server).Features(request)
    same(request, (answer.holding_count, answer.feature_count), wanted.shape)
    same_arrays(request, array(request, answer.features, "<f4", *wanted.shape), wanted, _WITHIN)


@ORACLE("Features", "returns equity and its deciles for holdings after the flop", 120)
def some(server: Server) -> None:
    for name, board, holdings in (
        ("52", "Kh3sJc", ["Ac3h"]),  # 47 turns, 1,081 rivers
        ("52", "Kh3sJc7d", ["Ac3h", "QcTc", "2d2h", "Ac3h"]),
        ("52", "9h8h7h6h5h", ["ThKc", "AcAd", "4h2c"]),
        ("36", "9s8h7d", ["AsAh", "6s6h"]),
        ("24", "9sTsJd", ["AsKs", "QdQh"]),
    ):
        deck = DECKS[name]
        request = pb.FeaturesRequest(deck=name, board=board, holdings=holdings)
        _check(server, request, some_features(deck, parse_cards(board), [parse_cards(text) for text in holdings]))


@ORACLE("Features", "without holdings returns all in axis order, and NaN for those that the board blocks", 120)
def every(server: Server) -> None:
    for name, board in (("52", "AsKsQsJs2d"), ("52", "QsJh2h8d"), ("36", "AsAhKdKc"), ("24", "9sTsJd")):
        request = pb.FeaturesRequest(deck=name, board=board)
        _check(server, request, all_features(DECKS[name], parse_cards(board)))


@ORACLE("Features", "returns 31 numbers before the flop", 180)
def before_the_flop(server: Server) -> None:
    deck, holdings = DECKS["24"], ["AsAh", "AsKs", "Td9h"]
    request = pb.FeaturesRequest(deck="24", holdings=holdings)
    table = _before_the_flop(deck)
    same(request, table.shape, (holdings_of(deck).count, feature_count(deck, 0)))
    _check(server, request, table[[holding_index(deck, parse_cards(text)) for text in holdings]])


def _before_the_flop(deck: Deck) -> NDArray[np.float32]:
    return spread_features(deck, class_features(deck))
