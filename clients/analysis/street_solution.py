"""One street of a hand, solved once: its solution contains every later decision of the street.

A solution says little about a line that it never takes: the strategies there have hardly been learnt. So this records
how rarely the actions of the line were taken, and whether the player's holding would have taken them.
"""

from dataclasses import dataclass, field

from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import Action, Cost, NodeAnswer

_RARE = 0.02  # how often the range must take each action of the line
_HARDLY = 0.01  # how often the holding must
_SMALLEST = 1e-12


@dataclass(slots=True, eq=False)
class StreetSolution:
    """A solution, and how far the hand has come in it."""

    link: ResolverClient
    handle: str
    cost: Cost
    path: tuple[Action, ...] = ()
    rarest: float = 1.0  # how often the range took the rarest action of the line
    _nodes: dict[tuple[Action, ...], NodeAnswer] = field(default_factory=dict)

    def node(self, *more: Action) -> NodeAnswer:
        """Return the node that the hand has come to, or the one after more actions."""
        return self._at((*self.path, *more))

    def _at(self, path: tuple[Action, ...]) -> NodeAnswer:
        if path not in self._nodes:
            self._nodes[path] = self.link.node(self.handle, path)
        return self._nodes[path]

    def has(self, action: Action) -> bool:
        """Return whether an action is in the tree here."""
        return action in self.node().actions

    def follow(self, action: Action) -> None:
        """Follow an action that is in the tree."""
        node = self.node()
        reach = node.reach[node.player]
        often = float(reach @ node.strategy[node.actions.index(action)]) / max(float(reach.sum()), _SMALLEST)
        self.path, self.rarest = (*self.path, action), min(self.rarest, often)

    def knows(self, seat: int, place: int) -> bool:
        """Return whether the solution plays the line so far, with its range and with the holding at a place."""
        at_first = self._at(()).reach[seat, place]
        return self.rarest >= _RARE and bool(self.node().reach[seat, place] >= _HARDLY * at_first)

    def release(self) -> None:
        """Let the resolver forget it."""
        self.link.release(self.handle)
