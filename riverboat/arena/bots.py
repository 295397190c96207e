"""The simplest bots: `CallBot` is the agent always-call, `FoldBot` the agent always-fold."""

from riverboat.arena.bot import Bot, Strategy, same_for_all
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View


class CallBot(Bot):
    """Always checks or calls. Value bets beat it; bluffs never do."""

    def act(self, view: View) -> int:
        """Return CALL."""
        return CALL

    def strategy(self, view: View) -> Strategy:
        """Return CALL for every holding."""
        return same_for_all(view, {self.act(view): 1.0})


class FoldBot(Bot):
    """Checks if that is free, and folds otherwise: it loses only its blinds."""

    def act(self, view: View) -> int:
        """Return CALL if it costs nothing, otherwise FOLD."""
        return FOLD if view.public.to_call else CALL

    def strategy(self, view: View) -> Strategy:
        """Return the same action for every holding."""
        return same_for_all(view, {self.act(view): 1.0})
