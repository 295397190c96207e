"""Pots as people see them: a main pot, and side pots only where somebody is all-in."""

from collections.abc import Sequence
from dataclasses import dataclass

from riverboat.protos.gamemanager.v1 import state_manager_pb2 as pb


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips, and the seats that can win them."""

    chips: int
    seats: tuple[int, ...]


def pots_to_show(seats: Sequence[pb.Seat]) -> list[Pot]:
    """Return the pots, main pot first, with the bets of this street.

    The rules close a pot at every amount that somebody has paid. While bets are open that would be one pot for each
    bettor; for people a pot is closed only where a player has no chips left.
    """
    bounds = sorted({seat.paid for seat in seats if not seat.folded and not seat.stack and seat.paid})
    most = max((seat.paid for seat in seats), default=0)
    if not bounds or bounds[-1] < most:
        bounds.append(most)
    pots, below = list[Pot](), 0
    dead = sum(seat.dead for seat in seats)
    for bound in bounds:
        chips = dead + sum(max(0, min(seat.paid, bound) - below) for seat in seats)
        who = tuple(i for i, seat in enumerate(seats) if not seat.folded and (seat.stack or seat.paid >= bound))
        if chips and who:
            pots.append(Pot(chips, who))
        elif chips and pots:  # from those who have folded since
            pots[-1] = Pot(pots[-1].chips + chips, pots[-1].seats)
        below, dead = bound, 0
    return pots
