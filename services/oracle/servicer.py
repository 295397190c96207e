"""The oracle's contract: decode, one call, encode."""

from collections.abc import AsyncIterator
from typing import Any

import grpc

from riverboat.cards import DECKS
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1 import oracle_pb2_grpc
from riverboat.rpc.convert import oracle as questions
from riverboat.rpc.convert import oracle_answers as answers
from riverboat.rpc.work import Workers
from riverboat.services.oracle.oracle import Oracle
from riverboat.services.oracle.preflop_profiles import profiles_on_boards
from riverboat.strength.hands import showdown, strengths_on_boards

Context = grpc.aio.ServicerContext[Any, Any]


class OracleServicer(oracle_pb2_grpc.OracleServicer):
    """Serves riverboat.oracle.v1.Oracle."""

    def __init__(self, oracle: Oracle, workers: Workers) -> None:
        self._oracle = oracle
        self._workers = workers

    async def ListDecks(self, request: pb.ListDecksRequest, context: Context) -> pb.ListDecksResponse:
        return answers.encode_decks(tuple(DECKS.values()))

    async def GetDeck(self, request: pb.GetDeckRequest, context: Context) -> pb.GetDeckResponse:
        return answers.encode_deck_with_holdings(questions.decode_deck(request.deck))

    async def Deal(self, request: pb.DealRequest, context: Context) -> pb.DealResponse:
        return answers.encode_deal(*self._oracle.deal(questions.decode_deal(request)))

    async def Classify(self, request: pb.ClassifyRequest, context: Context) -> pb.ClassifyResponse:
        return await self._workers.call(
            lambda: answers.encode_classifications(self._oracle.classify(*questions.decode_hands(request))),
            size=len(request.hands),
        )

    async def Showdown(self, request: pb.ShowdownRequest, context: Context) -> pb.ShowdownResponse:
        return await self._workers.call(
            lambda: answers.encode_showdown(showdown(*questions.decode_showdown(request))), size=len(request.holdings)
        )

    async def Strengths(self, request: pb.StrengthsRequest, context: Context) -> pb.StrengthsResponse:
        return await self._workers.call(
            lambda: answers.encode_strengths(strengths_on_boards(*questions.decode_boards(request))),
            size=len(request.boards),
        )

    async def StrengthProfiles(
        self, request: pb.StrengthProfilesRequest, context: Context
    ) -> pb.StrengthProfilesResponse:
        return await self._workers.call_on_thread(
            lambda: answers.encode_profiles(*profiles_on_boards(*questions.decode_profiles(request)))
        )

    async def Features(self, request: pb.FeaturesRequest, context: Context) -> pb.FeaturesResponse:
        return await self._workers.call_on_thread(
            lambda: answers.encode_features(self._oracle.features(questions.decode_features(request)))
        )

    async def Utility(self, request: pb.UtilityRequest, context: Context) -> AsyncIterator[pb.UtilityResponse]:
        async for chunk in self._workers.stream(lambda: self._oracle.utility(questions.decode_utility(request))):
            yield answers.encode_utility(*chunk)

    async def FollowingBoards(self, request: pb.FollowingBoardsRequest, context: Context) -> pb.FollowingBoardsResponse:
        return await self._workers.call_on_thread(
            lambda: answers.encode_following(*self._oracle.following_boards(questions.decode_following(request)))
        )

    async def Equity(self, request: pb.EquityRequest, context: Context) -> AsyncIterator[pb.EquityResponse]:
        async for step in self._workers.stream(lambda: self._oracle.equity(questions.decode_equity(request))):
            yield answers.encode_step(*step)

    async def CheatSheet(self, request: pb.CheatSheetRequest, context: Context) -> AsyncIterator[pb.CheatSheetResponse]:
        async for step in self._workers.stream(lambda: self._oracle.cheat_sheet(questions.decode_cheat_sheet(request))):
            yield answers.encode_sheet_step(*step)
