"""Requests that an oracle must refuse: invalid ones, each with the wrong field, and those that are too large."""

from typing import NamedTuple

import numpy as np
from google.protobuf.message import Message

from riverboat.clients.conformance.check import Run
from riverboat.clients.conformance.expectations import refused
from riverboat.clients.conformance.oracle.common import ORACLE, stub
from riverboat.clients.conformance.server import Server
from riverboat.protos.oracle.v1 import oracle_pb2 as pb

_ACES, _ANY = pb.Range(text="AA"), [pb.Range()]
_NAN, _NEGATIVE, _ZERO = (np.full(1326, value, "<f4").tobytes() for value in (np.nan, -1, 0))
_BEYOND = np.array([1326], "<i4").tobytes()
_TWO_BYTES = pb.Range(weights=b"12")
_LONG = "Ah" * 100_000


class BadCall(NamedTuple):
    """A request, and what is wrong with it."""

    method: str
    words: str
    request: Message
    field: str  # the field that is wrong; empty if the request is too large


def _weights(data: bytes) -> pb.EquityRequest:
    return pb.EquityRequest(hero=pb.Range(weights=data), opponents=_ANY)


def _all_deals(opponent_count: int) -> pb.EquityRequest:
    return pb.EquityRequest(hero=_ACES, opponents=_ANY * opponent_count, exact=pb.EquityRequest.Exact())


def _rolled(**more: float) -> pb.EquityRequest:
    rollouts = pb.EquityRequest.Rollouts(**more)  # type: ignore[arg-type]  # a number is a number here
    return pb.EquityRequest(hero=_ACES, opponents=_ANY, rollouts=rollouts)


def _stud(mine: str, theirs: str, deck: str = "") -> pb.UtilityRequest:
    return pb.UtilityRequest(deck=deck, stud=pb.UtilityRequest.Stud(mine=mine, theirs=theirs))


def _sheet(*counts: int, **more: object) -> pb.CheatSheetRequest:
    return pb.CheatSheetRequest(opponent_counts=counts, **more)  # type: ignore[arg-type]  # as in the message


def _following(**more: object) -> pb.FollowingBoardsRequest:
    return pb.FollowingBoardsRequest(**more)  # type: ignore[arg-type]  # as in the message


def _against(text: str, deck: str = "") -> pb.EquityRequest:
    return pb.EquityRequest(deck=deck, hero=pb.Range(text=text), opponents=_ANY)


def _profiles(*boards: str, deck: str = "24", bin_count: int = 8) -> pb.StrengthProfilesRequest:
    return pb.StrengthProfilesRequest(deck=deck, boards=boards, bin_count=bin_count)


def _features(board: str, *holdings: str, deck: str = "") -> pb.FeaturesRequest:
    return pb.FeaturesRequest(deck=deck, board=board, holdings=holdings)


