"""The oracle: answers questions on its workers, within limits."""

import secrets
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECKS, Deal, Deck, deal, parse_cards
from riverboat.cheatsheet import SheetStep, cell_count, cheat_sheet
from riverboat.contracts.oracle import (
    BoardQuestion,
    BoardsQuestion,
    CheatSheetQuestion,
    Classification,
    DealQuestion,
    EquityQuestion,
    EquityStep,
    FeaturesQuestion,
    StudQuestion,
)
from riverboat.equity import equity, equity_steps, matchup
from riverboat.equity.runouts import runouts_of
from riverboat.errors import TooLarge, in_field
from riverboat.features.card_features import all_features, some_features
from riverboat.holdings import holding_index, holdings_of
from riverboat.parallel import Runner
from riverboat.ranges import parse_range
from riverboat.services.oracle.preflop import utility_before_the_flop
from riverboat.services.oracle.preflop_features import features_before_the_flop
from riverboat.spots.boards import Deals, deal_all, deck_places
from riverboat.strength.hands import classify, strengths_on_boards
from riverboat.utility import board_utility, runout_utility, stud_utility

_PROGRESS_SECONDS = 0.1
_ROWS_BYTES = 1_000_000  # of a utility matrix in one chunk
_MOST_SHEET_ROLLOUTS = 10**10


