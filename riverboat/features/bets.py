"""The opponent's bets on the four streets, and all features of a situation: card features, then bets."""

from collections.abc import Sequence

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.features.card_features import F32
from riverboat.rules.state import View
from riverboat.streets import STREETS

BETS = len(STREETS)


def opponent_bets(view: View) -> tuple[int, ...]:
    """Return the opponent's chips on each street, with blinds and without antes; 0 on streets to come.

    The hand must have two players and four streets.
    """
    if view.public.player_count != 2 or len(view.public.variant.streets) != BETS:
        raise InvalidInput("", f"the features of a situation need a hand with two players and {BETS} streets")
    bets = [0] * BETS
    for state in view.states():
        bets[state.street] = state.bets[1 - view.seat]
    return tuple(bets)


def situation_features(cards: F32, bets: Sequence[int]) -> F32:
    """Return card features [..., F] with the opponent's bets on the four streets, in chips, after them [..., F + 4]."""
    if len(bets) != BETS or min(bets) < 0:
        raise InvalidInput("bets", f"must be {BETS} numbers of chips, none below zero, not {list(bets)}")
    shape = (*cards.shape[:-1], BETS)
    return np.concatenate([cards, np.broadcast_to(np.array(bets, np.float32), shape)], axis=-1)