INVALID = (
    BadCall("GetDeck", "an unknown deck", pb.GetDeckRequest(deck="tarot"), "deck"),
    BadCall("Deal", "a negative number of holdings", pb.DealRequest(holding_count=-1), "holding_count"),
    BadCall("Deal", "a negative board size", pb.DealRequest(board_size=-5), "board_size"),
    BadCall("Deal", "more holdings than cards", pb.DealRequest(holding_count=27), "holding_count"),
    BadCall("Deal", "far more holdings than cards", pb.DealRequest(holding_count=2**31 - 1), "holding_count"),
    BadCall("Classify", "two cards", pb.ClassifyRequest(hands=["AhKh"]), "hands[0]"),
    BadCall("Classify", "eight cards", pb.ClassifyRequest(hands=["AhKhQhJhTh", "AhKhQhJhTh9h8h7h"]), "hands[1]"),
    BadCall("Classify", "a duplicate card", pb.ClassifyRequest(hands=["AhKhQhJhAh"]), "hands[0]"),
    BadCall("Classify", "a two in the 24-card deck", pb.ClassifyRequest(deck="24", hands=["AhKhQhJh2h"]), "hands[0]"),
    BadCall("Classify", "an unreadable card", pb.ClassifyRequest(hands=["Zz"]), "hands[0]"),
    BadCall("Classify", "half a card", pb.ClassifyRequest(hands=["AhKhQhJhT"]), "hands[0]"),
    BadCall("Classify", "a very long hand", pb.ClassifyRequest(hands=[_LONG]), "hands[0]"),
    BadCall("Classify", "a very long name", pb.ClassifyRequest(deck="x" * 100_000), "deck"),
    BadCall("Showdown", "a board of two cards", pb.ShowdownRequest(board="AhKh", holdings=["QhJh"]), "board"),
    BadCall("Showdown", "no holdings", pb.ShowdownRequest(board="AhKhQh"), "holdings"),
    BadCall("Showdown", "a holding of one card", pb.ShowdownRequest(board="AhKhQh", holdings=["2c"]), "holdings[0]"),
    BadCall("Showdown", "many holdings", pb.ShowdownRequest(board="AhKhQh", holdings=["2c3c"] * 100_000), "holdings"),
    BadCall("Showdown", "no board", pb.ShowdownRequest(holdings=["2c3c"]), "board"),
    BadCall("Showdown", "shared cards", pb.ShowdownRequest(board="AhKhQh", holdings=["2c3c", "4cAh"]), "holdings[1]"),
    BadCall("Strengths", "no boards", pb.StrengthsRequest(), "boards"),
    BadCall("Strengths", "boards of two lengths", pb.StrengthsRequest(boards=["AhKhQh", "AhKhQhJh"]), "boards[1]"),
    BadCall("Strengths", "an empty board", pb.StrengthsRequest(boards=[""]), "boards[0]"),
    BadCall("Strengths", "a duplicate card", pb.StrengthsRequest(boards=["AhKhAh"]), "boards[0]"),
    BadCall("StrengthProfiles", "one bin", _profiles("9sTsJd", bin_count=1), "bin_count"),
    BadCall("StrengthProfiles", "1000 bins", _profiles("9sTsJd", bin_count=1000), "bin_count"),
    BadCall("StrengthProfiles", "no boards", _profiles(), "boards"),
    BadCall("StrengthProfiles", "cards of another deck", _profiles("2s3s4s"), "boards[0]"),
    BadCall("StrengthProfiles", "boards of two lengths", _profiles("9sTsJd", "9sTsJdQc"), "boards[1]"),
    BadCall("StrengthProfiles", "an empty board before a flop", _profiles("", "9sTsJd"), "boards[1]"),
    BadCall("StrengthProfiles", "leduc, which has no run-outs", _profiles("Ks", deck="leduc"), "deck"),
    BadCall("Features", "a board of two cards", _features("QsJh", "AhKh"), "board"),
    BadCall("Features", "a duplicate card on the board", _features("QsJhQs", "AhKh"), "board"),
    BadCall("Features", "a holding of one card", _features("QsJh2h", "AhKh", "Ad"), "holdings[1]"),
    BadCall("Features", "a holding with a card of the board", _features("QsJh2h", "AhJh"), "holdings[0]"),
    BadCall("Features", "a two in the 24-card deck", _features("QsJhTh", "2h2d", deck="24"), "holdings[0]"),
    BadCall("Features", "an unreadable holding", _features("QsJh2h", "AxKh"), "holdings[0]"),
    BadCall("Features", "leduc, which has one private card", _features("Kh", "Ks", deck="leduc"), "deck"),
    BadCall("Utility", "no situation", pb.UtilityRequest(), "board"),
    BadCall("Utility", "a board of two cards", pb.UtilityRequest(board="AhKh"), "board"),
    BadCall("Utility", "one visible card", _stud("AhKhQhJh", "2c"), "stud.theirs"),
    BadCall("Utility", "an unreadable card", _stud("AhKhQhJx", "2c3c4c5d"), "stud.mine"),
    BadCall("Utility", "a duplicate card", _stud("AhKhQhAh", "2c3c4c5d"), "stud.mine"),
    BadCall("Utility", "a card of both players", _stud("AhKhQhJh", "2c3c4cAh"), "stud.theirs"),
    BadCall("Utility", "stud with leduc", _stud("Kh", "Ks", "leduc"), "deck"),
    BadCall("Utility", "a row beyond the last", pb.UtilityRequest(board="QsJh2h", rows=_BEYOND), "rows"),
    BadCall("Utility", "a column beyond the last", pb.UtilityRequest(board="QsJh2h", columns=_BEYOND), "columns"),
    BadCall("Utility", "rows that are not int32", pb.UtilityRequest(board="QsJh2h", rows=b"abc"), "rows"),
    BadCall("FollowingBoards", "a board of two cards", _following(board="QsJh"), "board"),
    BadCall("FollowingBoards", "a duplicate card", _following(board="QsQs2h"), "board"),
    BadCall("FollowingBoards", "three deals after a flop", _following(board="QsJh2h", deal_count=3), "deal_count"),
    BadCall("FollowingBoards", "a negative number of deals", _following(deal_count=-1), "deal_count"),
    BadCall("FollowingBoards", "a negative board_count", _following(board="QsJh2h", board_count=-1), "board_count"),
    BadCall("FollowingBoards", "five ranges", _following(ranges=[_ACES] * 5), "ranges"),
    BadCall("FollowingBoards", "a range of two bytes", _following(ranges=[_TWO_BYTES]), "ranges[0].weights"),
    BadCall("Equity", "no hero", pb.EquityRequest(opponents=_ANY), "hero"),
    BadCall("Equity", "no opponents", pb.EquityRequest(hero=_ACES), "opponents"),
    BadCall("Equity", "ten opponents", pb.EquityRequest(hero=_ACES, opponents=_ANY * 10), "opponents"),
    BadCall("Equity", "100,000 opponents", pb.EquityRequest(hero=_ACES, opponents=_ANY * 100_000), "opponents"),
    BadCall("Equity", "QQ++", _against("QQ++"), "hero.text"),
    BadCall("Equity", "an empty range", _against(" "), "hero.text"),
    BadCall("Equity", "a weight of 2", _against("AA:2"), "hero.text"),
    BadCall("Equity", "a very long range", _against(_LONG), "hero.text"),
    BadCall("Equity", "twos in the 24-card deck", _against("22", deck="24"), "hero.text"),
    BadCall("Equity", "weights that are NaN", _weights(_NAN), "hero.weights"),
    BadCall("Equity", "negative weights", _weights(_NEGATIVE), "hero.weights"),
    BadCall("Equity", "weights that are all zero", _weights(_ZERO), "hero"),
    BadCall("Equity", "weights of three bytes", _weights(b"abc"), "hero.weights"),
    BadCall("Equity", "KQx", pb.EquityRequest(hero=_ACES, opponents=[pb.Range(text="KQx")]), "opponents[0].text"),
    BadCall("Equity", "a board of one card", pb.EquityRequest(hero=_ACES, opponents=_ANY, board="Ah"), "board"),
    BadCall("Equity", "six aces", pb.EquityRequest(hero=_ACES, opponents=[_ACES, _ACES]), "opponents"),
    BadCall("Equity", "a negative number of rollouts", _rolled(rollout_count=-1), "rollouts.rollout_count"),
    BadCall("Equity", "a target error that is NaN", _rolled(target_error=float("nan")), "rollouts.target_error"),
    BadCall("CheatSheet", "an empty list of opponents", pb.CheatSheetRequest(), "opponent_counts"),
    BadCall("CheatSheet", "a negative number of opponents", _sheet(-1), "opponent_counts"),
    BadCall("CheatSheet", "a duplicate number of opponents", _sheet(2, 2), "opponent_counts"),
    BadCall("CheatSheet", "100,000 numbers of opponents", _sheet(*[1] * 100_000), "opponent_counts"),
    BadCall("CheatSheet", "more opponents than 24 cards allow", _sheet(1, 9, deck="24"), "opponent_counts"),
    BadCall("CheatSheet", "a negative number of rollouts", _sheet(1, rollout_count=-1), "rollout_count"),
    BadCall("CheatSheet", "kuhn, which has one private card", _sheet(1, deck="kuhn"), "deck"),
    BadCall("CheatSheet", "a duplicate card", _sheet(1, board="AhAh2c"), "board"),
)  # fmt: skip

