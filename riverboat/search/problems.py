"""From a view of a hand to a problem of a search."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECKS
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index, holdings_of
from riverboat.opponents.buckets import BUCKET_COUNTS, HOLDING_COUNT, NOWHERE, places_on
from riverboat.opponents.card_models import CardModels
from riverboat.opponents.likely_holdings import board_places, follow
from riverboat.opponents.moves import SIZE_COUNT
from riverboat.rules.state import View
from riverboat.search.problem import Problem, added_up
from riverboat.strength.evaluation import boards_strengths
from riverboat.strength.tables import tables_of

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]
_DECK = DECKS["52"]
_SIZES = (0, 2, 4, SIZE_COUNT)  # the smallest bet, half a pot, a pot, everything
_BOARD_SIZES = (0, 3, 4, 5)
_FINEST = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldSettings:
    """How many boards are drawn in advance, and on how many run-outs the order of holdings on them is measured."""

    boards: int = 48
    runouts: int = 12
    infers: bool = True  # whether opponents' moves say anything about their cards


def problem_of(
    view: View, cards: CardModels, styles: F64, rng: np.random.Generator, settings: WorldSettings | None = None
) -> Problem:
    """Return the problem of a view; styles [P, C] says how likely each seat has each style."""
    settings = settings or WorldSettings()
    public = view.public
    if public.variant.deck is not _DECK:
        raise InvalidInput("", f"opponents are modelled in hold'em with 52 cards, not with {public.variant.deck.name}")
    followed = follow(view, cards)
    ranges = followed.ranges
    if not settings.infers:
        ranges = (ranges.sum((0, 1)) > 0).astype(np.float64) * np.ones_like(ranges)
    boards = _boards(view, rng, settings.boards if len(public.board) < 5 else 1)
    places = np.full((len(boards), 4, HOLDING_COUNT, 2), NOWHERE, np.uint8)
    for street in range(1, 4):
        known = street <= public.street
        for place, board in enumerate(boards):
            if known:
                places[place, street] = board_places(public.board[: _BOARD_SIZES[street]])
            else:
                places[place, street] = places_on(board[: _BOARD_SIZES[street]], settings.runouts)
    strengths = np.empty((len(boards), HOLDING_COUNT), np.uint16)
    boards_strengths(boards, _DECK.ranks[0], tables_of(_DECK.ordering, 7), strengths)
    holding = holding_index(_DECK, view.holding)
    sizes = np.zeros(SIZE_COUNT + 1, np.bool_)
    sizes[list(_SIZES)] = True
    return Problem(
        rules=np.array(public.rules),
        state=np.array(public.flat),
        record=followed.record,
        seat=view.seat,
        holding=holding,
        style=int(styles[view.seat].argmax()),
        big_blind=public.variant.big_blind,
        boards=boards,
        outcomes=_outcomes(places[:, :, holding]),
        strengths=strengths.astype(np.int64),
        places=places,
        masks=np.array(holdings_of(_DECK).masks),
        board_masks=np.bitwise_or.reduce(np.uint64(1) << boards.astype(np.uint64), axis=1),
        styles=added_up(styles),
        ranges=added_up(_never_empty(ranges)),
        tables=cards.tables,
        sizes=sizes,
    )


def _boards(view: View, rng: np.random.Generator, count: int) -> U8:
    """Return complete boards that continue the view's, without cards of its holding [K, 5]."""
    known = view.public.board
    left = np.array([card for card in _DECK.cards if card not in (*known, *view.holding)], np.uint8)
    missing = 5 - len(known)
    rows = [np.append(np.array(known, np.uint8), rng.choice(left, missing, replace=False)) for _ in range(count)]
    return np.ascontiguousarray(np.array(rows, np.uint8))


def _outcomes(places: U8) -> NDArray[np.int16]:
    """Return the bucket of the searching player [K, S] from its places [K, S, 2]."""
    middle = places.astype(np.float64).mean(-1)
    counts = np.array((1, *BUCKET_COUNTS[1:]))
    buckets: NDArray[np.int16] = np.minimum(counts - 1, middle * counts / _FINEST).astype(np.int16)
    return buckets


def _never_empty(ranges: F64) -> F64:
    """Return weights [P, C, H] in which no style is impossible: one that ruled out every holding gets all live ones."""
    live = ranges.sum((0, 1)) > 0
    return np.where(ranges.sum(-1, keepdims=True) > 0, ranges, live.astype(np.float64))
