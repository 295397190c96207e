"""FollowingBoards. Boards may come in any order; each comes once, as itself or as a mirror."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECKS, Deck, format_cards, parse_cards
from riverboat.clients.conformance.expectations import array, close, require, same, short
from riverboat.clients.conformance.oracle.common import ORACLE, stub
from riverboat.clients.conformance.server import Server
from riverboat.holdings import holdings_of, live_holdings
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.ranges import parse_range


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """A FollowingBoardsResponse, decoded."""

    deck: Deck
    cards: list[tuple[int, ...]]
    level: NDArray[Any]
    parent: NDArray[Any]
    chance: NDArray[Any]
    mirrors: list[list[int]]  # by board: indices into exchanges
    exchanges: NDArray[Any]  # [E, H]


def _ask(server: Server, request: pb.FollowingBoardsRequest) -> Answer:
    """Ask, and check the rules that hold for every answer."""
    deck = DECKS[request.deck or "52"]
    answer = stub(server).FollowingBoards(request)
    count, holdings = len(answer.boards), holdings_of(deck)
    require(count > 0, f"{short(request)}: got no boards, expected the request's own first")
    same(f"{short(request)}, the first board", answer.boards[0], request.board)
    same(f"{short(request)}, holding_count", answer.holding_count, holdings.count)
    cards = [parse_cards(text) for text in answer.boards]
    live = array(request, answer.live, "u1", count, (holdings.count + 7) // 8)
    bits = np.unpackbits(live, axis=1, count=holdings.count, bitorder="little")
    for place, board in enumerate(cards):
        is_right = np.array_equal(bits[place], live_holdings(deck, board))
        require(
            is_right,
            f"{short(request)}: the bits in `live` for {answer.boards[place]} are not the holdings possible on it",
        )
    counts = array(request, answer.mirror_counts, "<i4", count).tolist()
    each = array(request, answer.mirrors, "<i4", sum(counts)).tolist()
    ends = np.cumsum([0, *counts])
    exchanges = array(request, answer.exchanges, "<i4", len(answer.exchanges) // (4 * holdings.count), holdings.count)
    _check_items(request, deck, answer.items)
    return Answer(
        deck=deck,
        cards=cards,
        level=array(request, answer.level, "<i4", count),
        parent=array(request, answer.parent, "<i4", count),
        chance=array(request, answer.chance, "<f8", count),
        mirrors=[each[a:b] for a, b in pairwise(ends)],
        exchanges=exchanges,
    )


def _check_items(request: pb.FollowingBoardsRequest, deck: Deck, data: bytes) -> None:
    holdings = holdings_of(deck)
    items = array(request, data, "u1", *holdings.cards.shape)
    together = np.zeros((holdings.count, holdings.count), bool)
    for a in range(items.shape[1]):
        for b in range(items.shape[1]):
            together |= items[:, a, None] == items[None, :, b]
    wanted = (holdings.masks[:, None] & holdings.masks[None, :]) != 0
    require(
        np.array_equal(together, wanted), f"{short(request)}: two holdings share `items` but no card, or the reverse"
    )


def _suits_of(deck: Deck, exchange: NDArray[Any]) -> dict[int, int] | None:
    """Return where an exchange of holdings moves each suit; None if it does not exchange suits."""
    holdings = holdings_of(deck)
    index = {mask: place for place, mask in enumerate(holdings.masks.tolist())}
    suits = sorted({card & 3 for card in deck.cards})
    for order in permutations(suits):
        names = dict(zip(suits, order, strict=True))
        moved = [
            index[sum(1 << (card - (card & 3) + names[card & 3]) for card in row)] for row in holdings.cards.tolist()
        ]
        if np.array_equal(moved, exchange):
            return names
    return None


def _check_complete(
    request: pb.FollowingBoardsRequest, answer: Answer, ranges: list[NDArray[np.float32]] | None = None
) -> None:
    """Require every possible board once: as itself, or as a mirror made by one of the exchanges."""
    suits = [_suits_of(answer.deck, exchange) for exchange in answer.exchanges]
    for place, names in enumerate(suits):
        require(names is not None, f"{short(request)}: exchange {place} does not exchange suits")
        for weights in ranges or []:
            is_same = np.array_equal(weights[answer.exchanges[place]], weights)
            require(is_same, f"{short(request)}: exchange {place} changes a range; it must leave ranges unchanged")
    seen: dict[int, Counter[tuple[int, ...]]] = {}
    for place in range(1, len(answer.cards)):
        parent, more = int(answer.parent[place]), set(answer.cards[place])
        require(
            0 <= parent < place,
            f"{short(request)}: board {place} has the parent {parent}, which does not come before it",
        )
        before = answer.cards[parent]
        same(f"{short(request)}, level of board {place}", int(answer.level[place]), int(answer.level[parent]) + 1)
        same(f"{short(request)}, first cards of board {place}", answer.cards[place][: len(before)], before)
        here = seen.setdefault(parent, Counter())
        here[tuple(sorted(more - set(before)))] += 1
        for mirror in answer.mirrors[place]:
            names = suits[mirror] or {}
            moved = {card - (card & 3) + names[card & 3] for card in more}
            kept = {card - (card & 3) + names[card & 3] for card in before}
            require(
                kept == set(before),
                f"{short(request)}: a mirror of {format_cards(answer.cards[place])} has another parent",
            )
            here[tuple(sorted(moved - set(before)))] += 1
    _check_counts(request, answer, seen)


def _check_counts(
    request: pb.FollowingBoardsRequest, answer: Answer, seen: dict[int, "Counter[tuple[int, ...]]"]
) -> None:
    sizes = answer.deck.board_sizes
    for place, board in enumerate(answer.cards):
        if answer.level[place] == request.deal_count:
            continue
        rest = [card for card in answer.deck.cards if card not in board]
        step = sizes[sizes.index(len(board)) + 1] - len(board)
        wanted = set(combinations(rest, step))
        counts = seen.get(place, Counter())
        said = f"{short(request)}: after {format_cards(board) or 'the empty board'}"
        twice = next((cards for cards, count in counts.items() if count > 1), None)
        require(twice is None, f"{said} {format_cards(twice or ())} comes more than once, mirrors included")
        missing = wanted - set(counts)
        require(
            not missing, f"{said} {len(missing):,} boards are missing, such as {format_cards(min(missing, default=()))}"
        )
        chance = 1 / comb(len(rest) - 2 * answer.deck.holding_size, step)
        for child in np.flatnonzero(answer.parent == place):
            close(f"{said}, the chance of {format_cards(answer.cards[child])}", float(answer.chance[child]), chance)


@ORACLE("FollowingBoards", "lists turns and rivers after a flop, with equivalent boards merged")
def merged(server: Server) -> None:
    request = pb.FollowingBoardsRequest(board="QsJh2h", deal_count=2)
    answer = _ask(server, request)
    same(f"{short(request)}, number of turns: clubs and diamonds are equivalent", int((answer.level == 1).sum()), 36)
    same(f"{short(request)}, chance and parent of the first board", (answer.chance[0], answer.parent[0]), (1.0, -1))
    _check_complete(request, answer)


@ORACLE("FollowingBoards", "lists boards of other decks and streets")
def other_decks(server: Server) -> None:
    for deck, board, deal_count, wanted in (
        ("24", "", 1, 0), ("24", "9sTsJs", 2, 0), ("36", "AsAhAdAc", 1, 9), ("leduc", "", 1, 4), ("kuhn", "", 0, 1),
        ("52", "QsJh2h8d", 0, 1),
    ):  # fmt: skip
        request = pb.FollowingBoardsRequest(deck=deck, board=board, deal_count=deal_count)
        answer = _ask(server, request)
        if wanted:
            same(f"{short(request)}, number of boards", len(answer.cards), wanted)
        _check_complete(request, answer)


@ORACLE("FollowingBoards", "exchanges suits only if that leaves the ranges unchanged")
def with_ranges(server: Server) -> None:
    weights = np.ones(1326, "<f4")
    weights[0] = 0.5  # 2d2c: sets clubs and diamonds apart from hearts and spades, not from each other
    ranges = [pb.Range(weights=weights.tobytes()), pb.Range(text="AsKs, QQ")]
    whole = [weights, parse_range("AsKs, QQ", DECKS["52"])]
    for count, wanted in ((1, 36), (2, 36)):
        request = pb.FollowingBoardsRequest(board="QsJh2s", deal_count=1, ranges=ranges[:count])
        answer = _ask(server, request)
        same(f"{short(request)}, number of boards that follow", len(answer.cards) - 1, wanted)
        _check_complete(request, answer, whole[:count])
    alone = pb.Range(text="AcKc")
    request = pb.FollowingBoardsRequest(board="QsJh2s", deal_count=1, ranges=[alone])
    answer = _ask(server, request)
    same(f"{short(request)}, number of boards that follow: a range contains clubs only", len(answer.cards) - 1, 49)


@ORACLE("FollowingBoards", "merges nothing with keep_all")
def keep_all(server: Server) -> None:
    request = pb.FollowingBoardsRequest(board="QsJh2h", deal_count=1, keep_all=True)
    answer = _ask(server, request)
    same(f"{short(request)}, number of boards", len(answer.cards), 50)
    _check_complete(request, answer)


@ORACLE("FollowingBoards", "a sample has the requested number of boards, and a seed repeats it")
def sampled(server: Server) -> None:
    request = pb.FollowingBoardsRequest(board="QsJh2h", deal_count=2, board_count=7, seed=3)
    answer = _ask(server, request)
    same(f"{short(request)}, boards by level", np.bincount(answer.level).tolist(), [1, 7, 49])
    same(f"{short(request)}, number of different boards", len(set(answer.cards)), len(answer.cards))
    require(not any(answer.mirrors), f"{short(request)}: a sample is not merged, but boards have mirrors")
    again = _ask(server, request)
    require(again.cards == answer.cards, f"{short(request)}, twice: the boards differ")
    request.seed = 4
    require(
        _ask(server, request).cards != answer.cards, f"{short(request)}, and with another seed: the boards are the same"
    )