TOO_LARGE = (
    BadCall("Classify", "1,001 hands", pb.ClassifyRequest(hands=["AhKhQhJhTh"] * 1001), ""),
    BadCall("Strengths", "1,509 boards of the full deck", pb.StrengthsRequest(boards=["AhKhQh"] * 1509), ""),
    BadCall("StrengthProfiles", "100 boards", _profiles(*["2s3h4d5c9s"] * 100, deck="52", bin_count=32), ""),
    BadCall("Features", "1,327 holdings", _features("QsJh2h", *["AhKh"] * 1327), ""),
    BadCall("FollowingBoards", "all possible rivers", _following(deal_count=3), ""),
    BadCall("Equity", "all deals of six players", _all_deals(5), ""),
    BadCall("Equity", "100,000,000,000 rollouts", _rolled(rollout_count=10**11), ""),
    BadCall("CheatSheet", "169 cells of 1,000,000,000 rollouts each", _sheet(2, rollout_count=10**9), ""),
)  # fmt: skip


def _check(refusal: BadCall, code: str) -> Run:
    def run(server: Server) -> None:
        refused(getattr(stub(server), refusal.method), refusal.request, code, refusal.field)

    return run


for _refusal in INVALID:
    ORACLE.add(
        _refusal.method, f"refuses {_refusal.words}, naming {_refusal.field}", _check(_refusal, "INVALID_ARGUMENT")
    )
for _refusal in TOO_LARGE:
    ORACLE.add(_refusal.method, f"refuses {_refusal.words}: too large", _check(_refusal, "RESOURCE_EXHAUSTED"))
