"""The legal actions of the acting seat, in one value."""

from dataclasses import dataclass

from riverboat.rules.betting import FOLD
from riverboat.rules.state import PublicState


@dataclass(frozen=True, slots=True)
class LegalActions:
    """The legal actions of the acting seat. A call, or a check if `to_call` is 0, is always legal."""

    can_fold: bool
    to_call: int
    min_raise_to: int  # 0 if no raise is legal
    max_raise_to: int
    raises_to: tuple[int, ...]  # all legal raises where the game lists its sizes; () where every size between is legal


def legal_actions(public: PublicState) -> LegalActions:
    """Return the legal actions of the acting seat."""
    low, high = public.raise_limits or (0, 0)
    return LegalActions(
        can_fold=public.can_play(FOLD),
        to_call=public.to_call,
        min_raise_to=low,
        max_raise_to=high,
        raises_to=tuple(public.raises_to),
    )
