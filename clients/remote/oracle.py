"""The oracle's contract from the asking side: text and numbers in, Riverboat's values out."""

from collections.abc import Iterator, Sequence

import grpc
import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deal, parse_cards
from riverboat.contracts.oracle import Category, Cell, Classification, Equity, EquityStep, Showdown
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1 import oracle_pb2_grpc


class OracleClient:
    """Asks one oracle; errors are grpc.RpcError."""

    def __init__(self, channel: grpc.Channel, address: str) -> None:
        self.address = address
        self._stub = oracle_pb2_grpc.OracleStub(channel)

    def answers(self, timeout: float) -> bool:
        """Whether the oracle answers within `timeout` seconds."""
        try:
            self._stub.ListDecks(pb.ListDecksRequest(), timeout=timeout, wait_for_ready=True)
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                return False
            raise
        return True

    def decks(self) -> list[tuple[str, str, int, int]]:
        """Name, description, cards and holdings of each deck."""
        decks = self._stub.ListDecks(pb.ListDecksRequest()).decks
        return [(deck.name, deck.about, len(deck.cards), deck.holding_count) for deck in decks]

    def deal(self, deck: str, holding_count: int, board_size: int, seed: int | None) -> tuple[Deal, int]:
        """A deal and its seed."""
        found = self._stub.Deal(
            pb.DealRequest(deck=deck, holding_count=holding_count, board_size=board_size, seed=seed)
        )
        holdings = tuple(parse_cards(text) for text in found.holdings)
        return Deal(holdings, parse_cards(found.board), parse_cards(found.stub)), found.seed

    def classify(self, deck: str, hands: Sequence[str]) -> list[Classification]:
        """What hands are."""
        found = self._stub.Classify(pb.ClassifyRequest(deck=deck, hands=hands))
        return [_classification(message) for message in found.classifications]

    def showdown(self, deck: str, board: str, holdings: Sequence[str]) -> Showdown:
        """Holdings compared on a board."""
        found = self._stub.Showdown(pb.ShowdownRequest(deck=deck, board=board, holdings=holdings))
        return Showdown(
            hands=tuple(map(_classification, found.hands)), winners=tuple(found.winners), places=tuple(found.places)
        )

    def board_utility(self, deck: str, board: str) -> NDArray[np.float32]:
        """The utility matrix of a board."""
        return self._matrix(pb.UtilityRequest(deck=deck, board=board))

    def stud_utility(self, deck: str, mine: str, theirs: str) -> NDArray[np.float32]:
        """The utility matrix of five-card stud."""
        return self._matrix(pb.UtilityRequest(deck=deck, stud=pb.UtilityRequest.Stud(mine=mine, theirs=theirs)))

    def _matrix(self, request: pb.UtilityRequest) -> NDArray[np.float32]:
        chunks = [
            np.frombuffer(chunk.values, "<f4").reshape(chunk.row_count, chunk.column_count)
            for chunk in self._stub.Utility(request)
        ]
        return np.concatenate(chunks).astype(np.float32)

    def equity(
        self,
        deck: str,
        board: str,
        hero: str,
        opponents: Sequence[str],
        exact: bool,
        rollout_count: int | None,
        target_error: float | None,
        seed: int | None,
    ) -> Iterator[tuple[EquityStep, int]]:
        """Steps towards an equity with the seed of its rollouts; the last step has the result."""
        request = pb.EquityRequest(
            deck=deck, board=board, hero=pb.Range(text=hero), opponents=[pb.Range(text=text) for text in opponents]
        )
        if exact:
            request.exact.SetInParent()
        elif rollout_count is not None or target_error is not None or seed is not None:
            request.rollouts.rollout_count = rollout_count or 0
            request.rollouts.target_error = target_error or 0.0
            if seed is not None:
                request.rollouts.seed = seed
        for message in self._stub.Equity(request):
            if message.WhichOneof("step") == "result":
                yield EquityStep(1.0, _equity(message.result)), message.result.seed
            else:
                so_far = message.progress.so_far if message.progress.HasField("so_far") else None
                yield (
                    EquityStep(message.progress.done, _equity(so_far) if so_far else None),
                    so_far.seed if so_far else 0,
                )

    def cheat_sheet(
        self,
        deck: str,
        board: str,
        opponent_counts: Sequence[int],
        rollout_count: int,
        seed: int | None,
        no_exact: bool,
    ) -> Iterator[tuple[Cell | None, float, int]]:
        """Cells of a cheat sheet as they are done, how much of it is, and the seed of its rollouts."""
        request = pb.CheatSheetRequest(
            deck=deck,
            board=board,
            opponent_counts=opponent_counts,
            rollout_count=rollout_count,
            seed=seed,
            no_exact=no_exact,
        )
        for message in self._stub.CheatSheet(request):
            cell = message.cell
            found = Cell(
                label=cell.label,
                opponent_count=cell.opponent_count,
                holding_count=cell.holding_count,
                equity=_equity(cell.equity),
            )
            yield (found if message.HasField("cell") else None), message.done, cell.equity.seed


def _classification(message: pb.Classification) -> Classification:
    category = Category[pb.Category.Name(message.category).removeprefix("CATEGORY_")]
    return Classification(
        category=category, strength=message.strength, best=parse_cards(message.best), words=message.words
    )


def _equity(message: pb.EquityResult) -> Equity:
    return Equity(
        win=message.win,
        tie=message.tie,
        equity=message.equity,
        error=message.error,
        deal_count=message.deal_count,
        exact=message.exact,
    )
