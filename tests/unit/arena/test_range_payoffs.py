"""Showdowns scored over all holdings that a player might have."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.arena.bot import Bot, MakeBot
from riverboat.arena.bots import CallBot
from riverboat.arena.hand import FinishedHand, play_hand
from riverboat.arena.match import Match, play_match
from riverboat.arena.range_payoffs import payoffs_over_ranges
from riverboat.cards import DECKS
from riverboat.holdings import holding_index, holdings_of
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View, start_random
from riverboat.rules.variant import no_limit
from riverboat.strength.hands import strength_of

DECK = DECKS["24"]
GAME = no_limit(50, 100, deck="24")


class Picky(Bot):
    """A bot that bets more with holdings late in the list, and knows the probabilities."""

    low = 0.1

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__(rng)
        self._reach: np.ndarray | None = None

    def act(self, view: View) -> int:
        limits = view.public.raise_limits
        if limits is None:
            return CALL
        chances = self.low + (0.9 - self.low) * np.arange(276) / 276
        bets = bool(self.rng.random() < chances[holding_index(DECK, view.holding)])
        taken = chances if bets else 1 - chances
        self._reach = taken if self._reach is None else self._reach * taken
        return limits[0] if bets else CALL

    def reach(self) -> np.ndarray | None:
        return self._reach


class Rash(Picky):
    """The same, with higher probabilities."""

    low = 0.6


class Stubborn(Bot):
    """A bot that calls everything, or folds at once with holdings early in the list."""

    def act(self, view: View) -> int:
        return FOLD if holding_index(DECK, view.holding) < 40 and view.public.to_call else CALL


def finished(seed: int) -> FinishedHand:
    rng = np.random.default_rng(seed)
    return play_hand(start_random(GAME, [2000, 2000], rng), [Picky(rng), CallBot(rng)])


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_the_average_is_what_one_holding_after_another_gives(seed: int) -> None:
    hand = finished(seed)
    public, (_, theirs) = hand.state.public, hand.state.holdings
    board, reach = public.board, hand.reaches[0]
    assert reach is not None
    total = weight = 0.0
    their_strength = strength_of(DECK, (*theirs, *board))
    for place, cards in enumerate(holdings_of(DECK).cards.tolist()):
        if not {*cards} & {*board, *theirs}:
            strength = strength_of(DECK, (*cards, *board))
            sign = (strength > their_strength) - (strength < their_strength)
            total, weight = total + reach[place] * sign, weight + reach[place]
    if len(hand.last_board) == len(board):
        won = min(public.paid) * total / weight
        assert hand.payoffs(on_average=True) == pytest.approx((won, -won))


@pytest.mark.parametrize("other", [Stubborn, Rash])
@pytest.mark.slow
def test_the_mean_stays(other: type[Bot]) -> None:
    as_it_was, on_average = scores(other)
    change = on_average - as_it_was
    assert change.any()
    assert abs(change.mean()) < 3 * change.std() / len(change) ** 0.5


@pytest.mark.slow
def test_the_error_falls_where_both_are_known() -> None:
    as_it_was, on_average = scores(Rash)
    assert on_average.std() < 0.7 * as_it_was.std()


def scores(other: type[Bot]) -> list[np.ndarray]:
    """Return Picky's winnings in each deal, as played and over its range."""
    stacks = [2000, 2000]
    bots: dict[str, MakeBot] = {"picky": Picky, "other": other}
    matches = [Match(GAME, stacks, bots, np.random.default_rng(5), on_average) for on_average in (False, True)]
    return [play_match(match, 1500).mbb[:, 0] for match in matches]


def test_both_ranges_before_the_flop() -> None:
    """Two players who may hold anything win nothing from each other on average."""
    hand = finished(3)
    everything = np.ones(276)
    won = payoffs_over_ranges(hand.state.public, hand.state.holdings, (), (everything, everything))
    assert won == pytest.approx((0, 0), abs=1e-3)


@pytest.mark.parametrize("reach", [None, np.zeros(276)])
def test_what_is_not_known_is_scored_as_it_was(reach: np.ndarray | None) -> None:
    hand = replace(finished(4), reaches=(reach, None))
    assert hand.payoffs(on_average=True)[0] == pytest.approx(
        replace(hand, reaches=(None, None)).payoffs(on_average=True)[0]
    )
