"""The menu of a learned policy on a street: fold, call, raises as fractions of the pot, all-in.

A model has one output for each choice, whatever the situation. In a hand each choice becomes a legal action: a fold is
a check where there is nothing to call, and a raise that the rules forbid is a call.
"""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.rules.bet_sizes import BetSizes, Unit
from riverboat.rules.betting import BET, CALL, FOLD, HIGH, POT, TO_CALL
from riverboat.rules.lines import BettingTree
from riverboat.rules.public_state import PublicState

ALL_IN = "all-in"
FOLDS, CALLS, FIRST_RAISE = 0, 1, 2  # places of fold and call, and of the smallest raise
_ALIKE = 1.15  # sizes with a smaller ratio are one choice: 0.7 and 0.75 of the pot are played alike


@dataclass(frozen=True, slots=True)
class Menu:
    """The choices of a model, in the order of its outputs."""

    fractions: tuple[float, ...]  # of the pot, ascending; the last choice is all-in

    def __post_init__(self) -> None:
        if any(not 0 < each < 1e6 for each in self.fractions) or sorted(set(self.fractions)) != [*self.fractions]:
            raise InvalidInput("fractions", "must be positive and ascending")

    @property
    def names(self) -> tuple[str, ...]:
        """The choices in words: fold, call, 0.5p, all-in."""
        return ("fold", "call", *(f"{fraction:g}p" for fraction in self.fractions), ALL_IN)

    def __len__(self) -> int:
        return FIRST_RAISE + len(self.fractions) + 1

    def legal_actions(self, public: PublicState) -> tuple[int, ...]:
        """Return each choice as an action of the hand [A]; several may be the same action."""
        limits = public.raise_limits
        raises = [CALL] * (len(self) - FIRST_RAISE)
        if limits:
            pot = public.pot + public.to_call
            wanted = [public.bet + round(fraction * pot) for fraction in self.fractions]
            raises = [*(min(max(to, limits[0]), limits[1]) for to in wanted), limits[1]]
            raises = [to if public.can_play(to) else public.nearest_raise(to) or CALL for to in raises]
        return (FOLD if public.to_call else CALL, CALL, *raises)


def menus_of(sizes: BetSizes, street_count: int) -> tuple[Menu, ...]:
    """Return the menu of each street from the bet sizes of a game; sizes that are nearly the same are one choice."""
    menus = []
    for street in range(street_count):
        offered = {size for part in sizes.on(street) for size in part}
        if any(size.unit not in (Unit.POT, Unit.ALL_IN) for size in offered):
            raise InvalidInput("sizes", "policies are learnt from games whose bets are fractions of the pot, or all-in")
        fractions: list[float] = []
        for value in sorted((size.value for size in offered if size.unit is Unit.POT), reverse=True):
            if not fractions or fractions[-1] / value >= _ALIKE:
                fractions.append(value)
        menus.append(Menu(tuple(reversed(fractions))))
    return tuple(menus)


def places_in_menus(lines: BettingTree, street: NDArray[np.int8], menus: tuple[Menu, ...]) -> NDArray[np.int8]:
    """Return for each line [L] the place of its action in the menu of the decision before it; -1 where none was made.

    `street` [L] is the street of each line.
    """
    places = np.full(len(lines.action), -1, np.int8)
    for parent in np.flatnonzero(lines.kind == 0).tolist():
        menu, state = menus[street[parent]], lines.states[parent]
        for child in range(int(lines.first_child[parent]), int(lines.first_child[parent] + lines.child_count[parent])):
            places[child] = _place(menu, state, int(lines.action[child]))
    return places


def _place(menu: Menu, state: NDArray[np.int64], action: int) -> int:
    if action in (FOLD, CALL):
        return FOLDS if action == FOLD else CALLS
    if action == state[HIGH] or not menu.fractions:
        return len(menu) - 1
    fraction = (action - state[BET]) / (state[POT] + state[TO_CALL])
    distances = [abs(log(fraction / each)) for each in menu.fractions]
    return FIRST_RAISE + distances.index(min(distances))
