"""An agent that acts at random, whatever its cards are."""

from collections import defaultdict
from math import log

from riverboat.arena.bot import Bot, Strategy, same_for_all
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import PublicState, View

FOLDS, RAISES, CALLS = 0.25, 0.30, 0.44  # probabilities; otherwise all-in
_MOST_RAISES = 1_000_000  # listed by a strategy


class Random(Bot):
    """Folds 25 %, raises 30 %, calls 44 % and goes all-in 1 % of the time.

    A fold becomes a check if checking is free. The logarithm of a raise is uniform between the smallest and the
    largest legal raise, so small raises are more frequent; the nearest legal one is played. If no raise is legal, it
    calls. All-in is the largest legal raise.
    """

    def act(self, view: View) -> int:
        """Return a random action."""
        public, chance = view.public, self.rng.random()
        if chance < FOLDS:
            return FOLD if public.to_call else CALL
        limits = public.raise_limits
        if limits is None or FOLDS + RAISES <= chance < FOLDS + RAISES + CALLS:
            return CALL
        low, high = limits
        if chance >= FOLDS + RAISES + CALLS:
            return high
        return public.nearest_raise(int(low * (high / low) ** self.rng.random())) or CALL

    def strategy(self, view: View) -> Strategy | None:
        """Return the chance of every action, exactly; None if too many raises are legal to list."""
        public = view.public
        limits = public.raise_limits
        chances: dict[int, float] = defaultdict(float)
        chances[FOLD if public.to_call else CALL] += FOLDS
        if limits is None:
            chances[CALL] += 1 - FOLDS
            return same_for_all(view, chances)
        if limits[1] - limits[0] > _MOST_RAISES:
            return None
        chances[CALL] += CALLS
        for to, chance in _raises(public, *limits).items():
            chances[to] += RAISES * chance
        chances[limits[1]] += 1 - FOLDS - RAISES - CALLS
        return same_for_all(view, chances)


def _raises(public: PublicState, low: int, high: int) -> dict[int, float]:
    """Return the probability of each raise among all raises: uniform in its logarithm, rounded down to chips."""
    if low == high:
        return {low: 1.0}
    chances: dict[int, float] = defaultdict(float)
    for to in range(low, high):
        legal = to if public.variant.bet_sizes is None else public.nearest_raise(to)
        chances[legal or CALL] += log((to + 1) / to) / log(high / low)
    return chances