class Oracle:
    """Answers requests that need more than one call into the library."""

    def __init__(self, run: Runner, exact_limit: int) -> None:
        self._run = run
        self._exact_limit = exact_limit

    def warm_up(self) -> None:
        """Compile every kernel, or load it from the cache, by answering one small question of each kind."""
        rng = np.random.default_rng(0)
        for deck in (DECKS["52"], DECKS["36"]):
            for hand in ("AhKhQhJhTh", "AhKhQhJhTh9h", "AhKhQhJhTh9h8h"):
                classify(deck, parse_cards(hand))
            everything = np.ones(holdings_of(deck).count, np.float32)
            aces, kings = parse_range("AhAd", deck), parse_range("KhKd", deck)
            flop, turn = parse_cards("9h8d7s"), parse_cards("9h8d7s6h")
            strengths_on_boards(deck, np.array([flop], np.uint8))
            for board, hero, others in (
                (turn, aces, [kings]),
                (turn, aces, [None]),
                (turn, everything, [None]),
                ((), everything, [None]),
                (turn, aces, [kings, None]),
            ):
                question = matchup(deck, board, hero, others)
                equity(question, rng, rollout_count=1)
                if board:
                    equity(question, rng, exact=True)
            runouts_of(deck, (), (), [everything])
            board_utility(deck, turn).rows(0, 1)
            all_features(deck, turn)
            some_features(deck, turn, [parse_cards("AhAd")])
            some = np.arange(2, dtype=np.int32)
            runout_utility(deck, turn, some, some)
            stud_utility(deck, parse_cards("AhKhQhJh"), parse_cards("9c9d8c8d"))

    def deal(self, question: DealQuestion) -> tuple[Deal, int]:
        """Return a deal, and the seed that repeats it."""
        seed = _seed(question.seed)
        return deal(question.deck, question.holding_count, question.board_size, np.random.default_rng(seed)), seed

    def classify(self, deck: Deck, hands: Sequence[Sequence[int]]) -> list[Classification]:
        """Return category, strength and best cards of each hand."""
        classifications = []
        for i, cards in enumerate(hands):
            with in_field(f"hands[{i}]"):
                classifications.append(classify(deck, cards))
        return classifications

    def utility(self, question: BoardQuestion | StudQuestion) -> Generator[tuple[int, NDArray[np.float32]], None, None]:
        """Yield a utility matrix in chunks: the number of the first row, and the rows."""
        if isinstance(question, StudQuestion):
            with in_field("stud"):
                yield 0, stud_utility(question.deck, question.mine, question.theirs)
            return
        if question.rows is not None and question.columns is not None:
            with in_field("board"):
                matrix = _some_utility(question.deck, question.board, question.rows, question.columns)
            yield from ((part.start, matrix[part]) for part in _parts(*matrix.shape))
            return
        with in_field("board"):
            utility = board_utility(question.deck, question.board)
        parts = _parts(*utility.shape)
        rows = self._run(partial(utility.rows, part.start, part.stop) for part in parts)
        yield from zip((part.start for part in parts), rows, strict=True)

    def features(self, question: FeaturesQuestion) -> NDArray[np.float32]:
        """Return card features [N, F]; before the flop they are looked up."""
        deck, board, holdings = question.deck, question.board, question.holdings
        if not board:
            table = features_before_the_flop(deck)
            return table[[holding_index(deck, cards) for cards in holdings]] if holdings else table
        return some_features(deck, board, holdings) if holdings else all_features(deck, board)

    def following_boards(self, question: BoardsQuestion) -> tuple[Deals, NDArray[np.uint8]]:
        """Return the boards that can follow a board, and the cards of each holding."""
        deck = question.deck
        deals = deal_all(
            deck, question.board, question.deal_count, question.weights,
            isomorphic=not question.keep_all, sampled=question.sampled, rng=np.random.default_rng(question.seed),
        )  # fmt: skip
        return deals, deck_places(deck)[holdings_of(deck).cards]

    def equity(self, question: EquityQuestion) -> Generator[tuple[EquityStep, int], None, None]:
        """Yield steps towards an equity, at most ten a second, and the seed of its rollouts."""
        seed = _seed(question.seed)
        steps = equity_steps(
            matchup(question.deck, question.board, question.hero, question.opponents),
            np.random.default_rng(seed),
            question.exact,
            question.rollout_count,
            question.target_error,
            self._run,
            self._exact_limit,
        )
        for step in _at_intervals(steps):
            yield step, seed

    def cheat_sheet(self, question: CheatSheetQuestion) -> Generator[tuple[SheetStep, int], None, None]:
        """Yield cells of a cheat sheet and its progress, with the seed of its rollouts."""
        rolled = [count for count in question.opponent_counts if count > 1 or not question.exact_heads_up]
        rollouts = cell_count(question.deck, question.board, rolled) * question.rollout_count
        if rollouts > _MOST_SHEET_ROLLOUTS:
            raise TooLarge(f"{rollouts:,} rollouts are too many for one sheet; the limit is {_MOST_SHEET_ROLLOUTS:,}")
        seed = _seed(question.seed)
        steps = cheat_sheet(
            question.deck,
            question.board,
            question.opponent_counts,
            question.rollout_count,
            np.random.default_rng(seed),
            question.exact_heads_up,
            self._run,
            self._exact_limit,
        )
        clock = _Clock()
        for step in steps:
            if step.cell or clock.rings():
                yield step, seed


def _some_utility(
    deck: Deck, board: Sequence[int], rows: NDArray[np.int32], columns: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Return the utility of some holdings against others; before the flop it is looked up."""
    if deck.is_holdem and not board:
        return utility_before_the_flop(deck)[np.ix_(rows, columns)]
    return runout_utility(deck, board, rows, columns)


def _parts(height: int, width: int) -> list[slice]:
    """Return the ranges of rows that fit into one message each."""
    step = max(1, _ROWS_BYTES // (4 * max(1, width)))
    return [slice(start, min(start + step, height)) for start in range(0, height, step)]


def _seed(given: int | None) -> int:
    """Return the given seed, or a new one below 2**53, which every JSON reader keeps exactly."""
    return secrets.randbits(53) if given is None else given


def _at_intervals(steps: Iterable[EquityStep]) -> Iterator[EquityStep]:
    """Yield the last step, and steps of progress at intervals."""
    clock = _Clock()
    for step in steps:
        if step.done >= 1 or clock.rings():
            yield step


class _Clock:
    """A clock that rings when the next report of progress is due."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def rings(self) -> bool:
        now = time.monotonic()
        rings = now - self._last >= _PROGRESS_SECONDS
        if rings:
            self._last = now
        return rings
