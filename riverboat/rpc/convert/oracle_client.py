"""Messages of the oracle's contract as its clients need them: requests out, answers in."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deal, parse_cards
from riverboat.contracts.oracle import Category, Cell, Classification, Equity, EquityStep, EquityText, Showdown
from riverboat.errors import InvalidInput
from riverboat.protos.oracle.v1 import oracle_pb2 as pb


def encode_equity(question: EquityText) -> pb.EquityRequest:
    """Encode a question about an equity; the oracle chooses the method unless something asks for one."""
    opponents = [pb.Range(text=text) for text in question.opponents]
    request = pb.EquityRequest(
        deck=question.deck, board=question.board, hero=pb.Range(text=question.hero), opponents=opponents
    )
    if question.exact:
        request.exact.SetInParent()
    elif question.wants_rollouts:
        request.rollouts.rollout_count = question.rollout_count or 0
        request.rollouts.target_error = question.target_error or 0.0
        if question.seed is not None:
            request.rollouts.seed = question.seed
    return request


def decode_equity_step(message: pb.EquityResponse) -> tuple[EquityStep, int]:
    """Decode a step towards an equity, and the seed of its rollouts (0 for none)."""
    if message.WhichOneof("step") == "result":
        return EquityStep(done=1.0, equity=_decode_equity(message.result)), message.result.seed
    progress = message.progress
    if not progress.HasField("so_far"):
        return EquityStep(done=progress.done, equity=None), 0
    return EquityStep(done=progress.done, equity=_decode_equity(progress.so_far)), progress.so_far.seed


def decode_sheet_step(message: pb.CheatSheetResponse) -> tuple[Cell | None, float, int]:
    """Decode a cell of a cheat sheet if one is done, how much of the sheet is (0..1), and the seed of its rollouts."""
    cell = message.cell
    if not message.HasField("cell"):
        return None, message.done, 0
    value = Cell(
        label=cell.label,
        opponent_count=cell.opponent_count,
        holding_count=cell.holding_count,
        equity=_decode_equity(cell.equity),
    )
    return value, message.done, cell.equity.seed


def decode_deal(message: pb.DealResponse) -> tuple[Deal, int]:
    """Decode a deal and its seed."""
    holdings = tuple(map(parse_cards, message.holdings))
    return Deal(holdings, parse_cards(message.board), parse_cards(message.stub)), message.seed


def decode_classification(message: pb.Classification) -> Classification:
    """Decode the category and strength of a hand."""
    category = Category[pb.Category.Name(message.category).removeprefix("CATEGORY_")]
    return Classification(
        category=category, strength=message.strength, best=parse_cards(message.best), words=message.words
    )


def decode_showdown(message: pb.ShowdownResponse) -> Showdown:
    """Decode holdings compared on a board."""
    return Showdown(
        hands=tuple(map(decode_classification, message.hands)),
        winners=tuple(message.winners),
        places=tuple(message.places),
    )


def decode_matrix(messages: Iterable[pb.UtilityResponse]) -> NDArray[np.float32]:
    """Decode a utility matrix from its chunks of rows."""
    chunks = [np.frombuffer(chunk.values, "<f4").reshape(chunk.row_count, chunk.column_count) for chunk in messages]
    return np.concatenate(chunks).astype(np.float32)


def decode_features(message: pb.FeaturesResponse) -> NDArray[np.float32]:
    """Decode card features [N, F]."""
    shape = (message.holding_count, message.feature_count)
    if len(message.features) != 4 * shape[0] * shape[1]:
        raise InvalidInput("features", f"{len(message.features):,} bytes are not float32 {list(shape)}")
    return np.frombuffer(message.features, "<f4").astype(np.float32).reshape(shape)


def _decode_equity(message: pb.EquityResult) -> Equity:
    return Equity(
        win=message.win,
        tie=message.tie,
        equity=message.equity,
        error=message.error,
        deal_count=message.deal_count,
        exact=message.exact,
    )
