"""Pots as people see them: a main pot, and side pots only where a player is all-in."""

from dataclasses import dataclass

from riverboat.rules.state import PublicState


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips, and the seats that can win them."""

    chips: int
    seats: tuple[int, ...]


def pots_to_show(state: PublicState) -> list[Pot]:
    """Return the pots, main pot first, with the bets of this street.

    The rules close a pot at every amount that a player has paid. While bets are open that would be one pot for each
    bettor; for people a pot is closed only where a player has no chips left.
    """
    seats = list(zip(state.paid, state.stacks, state.folded, strict=True))
    bounds = sorted({paid for paid, stack, folded in seats if not folded and not stack and paid})
    most = max(state.paid)
    if not bounds or bounds[-1] < most:
        bounds.append(most)
    pots, below = list[Pot](), 0
    dead = sum(state.dead)
    for bound in bounds:
        chips = dead + sum(max(0, min(paid, bound) - below) for paid in state.paid)
        who = tuple(i for i, (paid, stack, folded) in enumerate(seats) if not folded and (stack or paid >= bound))
        if chips and who:
            pots.append(Pot(chips, who))
        elif chips and pots:  # from those who have folded since
            pots[-1] = Pot(pots[-1].chips + chips, pots[-1].seats)
        below, dead = bound, 0
    return pots
