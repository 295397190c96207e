"""The oracle's contract with text, numbers and values instead of messages; errors are grpc.RpcError."""

from collections.abc import Iterator, Sequence

import grpc
import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deal
from riverboat.clients.remote.channels import is_answered
from riverboat.contracts.oracle import Cell, Classification, EquityStep, EquityText, Showdown
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub
from riverboat.rpc.convert import oracle_client as convert


class OracleClient:
    """A client of one oracle."""

    def __init__(self, channel: grpc.Channel, address: str) -> None:
        self.address = address
        self._stub = OracleStub(channel)

    def answers(self, timeout: float) -> bool:
        """Return whether the oracle answers within `timeout` seconds."""
        return is_answered(self._stub.ListDecks, pb.ListDecksRequest(), timeout)

    def decks(self) -> list[tuple[str, str, int, int]]:
        """Return the name, description, number of cards and number of holdings of each deck."""
        decks = self._stub.ListDecks(pb.ListDecksRequest()).decks
        return [(deck.name, deck.about, len(deck.cards), deck.holding_count) for deck in decks]

    def deal(self, *, deck: str, holding_count: int, board_size: int, seed: int | None) -> tuple[Deal, int]:
        """Deal; return the deal and its seed."""
        request = pb.DealRequest(deck=deck, holding_count=holding_count, board_size=board_size, seed=seed)
        return convert.decode_deal(self._stub.Deal(request))

    def classify(self, deck: str, hands: Sequence[str]) -> list[Classification]:
        """Return the category and strength of each hand."""
        answer = self._stub.Classify(pb.ClassifyRequest(deck=deck, hands=hands))
        return list(map(convert.decode_classification, answer.classifications))

    def showdown(self, *, deck: str, board: str, holdings: Sequence[str]) -> Showdown:
        """Compare holdings on a board."""
        request = pb.ShowdownRequest(deck=deck, board=board, holdings=holdings)
        return convert.decode_showdown(self._stub.Showdown(request))

    def board_utility(self, *, deck: str, board: str) -> NDArray[np.float32]:
        """Return the utility matrix of a board [H, H]."""
        return convert.decode_matrix(self._stub.Utility(pb.UtilityRequest(deck=deck, board=board)))

    def stud_utility(self, *, deck: str, mine: str, theirs: str) -> NDArray[np.float32]:
        """Return the utility matrix of five-card stud, from four visible cards of each player."""
        request = pb.UtilityRequest(deck=deck, stud=pb.UtilityRequest.Stud(mine=mine, theirs=theirs))
        return convert.decode_matrix(self._stub.Utility(request))

    def features(self, *, deck: str, board: str, holdings: Sequence[str]) -> NDArray[np.float32]:
        """Return the card features of holdings on a board [N, F]; of all holdings [H, F] if none are named."""
        request = pb.FeaturesRequest(deck=deck, board=board, holdings=holdings)
        return convert.decode_features(self._stub.Features(request))

    def equity(self, question: EquityText) -> Iterator[tuple[EquityStep, int]]:
        """Yield steps towards an equity, each with the seed of its rollouts; the last step has the result."""
        yield from map(convert.decode_equity_step, self._stub.Equity(convert.encode_equity(question)))

    def cheat_sheet(
        self,
        *,
        deck: str,
        board: str,
        opponent_counts: Sequence[int],
        rollout_count: int,
        seed: int | None,
        no_exact: bool,
    ) -> Iterator[tuple[Cell | None, float, int]]:
        """Yield the cells of a cheat sheet as they are done, the share of the sheet done, and the rollouts' seed."""
        request = pb.CheatSheetRequest(
            deck=deck,
            board=board,
            opponent_counts=opponent_counts,
            rollout_count=rollout_count,
            seed=seed,
            no_exact=no_exact,
        )
        yield from map(convert.decode_sheet_step, self._stub.CheatSheet(request))
