"""The interface between a continual player and its solver, in the same process or in another."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from riverboat.rules.state import PublicState
from riverboat.solving.subgame import F64


@dataclass(frozen=True, slots=True)
class Passage:
    """The events between two decisions of a player, up to where the first decision's tree ends."""

    action: int  # the player's own
    reply: int | None = None  # the opponent's, if that ended the street
    cards: tuple[int, ...] = ()  # that were dealt then


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """The bound on the opponent at a decision: the values it can count on or, where a solve begins anew, its range."""

    values: F64 | None = None  # [H]: counterfactual values in chips, over the player's range, which adds up to one
    weights: F64 | None = None  # [H]: only without values

    def map(self, change: Callable[[F64], F64]) -> "Bound":
        """Return a bound with `change` applied to its values or weights."""
        return Bound(*(None if numbers is None else change(numbers) for numbers in (self.values, self.weights)))


class Solution(Protocol):
    """A solved decision of the player."""

    @property
    def actions(self) -> tuple[int, ...]:
        """The player's actions: -1 to fold, 0 to call or check, otherwise the chips to raise to."""

    @property
    def strategy(self) -> F64:
        """How likely each holding takes each action [A, H]."""

    def opponent_values(self, passage: Passage) -> F64 | None:
        """Return the values that the opponent can count on after a passage, by its best response [H].

        Counterfactual values in chips, over the player's range then, which adds up to one. None if the tree was cut
        at the deal, so that nothing is known of single boards.
        """

    def opponent_range(self, passage: Passage) -> F64:
        """Return the opponent's range after a passage without its cards, as the solution has it [H]."""

    def follow(self, actions: tuple[int, ...]) -> "Solution | None":
        """Return the same solution after some actions on this street, for the player who acts then.

        None unless it goes to the end of the hand and has these actions: only then nothing better is known there.
        """


@dataclass(frozen=True, slots=True, eq=False)
class SolvedStart:
    """A state solved with both ranges known."""

    opponent_values: F64  # [H]: what `opponent` can count on, over `own`
    solution: Solution  # for the player who acts there


class Solves(Protocol):
    """Solves states of two players."""

    def resolve(
        self, public: PublicState, own: F64, bound: "Bound", is_past: bool = False, played: int | None = None
    ) -> Solution:
        """Solve for the actor, whose range is `own` [H], adding up to one.

        `bound` is what is known of the opponent. A decision that is past needs its strategy only for the range it
        leads to, so it may be solved more quickly. `played` is a raise that the tree must have at its root.
        """

    def solve_start(self, public: PublicState, own: F64, other: F64, opponent: int) -> SolvedStart:
        """Solve a state where both ranges are known: `own` [H], adding up to one, and `other` of seat `opponent`."""
