"""Bots to measure others against; each class makes its bots from a generator."""

from riverboat.arena.bot import Bot
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View


class RandomBot(Bot):
    """Folds, calls or raises with equal chances, as far as legal, and raises to any legal number of chips."""

    def act(self, view: View) -> int:
        """Return one of the legal actions."""
        public = view.public
        limits = public.raise_limits
        kinds = [CALL, *([FOLD] if public.to_call else []), *([1] if limits else [])]
        kind = kinds[self.rng.integers(len(kinds))]
        if limits is None or kind <= CALL:
            return kind
        if public.raises_to:
            return int(self.rng.choice(public.raises_to))
        low, high = limits
        return int(self.rng.integers(low, high + 1))


class CallBot(Bot):
    """Always checks or calls."""

    def act(self, view: View) -> int:
        """Return CALL."""
        return CALL


class FoldBot(Bot):
    """Checks when it can, and folds to any bet."""

    def act(self, view: View) -> int:
        """Return CALL if it costs nothing, otherwise FOLD."""
        return FOLD if view.public.to_call else CALL


class MostBot(Bot):
    """Raises as much as it may: all-in at once in no-limit games."""

    def act(self, view: View) -> int:
        """Return the largest raise, or CALL where no raise is allowed."""
        limits = view.public.raise_limits
        return limits[1] if limits else CALL
