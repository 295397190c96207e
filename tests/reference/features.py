"""Card features by enumerating every board and every opponent, one at a time."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import ceil

from riverboat.cards import Deck
from riverboat.strength.hands import strength_of


def deciles(values: Sequence[Fraction]) -> list[Fraction]:
    """Return the ten deciles of equally likely values."""
    ordered = sorted(values)
    return [ordered[ceil(Fraction(k * len(ordered), 10)) - 1] for k in range(1, 11)]


def features(deck: Deck, board: tuple[int, ...], holding: tuple[int, ...]) -> list[float]:
    """Return equity now, then the deciles of equity on every later street."""
    numbers = [equity(deck, frozenset(board), holding)]
    for size in deck.board_sizes:
        if size > len(board):
            numbers += deciles(future_equities(deck, board, holding, size))
    return [float(number) for number in numbers]


def future_equities(deck: Deck, board: tuple[int, ...], holding: tuple[int, ...], size: int) -> list[Fraction]:
    """Return the equity on every board of `size` cards that may follow."""
    unseen = [card for card in deck.cards if card not in {*board, *holding}]
    return [
        equity(deck, frozenset((*board, *more)), holding) for more in combinations(unseen, size - len(board))
    ]  # all equally likely


@cache
def equity(deck: Deck, board: frozenset[int], holding: tuple[int, ...]) -> Fraction:
    """Return the probability of winning plus half that of a tie, over all run-outs and opposing holdings."""
    unseen = [card for card in deck.cards if card not in {*board, *holding}]
    to_come = deck.board_sizes[-1] - len(board)
    if to_come:
        parts = [equity(deck, board | {*more}, holding) for more in combinations(unseen, to_come)]
        return sum(parts, Fraction(0)) / len(parts)
    mine = strength_of(deck, (*holding, *board))
    theirs = [strength_of(deck, (*other, *board)) for other in combinations(unseen, deck.holding_size)]
    wins, ties = sum(mine > other for other in theirs), sum(mine == other for other in theirs)
    return Fraction(2 * wins + ties, 2 * len(theirs))
