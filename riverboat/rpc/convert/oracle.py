"""Questions of the oracle's contract: messages to values.

Decoding checks everything that can be checked without computing, and names the field in its errors.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck, check_board, find_deck, parse_cards
from riverboat.contracts.oracle import (
    BoardQuestion,
    BoardsQuestion,
    CheatSheetQuestion,
    DealQuestion,
    EquityQuestion,
    FeaturesQuestion,
    StudQuestion,
)
from riverboat.equity.matchup import MOST_OPPONENTS
from riverboat.equity.rollouts import check_rollouts
from riverboat.errors import InvalidInput, TooLarge, in_field
from riverboat.features.card_features import check_features
from riverboat.holdings import holdings_of
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.ranges import parse_range
from riverboat.utility import check_stud_deck

MOST_HANDS = 1_000
_MOST_RANGES = 4
MOST_BOARDS = 7_500
MOST_BINS = 256  # of strength profiles
MOST_FEATURE_HOLDINGS = 1_326
MOST_STRENGTH_BYTES = 4_000_000
DEFAULT_DECK = "52"
DEFAULT_CELL_ROLLOUTS = 100_000


def decode_deck(name: str) -> Deck:
    """Decode a deck from its name; the empty string is the full deck."""
    with in_field("deck"):
        return find_deck(name or DEFAULT_DECK)


def decode_cards(text: str, field: str) -> tuple[int, ...]:
    """Decode cards from their text."""
    with in_field(field):
        return parse_cards(text)


def decode_deal(request: pb.DealRequest) -> DealQuestion:
    """Decode a DealRequest."""
    seed = request.seed if request.HasField("seed") else None
    return DealQuestion(
        deck=decode_deck(request.deck), holding_count=request.holding_count, board_size=request.board_size, seed=seed
    )


def decode_hands(request: pb.ClassifyRequest) -> tuple[Deck, list[tuple[int, ...]]]:
    """Decode a ClassifyRequest."""
    deck = decode_deck(request.deck)
    if len(request.hands) > MOST_HANDS:
        raise TooLarge(f"{len(request.hands):,} hands are too many for one call; the limit is {MOST_HANDS:,}")
    return deck, [decode_cards(text, f"hands[{i}]") for i, text in enumerate(request.hands)]


def decode_showdown(request: pb.ShowdownRequest) -> tuple[Deck, tuple[int, ...], list[tuple[int, ...]]]:
    """Decode a ShowdownRequest."""
    deck = decode_deck(request.deck)
    board = decode_cards(request.board, "board")
    if len(request.holdings) > len(deck.cards):
        raise InvalidInput(
            "holdings", f"{len(request.holdings):,} holdings need more cards than the {deck.name} deck has"
        )
    return deck, board, [decode_cards(text, f"holdings[{i}]") for i, text in enumerate(request.holdings)]


def decode_boards(request: pb.StrengthsRequest) -> tuple[Deck, NDArray[np.uint8]]:
    """Decode a StrengthsRequest: the deck, and boards [K, cards] of one length."""
    deck = decode_deck(request.deck)
    if not request.boards:
        raise InvalidInput("boards", "there must be at least one")
    if len(request.boards) > MOST_BOARDS:
        raise TooLarge(f"{len(request.boards):,} boards are too many for one call; the limit is {MOST_BOARDS:,}")
    _check_size(len(request.boards), 2 * holdings_of(deck).count)
    return deck, _decode_boards(deck, request.boards)


def decode_profiles(request: pb.StrengthProfilesRequest) -> tuple[Deck, NDArray[np.uint8], int]:
    """Decode a StrengthProfilesRequest: the deck, boards [K, cards] of one length, and the number of bins."""
    deck = decode_deck(request.deck)
    if not deck.is_holdem:
        raise InvalidInput("deck", f"profiles are for decks with two private cards, not {deck.name}")
    if not MOST_BINS >= request.bin_count >= 2:
        raise InvalidInput("bin_count", f"must be between 2 and {MOST_BINS}, not {request.bin_count}")
    if not request.boards:
        raise InvalidInput("boards", "there must be at least one")
    _check_size(len(request.boards), 4 * holdings_of(deck).count * (request.bin_count + 1))
    return deck, _decode_boards(deck, request.boards, is_empty_possible=True), request.bin_count


def _check_size(board_count: int, bytes_each: int) -> None:
    size = board_count * bytes_each
    if size > MOST_STRENGTH_BYTES:
        raise TooLarge(f"{board_count:,} boards make an answer of {size:,} bytes; the limit is {MOST_STRENGTH_BYTES:,}")


def _decode_boards(deck: Deck, texts: Sequence[str], is_empty_possible: bool = False) -> NDArray[np.uint8]:
    """Decode boards of one length [K, cards]."""
    boards = [decode_cards(text, f"boards[{i}]") for i, text in enumerate(texts)]
    for i, board in enumerate(boards):
        with in_field(f"boards[{i}]"):
            check_board(deck, board)
            if deck.is_holdem and not board and not is_empty_possible:
                raise InvalidInput("", "there are no strengths before the flop: a hand has five cards or more")
            if len(board) != len(boards[0]):
                raise InvalidInput("", f"all boards must have as many cards as the first, {len(boards[0])}")
    return np.array(boards, np.uint8).reshape(len(boards), len(boards[0]))


def decode_features(request: pb.FeaturesRequest) -> FeaturesQuestion:
    """Decode a FeaturesRequest."""
    deck = decode_deck(request.deck)
    board = decode_cards(request.board, "board")
    if len(request.holdings) > MOST_FEATURE_HOLDINGS:
        count, most = len(request.holdings), MOST_FEATURE_HOLDINGS
        raise TooLarge(f"{count:,} holdings are too many for one call; the limit is {most:,}")
    holdings = tuple(decode_cards(text, f"holdings[{i}]") for i, text in enumerate(request.holdings))
    check_features(deck, board, holdings)
    return FeaturesQuestion(deck=deck, board=board, holdings=holdings)


def decode_utility(request: pb.UtilityRequest) -> BoardQuestion | StudQuestion:
    """Decode a UtilityRequest."""
    deck = decode_deck(request.deck)
    if request.WhichOneof("situation") == "stud":
        check_stud_deck(deck)
        with in_field("stud"):
            mine, theirs = decode_cards(request.stud.mine, "mine"), decode_cards(request.stud.theirs, "theirs")
            return StudQuestion(deck=deck, mine=mine, theirs=theirs)
    board = decode_cards(request.board, "board")
    if not request.rows and not request.columns:
        return BoardQuestion(deck=deck, board=board)
    rows, columns = (_decode_holdings(deck, name, getattr(request, name)) for name in ("rows", "columns"))
    return BoardQuestion(deck=deck, board=board, rows=rows, columns=columns)


def _decode_holdings(deck: Deck, field: str, data: bytes) -> NDArray[np.int32]:
    """Decode a list of holdings; empty for all of them."""
    count = holdings_of(deck).count
    if not data:
        return np.arange(count, dtype=np.int32)
    if len(data) % 4 or len(data) > 4 * count:
        raise InvalidInput(field, f"must be at most {count:,} numbers of 4 bytes (int32), not {len(data):,} bytes")
    holdings = np.frombuffer(data, "<i4").astype(np.int32)
    if (holdings < 0).any() or (holdings >= count).any():
        raise InvalidInput(field, f"holdings are 0 to {count - 1}")
    return holdings


def decode_following(request: pb.FollowingBoardsRequest) -> BoardsQuestion:
    """Decode a FollowingBoardsRequest."""
    deck = decode_deck(request.deck)
    board = decode_cards(request.board, "board")
    with in_field("board"):
        check_board(deck, board)
        if len(board) not in deck.board_sizes:
            raise InvalidInput("", f"must have {', '.join(map(str, deck.board_sizes))} cards, not {len(board)}")
    left = len(deck.board_sizes) - 1 - deck.board_sizes.index(len(board))
    if not 0 <= request.deal_count <= left:
        raise InvalidInput("deal_count", f"must be 0 to {left} from here, not {request.deal_count}")
    if request.board_count < 0:
        raise InvalidInput("board_count", f"cannot be negative, but is {request.board_count}")
    if len(request.ranges) > _MOST_RANGES:
        raise InvalidInput("ranges", f"must be at most {_MOST_RANGES}, not {len(request.ranges)}")
    weights = [np.zeros((0, holdings_of(deck).count), np.float32)]
    for i, message in enumerate(request.ranges):
        with in_field(f"ranges[{i}]"):
            given = decode_range(message, deck)
            weights += [] if given is None else [given[None, :]]
    return BoardsQuestion(
        deck=deck,
        board=board,
        deal_count=request.deal_count,
        weights=np.concatenate(weights),
        keep_all=request.keep_all,
        sampled=request.board_count or None,
        seed=request.seed,
    )


def decode_range(message: pb.Range, deck: Deck) -> NDArray[np.float32] | None:
    """Decode a Range as weights [H]; None if it is empty, which means random cards."""
    match message.WhichOneof("range"):
        case "text":
            with in_field("text"):
                return parse_range(message.text, deck)
        case "weights":
            size = 4 * holdings_of(deck).count
            if len(message.weights) != size:
                raise InvalidInput(
                    "weights", f"must be {size} bytes, float32 for each holding, not {len(message.weights)}"
                )
            weights = np.frombuffer(message.weights, "<f4").astype(np.float32)
            if not np.all(np.isfinite(weights)) or np.any(weights < 0):
                raise InvalidInput("weights", "must be finite numbers, none below zero")
            return weights
    return None


def decode_equity(request: pb.EquityRequest) -> EquityQuestion:
    """Decode an EquityRequest."""
    deck = decode_deck(request.deck)
    board = decode_cards(request.board, "board")
    if len(request.opponents) > MOST_OPPONENTS:
        raise InvalidInput(
            "opponents", f"there must be 1 to {MOST_OPPONENTS} opponents, not {len(request.opponents):,}"
        )
    with in_field("hero"):
        hero = decode_range(request.hero, deck)
        if hero is None:
            raise InvalidInput("", "a holding or a range must be given")
    opponents = []
    for i, message in enumerate(request.opponents):
        with in_field(f"opponents[{i}]"):
            opponents.append(decode_range(message, deck))
    question = EquityQuestion(deck=deck, board=board, hero=hero, opponents=tuple(opponents))
    method = request.WhichOneof("method")
    if method != "rollouts":
        return replace(question, exact=True if method == "exact" else None)
    rollouts = request.rollouts
    with in_field("rollouts"):
        check_rollouts(rollouts.rollout_count or 1, rollouts.target_error)  # 0 for no count of its own
    seed = rollouts.seed if rollouts.HasField("seed") else None
    return replace(
        question,
        exact=False,
        rollout_count=rollouts.rollout_count or None,
        target_error=rollouts.target_error,
        seed=seed,
    )


def decode_cheat_sheet(request: pb.CheatSheetRequest) -> CheatSheetQuestion:
    """Decode a CheatSheetRequest."""
    deck = decode_deck(request.deck)
    board = decode_cards(request.board, "board")
    if len(request.opponent_counts) > MOST_OPPONENTS:
        raise InvalidInput("opponent_counts", f"must be at most {MOST_OPPONENTS} different numbers")
    check_rollouts(request.rollout_count or DEFAULT_CELL_ROLLOUTS, 0.0)
    seed = request.seed if request.HasField("seed") else None
    return CheatSheetQuestion(
        deck=deck,
        board=board,
        opponent_counts=list(request.opponent_counts),
        rollout_count=request.rollout_count or DEFAULT_CELL_ROLLOUTS,
        exact_heads_up=not request.no_exact,
        seed=seed,
    )
