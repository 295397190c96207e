"""The luck of a response that plays against a range: what chance gave it beyond what could be expected.

As in AIVAT (Burch and others, 2018), a function guesses what every situation is worth to the response. Where chance
decides (the response's holding, an action of the agent, board cards), the guess afterwards less its mean beforehand is
luck. Its mean is zero whatever the function is: a control variate, which a score subtracts as far as that makes
winnings steadier (`response_score.py`).
"""

import numpy as np

from riverboat.arena.aivat import expected_stake
from riverboat.arena.bot import F64, Strategy
from riverboat.arena.ranged_hand import RangedHand, is_run_out, showdown_worth, win_share
from riverboat.cards import Deck
from riverboat.holdings import holding_index, holdings_of
from riverboat.preflop import all_in_utility
from riverboat.rules.betting import CALL, FOLDED, SHOWDOWN

OF_HOLDING, OF_ACTIONS, OF_DEALS = range(3)  # kinds of luck in a hand
LUCK_KINDS = 3
_MOST_ACTIONS = 50  # of which each is tried: an agent with more raises takes them at random


def luck_of_holding(deck: Deck, holding: tuple[int, ...]) -> float:
    """Return the mean winnings per chip against all other holdings; on average over all holdings they are zero."""
    if not deck.is_holdem:
        return 0.0
    place, masks = holding_index(deck, holding), holdings_of(deck).masks
    return float(all_in_utility(deck)[place, (masks & masks[place]) == 0].mean(dtype=np.float64))


def luck_of_action(hand: RangedHand, strategy: Strategy, taken: int, shares: F64) -> float:
    """Return the luck of an action that the agent took, one of its strategy's by place; shares are on the board now."""
    frequencies = strategy.frequencies(hand.weights)
    if len(frequencies) > _MOST_ACTIONS:
        return 0.0
    guesses = np.zeros(len(frequencies))
    for place in np.flatnonzero(frequencies > 0).tolist():
        guesses[place] = _guess(hand.after(strategy.actions[place], strategy.chances[place]), shares)
    return float(guesses[taken] - frequencies @ guesses)


def luck_of_deal(before: RangedHand, after: RangedHand, shares: F64, shares_after: F64) -> float:
    """Return the luck of board cards: a share of the pot before a deal is the average of those after it."""
    gained = win_share(after.weights, shares_after) - win_share(before.weights, shares)
    return 2 * gained * expected_stake(after.public)


def _guess(hand: RangedHand, shares: F64) -> float:
    """Return a guess at what the response wins from the start of the hand; exact where the hand is over."""
    public = hand.public
    if public.phase == FOLDED:
        return float(public.payoffs((0, 0))[hand.seat])
    if public.phase == SHOWDOWN or is_run_out(public):
        return showdown_worth(hand, shares)
    edge = 2 * win_share(hand.weights, shares) - 1
    if public.actor == hand.seat and public.to_call:
        return max(-float(public.paid[hand.seat]), edge * expected_stake(public.play(CALL)))
    return edge * expected_stake(public)
