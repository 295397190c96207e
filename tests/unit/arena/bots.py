"""Bots whose strategies are exact and easy to compute by hand."""

from riverboat.arena.bot import Bot, Strategy, same_for_all
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View


class RandomBot(Bot):
    """Folds, calls or raises with equal probability if that is legal, and raises to any legal number of chips."""

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

    def strategy(self, view: View) -> Strategy:
        """Return equal chances of the kinds of action, and of the raises among themselves."""
        public = view.public
        limits = public.raise_limits
        raises = public.raises_to or (tuple(range(limits[0], limits[1] + 1)) if limits else ())
        kinds = [(CALL,), *([(FOLD,)] if public.to_call else []), *([raises] if raises else [])]
        return same_for_all(view, {action: 1 / len(kinds) / len(kind) for kind in kinds for action in kind})


class MostBot(Bot):
    """Raises as much as it may: all-in at once in no-limit games."""

    def act(self, view: View) -> int:
        """Return the largest raise, or CALL where no raise is allowed."""
        limits = view.public.raise_limits
        return limits[1] if limits else CALL

    def strategy(self, view: View) -> Strategy:
        """Return the same action for every holding."""
        return same_for_all(view, {self.act(view): 1.0})
