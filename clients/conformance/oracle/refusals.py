"""What an oracle refuses: requests that make no sense, each with the field that is wrong, and those too large."""

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
    field: str  # that is wrong; empty where the request is too large


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


INVALID = (
    BadCall("GetDeck", "a deck that is not there", pb.GetDeckRequest(deck="tarot"), "deck"),
    BadCall("Deal", "fewer than no holdings", pb.DealRequest(holding_count=-1), "holding_count"),
    BadCall("Deal", "fewer than no board cards", pb.DealRequest(board_size=-5), "board_size"),
    BadCall("Deal", "more holdings than cards", pb.DealRequest(holding_count=27), "holding_count"),
    BadCall("Deal", "far more holdings than cards", pb.DealRequest(holding_count=2**31 - 1), "holding_count"),
    BadCall("Classify", "two cards", pb.ClassifyRequest(hands=["AhKh"]), "hands[0]"),
    BadCall("Classify", "eight cards", pb.ClassifyRequest(hands=["AhKhQhJhTh", "AhKhQhJhTh9h8h7h"]), "hands[1]"),
    BadCall("Classify", "a card twice", pb.ClassifyRequest(hands=["AhKhQhJhAh"]), "hands[0]"),
    BadCall("Classify", "a two of 24 cards", pb.ClassifyRequest(deck="24", hands=["AhKhQhJh2h"]), "hands[0]"),
    BadCall("Classify", "what is no card", pb.ClassifyRequest(hands=["Zz"]), "hands[0]"),
    BadCall("Classify", "half a card", pb.ClassifyRequest(hands=["AhKhQhJhT"]), "hands[0]"),
    BadCall("Classify", "a very long hand", pb.ClassifyRequest(hands=[_LONG]), "hands[0]"),
    BadCall("Classify", "a very long name", pb.ClassifyRequest(deck="x" * 100_000), "deck"),
    BadCall("Showdown", "a board of two", pb.ShowdownRequest(board="AhKh", holdings=["QhJh"]), "board"),
    BadCall("Showdown", "no holdings", pb.ShowdownRequest(board="AhKhQh"), "holdings"),
    BadCall("Showdown", "a holding of one card", pb.ShowdownRequest(board="AhKhQh", holdings=["2c"]), "holdings[0]"),
    BadCall("Showdown", "many holdings", pb.ShowdownRequest(board="AhKhQh", holdings=["2c3c"] * 100_000), "holdings"),
    BadCall("Showdown", "no board", pb.ShowdownRequest(holdings=["2c3c"]), "board"),
    BadCall("Showdown", "shared cards", pb.ShowdownRequest(board="AhKhQh", holdings=["2c3c", "4cAh"]), "holdings[1]"),
    BadCall("Strengths", "no boards", pb.StrengthsRequest(), "boards"),
    BadCall("Strengths", "two lengths", pb.StrengthsRequest(boards=["AhKhQh", "AhKhQhJh"]), "boards[1]"),
    BadCall("Strengths", "before the flop", pb.StrengthsRequest(boards=[""]), "boards[0]"),
    BadCall("Strengths", "a card twice", pb.StrengthsRequest(boards=["AhKhAh"]), "boards[0]"),
    BadCall("StrengthProfiles", "one bin", _profiles("9sTsJd", bin_count=1), "bin_count"),
    BadCall("StrengthProfiles", "1000 bins", _profiles("9sTsJd", bin_count=1000), "bin_count"),
    BadCall("StrengthProfiles", "no boards", _profiles(), "boards"),
    BadCall("StrengthProfiles", "cards of another deck", _profiles("2s3s4s"), "boards[0]"),
    BadCall("StrengthProfiles", "two lengths", _profiles("9sTsJd", "9sTsJdQc"), "boards[1]"),
    BadCall("StrengthProfiles", "an empty board first", _profiles("", "9sTsJd"), "boards[1]"),
    BadCall("StrengthProfiles", "leduc, which has no run-outs", _profiles("Ks", deck="leduc"), "deck"),
    BadCall("Utility", "no situation", pb.UtilityRequest(), "board"),
    BadCall("Utility", "a board of two", pb.UtilityRequest(board="AhKh"), "board"),
    BadCall("Utility", "one visible card", _stud("AhKhQhJh", "2c"), "stud.theirs"),
    BadCall("Utility", "what is no card", _stud("AhKhQhJx", "2c3c4c5d"), "stud.mine"),
    BadCall("Utility", "a card twice", _stud("AhKhQhAh", "2c3c4c5d"), "stud.mine"),
    BadCall("Utility", "a card of both", _stud("AhKhQhJh", "2c3c4cAh"), "stud.theirs"),
    BadCall("Utility", "stud of leduc", _stud("Kh", "Ks", "leduc"), "deck"),
    BadCall("Utility", "a row beyond the last", pb.UtilityRequest(board="QsJh2h", rows=_BEYOND), "rows"),
    BadCall("Utility", "a column beyond the last", pb.UtilityRequest(board="QsJh2h", columns=_BEYOND), "columns"),
    BadCall("Utility", "rows that are no int32", pb.UtilityRequest(board="QsJh2h", rows=b"abc"), "rows"),
    BadCall("FollowingBoards", "a board of two", _following(board="QsJh"), "board"),
    BadCall("FollowingBoards", "a card twice", _following(board="QsQs2h"), "board"),
    BadCall("FollowingBoards", "three deals after a flop", _following(board="QsJh2h", deal_count=3), "deal_count"),
    BadCall("FollowingBoards", "fewer than no deals", _following(deal_count=-1), "deal_count"),
    BadCall("FollowingBoards", "fewer than no boards", _following(board="QsJh2h", board_count=-1), "board_count"),
    BadCall("FollowingBoards", "five ranges", _following(ranges=[_ACES] * 5), "ranges"),
    BadCall("FollowingBoards", "two bytes of a range", _following(ranges=[_TWO_BYTES]), "ranges[0].weights"),
    BadCall("Equity", "no hero", pb.EquityRequest(opponents=_ANY), "hero"),
    BadCall("Equity", "no opponents", pb.EquityRequest(hero=_ACES), "opponents"),
    BadCall("Equity", "ten opponents", pb.EquityRequest(hero=_ACES, opponents=_ANY * 10), "opponents"),
    BadCall("Equity", "many opponents", pb.EquityRequest(hero=_ACES, opponents=_ANY * 100_000), "opponents"),
    BadCall("Equity", "QQ++", _against("QQ++"), "hero.text"),
    BadCall("Equity", "an empty range", _against(" "), "hero.text"),
    BadCall("Equity", "a weight of 2", _against("AA:2"), "hero.text"),
    BadCall("Equity", "a very long range", _against(_LONG), "hero.text"),
    BadCall("Equity", "twos of 24 cards", _against("22", deck="24"), "hero.text"),
    BadCall("Equity", "weights that are NaN", _weights(_NAN), "hero.weights"),
    BadCall("Equity", "weights below zero", _weights(_NEGATIVE), "hero.weights"),
    BadCall("Equity", "weights that are all zero", _weights(_ZERO), "hero"),
    BadCall("Equity", "three bytes of weights", _weights(b"abc"), "hero.weights"),
    BadCall("Equity", "KQx", pb.EquityRequest(hero=_ACES, opponents=[pb.Range(text="KQx")]), "opponents[0].text"),
    BadCall("Equity", "a board of one", pb.EquityRequest(hero=_ACES, opponents=_ANY, board="Ah"), "board"),
    BadCall("Equity", "six aces", pb.EquityRequest(hero=_ACES, opponents=[_ACES, _ACES]), "opponents"),
    BadCall("Equity", "fewer than no rollouts", _rolled(rollout_count=-1), "rollouts.rollout_count"),
    BadCall("Equity", "an error that is NaN", _rolled(target_error=float("nan")), "rollouts.target_error"),
    BadCall("CheatSheet", "no numbers of opponents", pb.CheatSheetRequest(), "opponent_counts"),
    BadCall("CheatSheet", "fewer than no opponents", _sheet(-1), "opponent_counts"),
    BadCall("CheatSheet", "the same number twice", _sheet(2, 2), "opponent_counts"),
    BadCall("CheatSheet", "many numbers", _sheet(*[1] * 100_000), "opponent_counts"),
    BadCall("CheatSheet", "more opponents than 24 cards are for", _sheet(1, 9, deck="24"), "opponent_counts"),
    BadCall("CheatSheet", "fewer than no rollouts", _sheet(1, rollout_count=-1), "rollout_count"),
    BadCall("CheatSheet", "kuhn, which has one private card", _sheet(1, deck="kuhn"), "deck"),
    BadCall("CheatSheet", "a card twice", _sheet(1, board="AhAh2c"), "board"),
)  # fmt: skip

TOO_LARGE = (
    BadCall("Classify", "1,001 hands", pb.ClassifyRequest(hands=["AhKhQhJhTh"] * 1001), ""),
    BadCall("Strengths", "1,509 boards of the full deck", pb.StrengthsRequest(boards=["AhKhQh"] * 1509), ""),
    BadCall("StrengthProfiles", "100 boards", _profiles(*["2s3h4d5c9s"] * 100, deck="52", bin_count=32), ""),
    BadCall("FollowingBoards", "all rivers there are", _following(deal_count=3), ""),
    BadCall("Equity", "all deals of six players", _all_deals(5), ""),
    BadCall("Equity", "100,000,000,000 rollouts", _rolled(rollout_count=10**11), ""),
    BadCall("CheatSheet", "169 cells of 1,000,000,000 rollouts", _sheet(2, rollout_count=10**9), ""),
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
