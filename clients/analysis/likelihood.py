"""The heuristic reading of an opponent: how likely each holding that it may have takes the action that it took.

Most opponents do not play a balanced strategy: they bet good holdings, call with those worth the price, and fold the
rest. The reading goes by the share of the pot that each holding wins against the other player's range if nobody bets
again:

    facing a bet    folds below the price, raises far above it, calls in between
    otherwise       bets well above a half, and sometimes below

No opponent is that exact, so chances change gradually over a few per cent of the pot, and `mistakes` is how often it
takes any action at all. docs/experiments/agents.md measures what the reading wins and loses.
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
    """Assumptions about an opponent; shares of the pot and chances are between 0 and 1."""

    softness: float = 0.06  # share of the pot over which a chance goes from low to high
    margin: float = 0.02  # share of the pot that a call must be worth beyond its price
    bets_above: float = 0.62  # the share above which it bets
    raises_above: float = 0.70  # the share above which it raises
    keenness: float = 0.85  # how often it bets or raises above those
    bluffs: float = 0.08  # how often it bets below
    mistakes: float = 0.25  # how often it takes any action


def read_action(public: PublicState, action: int, own: F64, reading: Reading) -> F64:
    """Return how likely each holding of the actor takes an action [H], against the other player's range [H]."""
    share = shares_against(public, own)
    chances = _facing(public, share, action, reading) if public.to_call else _free(share, action, reading)
    likelihood: F64 = (1 - reading.mistakes) * chances + reading.mistakes / _KINDS
    return likelihood


def _facing(public: PublicState, share: F64, action: int, reading: Reading) -> F64:
    price = public.to_call / (public.pot + public.to_call)
    folds = 1 - _above(share, price + reading.margin, reading)
    raises = (1 - folds) * reading.keenness * _above(share, reading.raises_above, reading)
    return folds if action == FOLD else 1 - folds - raises if action == CALL else raises


def _free(share: F64, action: int, reading: Reading) -> F64:
    bets = reading.keenness * _above(share, reading.bets_above, reading) + reading.bluffs
    return bets if action > CALL else 1 - bets


def _above(share: F64, limit: float, reading: Reading) -> F64:
    """Return a chance that rises from 0 to 1 around a limit."""
    chances: F64 = 1 / (1 + np.exp((limit - share) / reading.softness))
    return chances


def shares_against(public: PublicState, own: F64) -> F64:
    """Return the share of the pot that each holding wins against a range [H] without more bets; 0.5 if impossible."""
    deck, board = public.variant.deck, public.board
    live = live_holdings(deck, board)
    rows, columns = np.flatnonzero(live).astype(np.int32), np.flatnonzero(live & (own > 0)).astype(np.int32)
    wins = runout_utility(deck, board, rows, columns) @ own[columns]
    opposing = compatible(holdings_of(deck).cards, own * live)[rows]
    shares = np.full(len(own), 0.5)
    shares[rows] = (1 + np.divide(wins, opposing, out=np.zeros(len(rows)), where=opposing > _SMALLEST)) / 2
    return shares
