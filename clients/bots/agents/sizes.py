"""Raises sized as fractions of the pot."""

from riverboat.rules.state import PublicState


def pot_raise(public: PublicState, fraction: float) -> int | None:
    """Return the legal raise nearest to `fraction` of the pot after a call; None if no raise is legal."""
    return public.nearest_raise(public.bet + round(fraction * (public.pot + public.to_call)))
