"""A strategy before the flop, by class of holdings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from riverboat.arena.bot import F64, Strategy
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of, holdings_of_class
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import PublicState, View, start
from riverboat.rules.variant import Variant


@dataclass(frozen=True, slots=True, eq=False)
class PreflopChart:
    """How often each class of holdings takes each action at one decision before the flop."""

    public: PublicState
    line: tuple[int, ...]  # the actions before the decision
    strategy: Strategy

    def states(self) -> Iterator[PublicState]:
        """Yield the states of the line, up to the decision."""
        return View(self.public.actor or 0, self.public, (), self.line).states()

    def by_class(self, actions: Sequence[int]) -> dict[str, float]:
        """Return how often each class takes any of these actions, 0 to 1."""
        shares = self._shares(actions)
        classes = holdings_of_class(self.public.variant.deck)
        return {label: float(shares[members].mean()) for label, members in classes.items()}

    def overall(self, actions: Sequence[int]) -> float:
        """Return how often a random holding takes any of these actions, 0 to 1."""
        return float(self._shares(actions).mean())

    def _shares(self, actions: Sequence[int]) -> F64:
        chosen = [place for place, action in enumerate(self.strategy.actions) if action in actions]
        shares: F64 = self.strategy.chances[chosen].sum(axis=0)
        return shares

    @property
    def raises(self) -> tuple[int, ...]:
        """The raises that the strategy ever makes, in ascending order."""
        return tuple(sorted(action for action in self.strategy.actions if action > CALL and self.overall([action]) > 0))

    @property
    def played(self) -> float:
        """How often a random holding does not fold."""
        return 1 - self.overall([FOLD])

    @property
    def raised(self) -> float:
        """How often a random holding raises."""
        return self.overall(self.raises)


def preflop_view(variant: Variant, stack: int, line: Sequence[int]) -> View:
    """Return the view of the acting player after these actions of a two-player hand before the flop.

    A chart is about all holdings, so the holding in the view is an arbitrary one.
    """
    public = start(variant, [stack, stack])
    for action in line:
        public = public.play(action)
    if public.actor is None or public.board:
        raise InvalidInput("line", "must lead to a decision before the flop")
    holding = holdings_of(variant.deck).cards[0]
    return View(public.actor, public, tuple(holding.tolist()), tuple(line))
