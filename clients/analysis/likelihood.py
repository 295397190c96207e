"""Reading an opponent: how likely it acts as it did, for each holding that it may have.

Most opponents are not in balance: they bet what is good, call what is worth the price, and fold the rest. So its
action is read by what each holding wins against the range that the opponent sees, if nobody bets any more:

    to call     folds below the price, raises far above it, calls in between
    free        bets what is well above a half, and some of the rest

Nobody is that exact, so chances change over a few per cent of the pot, and `mistakes` is how often anything else is
done. A strategy in balance would be read otherwise; how much reading wins and loses is measured in docs/bots.md.
"""

from dataclasses import dataclass

import numpy as np

from riverboat.holdings import holdings_of, live_holdings
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import PublicState
from riverboat.solving.subgame import F64, compatible
from riverboat.utility import runout_utility

_KINDS = 3  # fold, call, raise
_SMALLEST = 1e-12


@dataclass(frozen=True, slots=True)
class Reading:
    """What is thought of an opponent; shares of the pot and chances are between 0 and 1."""

    softness: float = 0.06  # over how much of the pot it goes from hardly ever to nearly always
    margin: float = 0.02  # by how much a call must be worth more than it costs
    bets_above: float = 0.62  # the share from which it bets
    raises_above: float = 0.70  # the share from which it raises
    keenness: float = 0.85  # how often it then does
    bluffs: float = 0.08  # how often it bets without
    mistakes: float = 0.25  # how often it does anything else


def read_action(public: PublicState, action: int, own: F64, reading: Reading) -> F64:
    """How likely each holding of the actor acts so [H], against the other's range [H]."""
    share = shares_against(public, own)
    chances = _facing(public, share, action, reading) if public.to_call else _free(share, action, reading)
    found: F64 = (1 - reading.mistakes) * chances + reading.mistakes / _KINDS
    return found


def _facing(public: PublicState, share: F64, action: int, reading: Reading) -> F64:
    price = public.to_call / (public.pot + public.to_call)
    folds = 1 - _above(share, price + reading.margin, reading)
    raises = (1 - folds) * reading.keenness * _above(share, reading.raises_above, reading)
    return folds if action == FOLD else 1 - folds - raises if action == CALL else raises


def _free(share: F64, action: int, reading: Reading) -> F64:
    bets = reading.keenness * _above(share, reading.bets_above, reading) + reading.bluffs
    return bets if action > CALL else 1 - bets


def _above(share: F64, limit: float, reading: Reading) -> F64:
    """From 0 to 1 around a limit."""
    found: F64 = 1 / (1 + np.exp((limit - share) / reading.softness))
    return found


def shares_against(public: PublicState, own: F64) -> F64:
    """What each holding wins of the pot against a range [H] if nobody bets any more; a half where it is impossible."""
    deck, board = public.variant.deck, public.board
    live = live_holdings(deck, board)
    rows, columns = np.flatnonzero(live).astype(np.int32), np.flatnonzero(live & (own > 0)).astype(np.int32)
    wins = runout_utility(deck, board, rows, columns) @ own[columns]
    opposing = compatible(holdings_of(deck).cards, own * live)[rows]
    found = np.full(len(own), 0.5)
    found[rows] = (1 + np.divide(wins, opposing, out=np.zeros(len(rows)), where=opposing > _SMALLEST)) / 2
    return found
