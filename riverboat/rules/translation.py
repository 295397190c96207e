"""Translation of a bet that a tree does not have to bets that it has.

Sizes are compared as fractions of the pot: what a bet adds to the bet it answers, over the pot after a call. A call
is the size 0.
"""

from collections.abc import Sequence
from itertools import pairwise

from riverboat.errors import InvalidInput
from riverboat.rules.betting import CALL
from riverboat.rules.public_state import PublicState


def pot_fraction(public: PublicState, to: int) -> float:
    """Return the fraction of the pot, after a call, that a raise to `to` adds."""
    return max(0, to - public.bet) / max(1, public.pot + public.to_call)


def pseudo_harmonic_chances(public: PublicState, to: int, raises: Sequence[int]) -> list[tuple[int, float]]:
    """Return the sizes that a raise to `to` is translated to, and how likely each is: one, or its two neighbours.

    This is the randomised pseudo-harmonic mapping of Ganzfried and Sandholm (2013): between two sizes a < x < b it
    takes a with probability (b - x)(1 + a) / ((b - a)(1 + x)), so that nobody gains by bets just beside the sizes of
    the tree. Below the smallest raise the other choice is to call.
    """
    below, above = _neighbours(to, raises)
    if below == above:
        return [(below, 1.0)]
    a, x, b = (pot_fraction(public, size) for size in (below, to, above))
    chance = (b - x) * (1 + a) / ((b - a) * (1 + x))
    return [(below, chance), (above, 1 - chance)]


def _neighbours(to: int, raises: Sequence[int]) -> tuple[int, int]:
    """Return the nearest choices on either side; twice the same if `to` is one of them, or beyond the largest."""
    if not raises or any(a >= b for a, b in pairwise(raises)):
        raise InvalidInput("raises", "must be in ascending order, at least one")
    if to <= CALL:
        raise InvalidInput("to", "only raises are translated")
    above = next((size for size in raises if size >= to), None)
    if above is None:
        return raises[-1], raises[-1]
    if above == to:
        return to, to
    place = raises.index(above)
    return (raises[place - 1] if place else CALL), above
