"""Raises by fractions of the pot, as far as they are legal."""

from riverboat.rules.state import PublicState


def pot_raise(public: PublicState, fraction: float) -> int | None:
    """What to raise to for `fraction` of the pot as it is after a call, or the nearest legal raise; None if none is."""
    return public.nearest_raise(public.bet + round(fraction * (public.pot + public.to_call)))
