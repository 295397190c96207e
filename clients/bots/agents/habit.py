"""Agents with a betting habit that misleads opponents who read bets.

Each bets by a rule that says nothing about its cards, or the wrong thing. Facing a bet it compares its share of the pot
with the price, as `rollout` does, so that its calls do not lose chips.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from riverboat.arena.bot import Bot, MakeBot, Strategy
from riverboat.clients.bots.agents.names import MINIMUM, OVERBET, POT, WEAK_BETS
from riverboat.clients.bots.agents.rollout import RolloutParameters, opponent_count, share_needs, win_share
from riverboat.clients.bots.agents.sizes import pot_raise
from riverboat.clients.bots.agents.standing import Standing, standing_of
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import PublicState, View

Mask = NDArray[np.bool_]
_MOST_RAISES = 2  # on a street by all players; then it only calls, so that two such agents cannot raise for ever
_OVERBET = 2.0  # pots
_FIFTH = 0.2
_THIRD = 1 / 3
_CALLING = RolloutParameters(bet_discount=0.18, most_bets=1.0)  # an opponent that raises such bets has something


@dataclass(frozen=True, slots=True)
class HabitRule:
    """Which holdings bet, and how much."""

    size: Callable[[PublicState], int | None]  # the raise to make; None if no raise is legal
    bets: Callable[[Standing], Mask]  # [H]: which bet where nobody has bet yet
    raises: Callable[[Standing, Mask], Mask]  # [H]: which raise a bet, given which have the price of a call


def _least(public: PublicState) -> int | None:
    return public.raise_limits[0] if public.raise_limits else None


def _everything(standing: Standing) -> Mask:
    return np.ones(len(standing.places), np.bool_)


def _weak(standing: Standing) -> Mask:
    return standing.places < _THIRD


def _best_and_worst(standing: Standing) -> Mask:
    return (standing.places < _FIFTH) | (standing.places >= 1 - _FIFTH)


HABITS = {
    WEAK_BETS: HabitRule(partial(pot_raise, fraction=0.5), _weak, lambda standing, _: ~_everything(standing)),
    POT: HabitRule(partial(pot_raise, fraction=1.0), _everything, lambda _, worth_it: worth_it),
    MINIMUM: HabitRule(_least, _everything, lambda _, worth_it: worth_it),
    OVERBET: HabitRule(
        partial(pot_raise, fraction=_OVERBET), _best_and_worst, lambda standing, _: _best_and_worst(standing)
    ),
}


class Habit(Bot):
    """Bets by habit, and calls when the price is right.

    Against one opponent its decisions are exact and need no randomness. Against several its share comes from rollouts.
    """

    def __init__(self, rng: np.random.Generator, habit: str = WEAK_BETS) -> None:
        super().__init__(rng)
        if habit not in HABITS:
            raise InvalidInput("habit", f"must be one of {', '.join(HABITS)}, not {habit[:20]!r}")
        self._rule = HABITS[habit]

    @classmethod
    def with_parameter(cls, parameter: str) -> MakeBot:
        """Return a maker of agents with one of the habits: "weak-bets", "pot", "minimum" or "overbet"."""
        if parameter not in HABITS:
            ways = ", ".join(f"habit:{habit}" for habit in HABITS)
            raise InvalidInput("", f"{parameter[:30]!r} is not a habit; write {ways}")
        return partial(cls, habit=parameter)

    def act(self, view: View) -> int:
        """Return the habit's bet, CALL or FOLD."""
        deck = view.public.variant.deck
        place, standing = holding_index(deck, view.holding), standing_of(deck, view.public.board)
        share = None if opponent_count(view) == 1 else win_share(view, _CALLING.rollout_count, self.rng)
        return int(self._choose(view, standing.of(place, share))[0])

    def strategy(self, view: View) -> Strategy | None:
        """Return the strategy against one opponent; None against more."""
        if opponent_count(view) != 1:
            return None
        chosen = self._choose(view, standing_of(view.public.variant.deck, view.public.board))
        actions = tuple(np.unique(chosen).tolist())
        return Strategy(actions, np.array([chosen == action for action in actions], np.float64))

    def _choose(self, view: View, standing: Standing) -> NDArray[np.int64]:
        """Return the action of each holding [H]."""
        public = view.public
        worth_it = standing.shares >= share_needs(view, _CALLING).call
        chosen = np.where(worth_it | (public.to_call == 0), CALL, FOLD)
        is_open = public.raise_count == 0
        wanted = self._rule.bets(standing) if is_open else self._rule.raises(standing, worth_it)
        to = self._rule.size(public)
        if to is not None and public.raise_count < _MOST_RAISES:
            chosen[wanted] = to
        return chosen
