"""The exact value of the best response to a known opponent, by visiting every line and every deal of a small game."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from riverboat.holdings import holdings_of
from riverboat.rules.betting import ACT, CALL, CHANCE, FOLD, FOLDED
from riverboat.rules.state import PublicState

F64 = NDArray[np.float64]
Chances = Callable[[PublicState, int], dict[int, float]]  # of an opponent's actions, by its holding


def moves_of(state: PublicState) -> list[int]:
    """Return the legal actions of a fixed-limit game that are worth looking at."""
    raises = [state.raise_limits[0]] if state.raise_limits else []
    return [*([FOLD] if state.to_call else []), CALL, *raises]


def best_value(state: PublicState, seat: int, holding: int, reach: F64, opponent: Chances) -> float:
    """Return what a best response wins from here, summed over the opponent's holdings, each as often as `reach` [H]."""
    cards = holdings_of(state.variant.deck).cards[:, 0].tolist()
    if state.phase == CHANCE:
        left = [card for card in state.variant.deck.cards if card not in (*state.board, cards[holding])]
        total = 0.0
        for card in left:
            fits = np.array([other != card for other in cards])
            total += best_value(state.deal((card,)), seat, holding, reach * fits, opponent)
        return total / (len(left) - 1)  # the opponent holds one of them
    if state.phase != ACT:
        return _payoff(state, seat, holding, reach, cards)
    if state.actor == seat:
        return max(best_value(state.play(move), seat, holding, reach, opponent) for move in moves_of(state))
    chances = [opponent(state, other) for other in range(len(cards))]
    return sum(
        best_value(
            state.play(move), seat, holding, reach * [each.get(move, 0.0) for each in chances], opponent
        )
        for move in moves_of(state)
    )  # fmt: skip


def _payoff(state: PublicState, seat: int, holding: int, reach: F64, cards: list[int]) -> float:
    pot_each = state.paid
    if state.phase == FOLDED:
        won = -pot_each[seat] if state.folded[seat] else pot_each[1 - seat]
        return float(won * reach.sum())
    ranks = [card >> 2 for card in cards]
    board = [card >> 2 for card in state.board]

    def score(place: int) -> int:
        return ranks[place] + (100 if ranks[place] in board else 0)

    total = 0.0
    for other, weight in enumerate(reach.tolist()):
        sign = (score(holding) > score(other)) - (score(holding) < score(other))
        total += weight * sign * pot_each[1 - seat]
    return total
