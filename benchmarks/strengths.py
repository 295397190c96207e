"""Strengths of hands: batches, all hands, one hand."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import eval7
import numpy as np
from phevaluator import _pheval, evaluate_cards
from pokerkit import Card, StandardHighHand
from treys import Card as TreysCard
from treys import Evaluator

from benchmarks.timing import Row, in_turn, per_second
from riverboat.cards import DECKS, Ordering, format_card
from riverboat.parallel import on_threads
from riverboat.strength.census import strength_counts
from riverboat.strength.evaluation import hand_strengths
from riverboat.strength.single_hand import strength_of_seven
from riverboat.strength.tables import tables_of

_BATCH = 10_000
_HANDS = 1_000_000
_ALL = 133_784_560


def rows() -> Iterator[Row]:
    """Yield the rows about strengths."""
    rng = np.random.default_rng(0)
    hands = rng.random((_HANDS, 52)).argsort(axis=1)[:, :7].astype(np.uint8)
    yield from _batches(hands)
    yield from _one_hand([tuple(hand) for hand in hands[:100_000].tolist()])
    yield from _all_hands()


def _batches(hands: np.ndarray) -> Iterator[Row]:
    tables = tables_of(Ordering.STANDARD, 7)
    out = np.empty(len(hands), np.uint16)

    def ours(first: int = 0, last: int = _HANDS) -> None:
        for a in range(first, last, _BATCH):
            hand_strengths(hands[a : a + _BATCH], tables, out[a : a + _BATCH])

    sample = [tuple(hand) for hand in hands[:200_000].tolist()]

    def theirs() -> None:
        for hand in sample:
            _pheval.evaluate_7cards(*hand)

    mine, peer = in_turn(ours, theirs)
    ratio = (len(hands) / mine) / (len(sample) / peer)
    yield Row("seven cards, batches of 10,000, one core", per_second(len(hands), mine),
              f"phevaluator's C entry {per_second(len(sample), peer)}", f"{ratio:.0f}×",
              "200 M/s, 35×", len(hands) / mine >= 200e6 and ratio >= 35)  # fmt: skip

    big = np.concatenate([hands] * 8)
    many = np.empty(len(big), np.uint16)

    def part(a: int, b: int) -> None:
        hand_strengths(big[a:b], tables, many[a:b])

    half = len(big) // 2
    with ThreadPoolExecutor(2) as threads:
        one, two = in_turn(
            lambda: part(0, len(big)),
            lambda: list(threads.map(lambda span: part(*span), [(0, half), (half, len(big))])),
        )
    yield Row("the same, two cores against one", per_second(len(big), two), f"one core {per_second(len(big), one)}",
              f"{one / two:.2f}×", "1.8×", one / two >= 1.8)  # fmt: skip


def _one_hand(hands: list[tuple[int, ...]]) -> Iterator[Row]:
    eval7_cards = [eval7.Card(format_card(card)) for card in range(52)]
    treys_cards = [TreysCard.new(format_card(card)) for card in range(52)]
    pokerkit_cards = [next(iter(Card.parse(format_card(card)))) for card in range(52)]
    evaluator = Evaluator()

    def each(function: object, count: int) -> None:
        for hand in hands[:count]:
            function(*hand)  # type: ignore[operator]

    sevens = [[eval7_cards[card] for card in hand] for hand in hands]
    treys_hands = [([treys_cards[c] for c in hand[:5]], [treys_cards[c] for c in hand[5:]]) for hand in hands[:5000]]
    kit_hands = [([pokerkit_cards[c] for c in hand[:2]], [pokerkit_cards[c] for c in hand[2:]]) for hand in hands[:300]]
    mine, phe, phe_public, ev7, tre, kit = in_turn(
        partial(each, strength_of_seven, len(hands)),
        partial(each, _pheval.evaluate_7cards, len(hands)),
        partial(each, evaluate_cards, len(hands)),
        lambda: [eval7.evaluate(seven) for seven in sevens],
        lambda: [evaluator.evaluate(board, hole) for board, hole in treys_hands],
        lambda: [StandardHighHand.from_game(hole, board) for hole, board in kit_hands],
        rounds=5,
    )
    rate = len(hands) / mine
    peers = (
        ("phevaluator's C entry", len(hands) / phe),
        ("phevaluator", len(hands) / phe_public),
        ("eval7", len(hands) / ev7),
        ("treys", len(treys_hands) / tre),
        ("pokerkit", len(kit_hands) / kit),
    )
    for number, (name, other) in enumerate(peers):
        bar, met = ("3 M/s", rate >= 3e6) if number == 0 else ("", None)
        yield Row("one hand from Python", per_second(rate, 1), f"{name} {per_second(other, 1)}",
                  f"{rate / other:.3g}×", bar, met)  # fmt: skip


def _all_hands() -> Iterator[Row]:
    deck = DECKS["52"]
    with ThreadPoolExecutor(2) as threads:
        one, two = in_turn(
            lambda: strength_counts(deck, 7), lambda: strength_counts(deck, 7, on_threads(threads, 4)), rounds=5
        )
    yield Row("all 133,784,560 hands, one core", per_second(_ALL, one), "", "", "450 M/s", _ALL / one >= 450e6)
    yield Row("the same, two cores against one", per_second(_ALL, two), f"one core {per_second(_ALL, one)}",
              f"{one / two:.2f}×", "1.8×", one / two >= 1.8)  # fmt: skip
