"""Answers of the oracle's contract, as messages."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deal, Deck, Ordering, format_card, format_cards
from riverboat.cheatsheet import SheetStep
from riverboat.contracts.oracle import Category, Classification, Equity, EquityStep, Showdown
from riverboat.holdings import holdings_of
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.spots.boards import Deals
from riverboat.strength.tables import scale_of


def encode_following(deals: Deals, items: NDArray[np.uint8]) -> pb.FollowingBoardsResponse:
    """Encode the boards that can follow a board."""
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


def encode_category(category: Category) -> pb.Category.ValueType:
    """Encode a category by its name."""
    return pb.Category.Value(f"CATEGORY_{category.name}")


def encode_deck(deck: Deck) -> pb.Deck:
    """Encode a deck."""
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
    """Encode all decks."""
    return pb.ListDecksResponse(decks=map(encode_deck, decks))


@cache
def encode_deck_with_holdings(deck: Deck) -> pb.GetDeckResponse:
    """Encode a deck and its holdings in axis order."""
    holdings = holdings_of(deck)
    return pb.GetDeckResponse(deck=encode_deck(deck), holdings=map(holdings.label, range(holdings.count)))


def encode_deal(deal: Deal, seed: int) -> pb.DealResponse:
    """Encode a deal and the seed that repeats it."""
    return pb.DealResponse(
        holdings=map(format_cards, deal.holdings),
        board=format_cards(deal.board),
        stub=format_cards(deal.stub),
        seed=seed,
    )


def encode_classification(hand: Classification) -> pb.Classification:
    """Encode the category and strength of one hand."""
    return pb.Classification(
        category=encode_category(hand.category), strength=hand.strength, best=format_cards(hand.best), words=hand.words
    )


def encode_classifications(hands: Sequence[Classification]) -> pb.ClassifyResponse:
    """Encode the categories and strengths of hands."""
    return pb.ClassifyResponse(classifications=map(encode_classification, hands))


def encode_showdown(showdown: Showdown) -> pb.ShowdownResponse:
    """Encode a showdown."""
    return pb.ShowdownResponse(
        hands=map(encode_classification, showdown.hands), winners=showdown.winners, places=showdown.places
    )


def encode_profiles(profiles: NDArray[np.float32], means: NDArray[np.float32]) -> pb.StrengthProfilesResponse:
    """Encode profiles [K, H, bins] and average percentiles [K, H]."""
    board_count, holding_count = means.shape
    return pb.StrengthProfilesResponse(
        profiles=profiles.astype("<f4").tobytes(),
        means=means.astype("<f4").tobytes(),
        board_count=board_count,
        holding_count=holding_count,
    )


def encode_strengths(strengths: NDArray[np.uint16]) -> pb.StrengthsResponse:
    """Encode strengths [K, H]."""
    board_count, holding_count = strengths.shape
    return pb.StrengthsResponse(
        strengths=strengths.astype("<u2").tobytes(), board_count=board_count, holding_count=holding_count
    )


def encode_features(features: NDArray[np.float32]) -> pb.FeaturesResponse:
    """Encode card features [N, F]."""
    holding_count, feature_count = features.shape
    return pb.FeaturesResponse(
        features=features.astype("<f4").tobytes(), holding_count=holding_count, feature_count=feature_count
    )


def encode_utility(first_row: int, rows: NDArray[np.float32]) -> pb.UtilityResponse:
    """Encode some rows of a utility matrix."""
    return pb.UtilityResponse(
        values=rows.astype("<f4").tobytes(), first_row=first_row, row_count=rows.shape[0], column_count=rows.shape[1]
    )


def encode_equity(equity: Equity, seed: int) -> pb.EquityResult:
    """Encode an equity, and the seed of its rollouts."""
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
    """Encode a step towards an equity: progress, or the result if it is the last."""
    so_far = encode_equity(step.equity, seed) if step.equity else None
    if step.done >= 1:
        return pb.EquityResponse(result=so_far)
    return pb.EquityResponse(progress=pb.EquityResponse.Progress(done=step.done, so_far=so_far))


def encode_sheet_step(step: SheetStep, seed: int) -> pb.CheatSheetResponse:
    """Encode a cell of a cheat sheet, or only progress."""
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
