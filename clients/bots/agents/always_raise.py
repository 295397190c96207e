"""An agent that raises whenever it may."""

from riverboat.arena.bot import Bot, Strategy, same_for_all
from riverboat.clients.bots.agents.sizes import pot_raise
from riverboat.rules.betting import CALL
from riverboat.rules.state import View


class AlwaysRaise(Bot):
    """Makes a pot-sized raise, or the nearest legal one; calls if no raise is legal."""

    def act(self, view: View) -> int:
        """Return a pot-sized raise, or CALL."""
        return pot_raise(view.public, 1.0) or CALL

    def strategy(self, view: View) -> Strategy:
        """Return the same action for every holding."""
        return same_for_all(view, {self.act(view): 1.0})
