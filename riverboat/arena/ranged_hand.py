"""A hand in which one player holds cards and the other has a range."""

from dataclasses import dataclass

from riverboat.arena.bot import F64
from riverboat.arena.showdown_shares import is_exact
from riverboat.holdings import holdings_of
from riverboat.rules.betting import CHANCE
from riverboat.rules.state import PublicState, View

_LEAST = 1e-12  # of a range: less is never reached


@dataclass(frozen=True, slots=True, eq=False)
class RangedHand:
    """A hand in which the response holds cards and the agent has a range."""

    public: PublicState
    actions: tuple[int, ...]
    seat: int  # of the response
    holding: tuple[int, ...]  # of the response
    weights: F64  # [H]: how likely the agent would have come here with each holding that can still be dealt

    def view(self) -> View:
        """Return the agent's view, with one of its possible holdings."""
        cards = holdings_of(self.public.variant.deck).cards[int(self.weights.argmax())]
        return View(1 - self.seat, self.public, tuple(cards.tolist()), self.actions)

    def after(self, action: int, chances: F64 | float = 1.0) -> "RangedHand":
        """Return the hand after an action that each of the agent's holdings takes with these chances."""
        public = self.public.play(action)
        return RangedHand(public, (*self.actions, action), self.seat, self.holding, self.weights * chances)


def win_share(weights: F64, shares: F64) -> float:
    """Return the expected share of the pot against a range; 0 against an empty one."""
    total = weights.sum()
    return float((weights * shares).sum() / total) if total > _LEAST else 0.0


def is_run_out(public: PublicState) -> bool:
    """Return whether a player is all-in and called, so that only cards come, and all run-outs can be averaged."""
    return public.phase == CHANCE and 0 in public.stacks and is_exact(public.variant.deck, public.board)


def showdown_worth(hand: RangedHand, shares: F64) -> float:
    """Return the chips that the response wins at a showdown against the range, from its shares [H]."""
    public = hand.public
    own, other = (public.paid[seat] for seat in (hand.seat, 1 - hand.seat))
    matched = min(own, other)
    won, lost = matched + public.dead[1 - hand.seat], matched + public.dead[hand.seat]
    return win_share(hand.weights, shares) * (won + lost) - lost
