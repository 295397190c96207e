"""Acts at random, whatever its cards are."""

from riverboat.arena.bot import Bot
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View

FOLDS, RAISES, CALLS = 0.25, 0.30, 0.44  # probabilities; otherwise all-in


class Random(Bot):
    """Folds 25 %, raises 30 %, calls 44 % and goes all-in 1 % of the time.

    A fold is a check where that is free. The logarithm of a raise is uniform between the smallest and the
    largest legal raise, so small raises are more frequent; the nearest legal one is played. Where no raise is legal, it
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
