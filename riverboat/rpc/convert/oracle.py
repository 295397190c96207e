"""Messages of the oracle's contract.

Decoding checks everything that can be checked without computing, and names the field in its errors.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deal, Deck, Ordering, check_board, find_deck, format_card, format_cards, parse_cards
from riverboat.cheatsheet import SheetStep
from riverboat.contracts.oracle import (
    BoardQuestion,
    BoardsQuestion,
    Category,
    CheatSheetQuestion,
    Classification,
    DealQuestion,
    Equity,
    EquityQuestion,
    EquityStep,
    Showdown,
    StudQuestion,
)
from riverboat.equity.matchup import MOST_OPPONENTS
from riverboat.equity.rollouts import check_rollouts
from riverboat.errors import InvalidInput, TooLarge, in_field
from riverboat.holdings import holdings_of
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.ranges import parse_range
from riverboat.spots.boards import Deals
from riverboat.strength.tables import scale_of
from riverboat.utility import check_stud_deck

MOST_HANDS = 1_000
_MOST_RANGES = 4
MOST_BOARDS = 7_500
MOST_BINS = 256  # of strength profiles
MOST_STRENGTH_BYTES = 4_000_000
DEFAULT_DECK = "52"
DEFAULT_CELL_ROLLOUTS = 100_000


def decode_deck(name: str) -> Deck:
    """A deck by name; the empty string is the full deck."""
    with in_field("deck"):
        return find_deck(name or DEFAULT_DECK)


def decode_cards(text: str, field: str) -> tuple[int, ...]:
    """Cards from their text."""
    with in_field(field):
        return parse_cards(text)


def decode_deal(request: pb.DealRequest) -> DealQuestion:
    """A DealRequest."""
    seed = request.seed if request.HasField("seed") else None
    return DealQuestion(
        deck=decode_deck(request.deck), holding_count=request.holding_count, board_size=request.board_size, seed=seed
    )


def decode_hands(request: pb.ClassifyRequest) -> tuple[Deck, list[tuple[int, ...]]]:
    """A ClassifyRequest."""
    deck = decode_deck(request.deck)
    if len(request.hands) > MOST_HANDS:
        raise TooLarge(f"{len(request.hands):,} hands are too many for one call; the limit is {MOST_HANDS:,}")
    return deck, [decode_cards(text, f"hands[{i}]") for i, text in enumerate(request.hands)]


def decode_showdown(request: pb.ShowdownRequest) -> tuple[Deck, tuple[int, ...], list[tuple[int, ...]]]:
    """A ShowdownRequest."""
    deck = decode_deck(request.deck)
    board = decode_cards(request.board, "board")
    if len(request.holdings) > len(deck.cards):
        raise InvalidInput(
            "holdings", f"{len(request.holdings):,} holdings need more cards than the {deck.name} deck has"
        )
    return deck, board, [decode_cards(text, f"holdings[{i}]") for i, text in enumerate(request.holdings)]


def decode_boards(request: pb.StrengthsRequest) -> tuple[Deck, NDArray[np.uint8]]:
    """A StrengthsRequest: the deck, and boards [K, cards] of one length."""
    deck = decode_deck(request.deck)
    if not request.boards:
        raise InvalidInput("boards", "there must be at least one")
    if len(request.boards) > MOST_BOARDS:
        raise TooLarge(f"{len(request.boards):,} boards are too many for one call; the limit is {MOST_BOARDS:,}")
    _check_size(len(request.boards), 2 * holdings_of(deck).count)
    return deck, _decode_boards(deck, request.boards)


def decode_profiles(request: pb.StrengthProfilesRequest) -> tuple[Deck, NDArray[np.uint8], int]:
    """A StrengthProfilesRequest: the deck, boards [K, cards] of one length, and how many bins."""
    deck = decode_deck(request.deck)
    if not deck.is_holdem:
        raise InvalidInput("deck", f"the {deck.name} deck has no run-outs to look at")
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
    """Boards of one length [K, cards]."""
    boards = [decode_cards(text, f"boards[{i}]") for i, text in enumerate(texts)]
    for i, board in enumerate(boards):
        with in_field(f"boards[{i}]"):
            check_board(deck, board)
            if deck.is_holdem and not board and not is_empty_possible:
                raise InvalidInput("", "there are no strengths before the flop: a hand has five cards or more")
            if len(board) != len(boards[0]):
                raise InvalidInput("", f"all boards must have as many cards as the first, {len(boards[0])}")
    return np.array(boards, np.uint8).reshape(len(boards), len(boards[0]))


def decode_utility(request: pb.UtilityRequest) -> BoardQuestion | StudQuestion:
    """A UtilityRequest."""
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
    """Some holdings, or all of them."""
    count = holdings_of(deck).count
    if not data:
        return np.arange(count, dtype=np.int32)
    if len(data) % 4 or len(data) > 4 * count:
        raise InvalidInput(field, f"must be int32, at most {count:,} of them, not {len(data):,} bytes")
    holdings = np.frombuffer(data, "<i4").astype(np.int32)
    if (holdings < 0).any() or (holdings >= count).any():
        raise InvalidInput(field, f"holdings are 0 to {count - 1}")
    return holdings


def decode_following(request: pb.FollowingBoardsRequest) -> BoardsQuestion:
    """A FollowingBoardsRequest."""
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


def encode_following(deals: Deals, items: NDArray[np.uint8]) -> pb.FollowingBoardsResponse:
    """The boards that can follow a board."""
    boards = deals.boards
    exchanges = {mirror.tobytes(): mirror for mirrors in boards.mirrors for mirror in mirrors}
    place = {key: i for i, key in enumerate(exchanges)}
    return pb.FollowingBoardsResponse(
        boards=[format_cards(cards) for cards in deals.cards],
        holding_count=boards.live.shape[1],
        level=boards.level.astype("<i4").tobytes(),
        parent=boards.parent.astype("<i4").tobytes(),
        chance=boards.chance.astype("<f8").tobytes(),
        live=np.packbits(boards.live, axis=1, bitorder="little").tobytes(),
        exchanges=b"".join(mirror.astype("<i4").tobytes() for mirror in exchanges.values()),
        mirror_counts=np.array([len(mirrors) for mirrors in boards.mirrors], "<i4").tobytes(),
        mirrors=np.array([place[m.tobytes()] for mirrors in boards.mirrors for m in mirrors], "<i4").tobytes(),
        items=items.tobytes(),
    )


def decode_range(message: pb.Range, deck: Deck) -> NDArray[np.float32] | None:
    """A Range as weights [H]; None if it is empty, which means random cards."""
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
    """An EquityRequest."""
    deck = decode_deck(request.deck)
    board = decode_cards(request.board, "board")
    if len(request.opponents) > MOST_OPPONENTS:
        raise InvalidInput("opponents", f"there must be 1 to {MOST_OPPONENTS} of them, not {len(request.opponents):,}")
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
    """A CheatSheetRequest."""
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


def encode_category(category: Category) -> pb.Category.ValueType:
    """A category by its name."""
    return pb.Category.Value(f"CATEGORY_{category.name}")


def encode_deck(deck: Deck) -> pb.Deck:
    """A deck."""
    small = (Category.HIGH_CARD, Category.PAIR)[: len(deck.board_sizes)]
    categories = small if deck.ordering is Ordering.PAIR else scale_of(deck.ordering).places
    return pb.Deck(
        name=deck.name,
        about=deck.about,
        cards=map(format_card, deck.cards),
        holding_size=deck.holding_size,
        holding_count=holdings_of(deck).count,
        board_sizes=deck.board_sizes,
        categories=map(encode_category, categories),
    )


@cache
def encode_decks(decks: tuple[Deck, ...]) -> pb.ListDecksResponse:
    """All decks."""
    return pb.ListDecksResponse(decks=map(encode_deck, decks))


@cache
def encode_deck_with_holdings(deck: Deck) -> pb.GetDeckResponse:
    """A deck and its holdings in axis order."""
    holdings = holdings_of(deck)
    return pb.GetDeckResponse(deck=encode_deck(deck), holdings=map(holdings.label, range(holdings.count)))


def encode_deal(deal: Deal, seed: int) -> pb.DealResponse:
    """A deal and the seed that repeats it."""
    return pb.DealResponse(
        holdings=map(format_cards, deal.holdings),
        board=format_cards(deal.board),
        stub=format_cards(deal.stub),
        seed=seed,
    )


def encode_classification(hand: Classification) -> pb.Classification:
    """What one hand is."""
    return pb.Classification(
        category=encode_category(hand.category),
        strength=hand.strength,
        best=format_cards(hand.best),
        words=hand.words,
    )


def encode_classifications(hands: Sequence[Classification]) -> pb.ClassifyResponse:
    """What hands are."""
    return pb.ClassifyResponse(classifications=map(encode_classification, hands))


def encode_showdown(showdown: Showdown) -> pb.ShowdownResponse:
    """A showdown."""
    return pb.ShowdownResponse(
        hands=map(encode_classification, showdown.hands), winners=showdown.winners, places=showdown.places
    )


def encode_profiles(profiles: NDArray[np.float32], means: NDArray[np.float32]) -> pb.StrengthProfilesResponse:
    """Profiles [K, H, bins] and average percentiles [K, H]."""
    board_count, holding_count = means.shape
    return pb.StrengthProfilesResponse(
        profiles=profiles.astype("<f4").tobytes(),
        means=means.astype("<f4").tobytes(),
        board_count=board_count,
        holding_count=holding_count,
    )


def encode_strengths(strengths: NDArray[np.uint16]) -> pb.StrengthsResponse:
    """Strengths [K, H]."""
    board_count, holding_count = strengths.shape
    return pb.StrengthsResponse(
        strengths=strengths.astype("<u2").tobytes(), board_count=board_count, holding_count=holding_count
    )


def encode_utility(first_row: int, rows: NDArray[np.float32]) -> pb.UtilityResponse:
    """Some rows of a utility matrix."""
    return pb.UtilityResponse(
        values=rows.astype("<f4").tobytes(), first_row=first_row, row_count=rows.shape[0], column_count=rows.shape[1]
    )


def encode_equity(equity: Equity, seed: int) -> pb.EquityResult:
    """An equity, and the seed of its rollouts."""
    return pb.EquityResult(
        win=equity.win,
        tie=equity.tie,
        equity=equity.equity,
        error=equity.error,
        deal_count=equity.deal_count,
        exact=equity.exact,
        seed=0 if equity.exact else seed,
    )


def encode_step(step: EquityStep, seed: int) -> pb.EquityResponse:
    """A step towards an equity: progress, or the result if it is the last."""
    so_far = encode_equity(step.equity, seed) if step.equity else None
    if step.done >= 1:
        return pb.EquityResponse(result=so_far)
    return pb.EquityResponse(progress=pb.EquityResponse.Progress(done=step.done, so_far=so_far))


def encode_sheet_step(step: SheetStep, seed: int) -> pb.CheatSheetResponse:
    """A cell of a cheat sheet, or just how far it is."""
    done, cell = step
    if cell is None:
        return pb.CheatSheetResponse(done=done)
    return pb.CheatSheetResponse(
        done=done,
        cell=pb.CheatSheetResponse.Cell(
            label=cell.label,
            opponent_count=cell.opponent_count,
            holding_count=cell.holding_count,
            equity=encode_equity(cell.equity, seed),
        ),
    )
