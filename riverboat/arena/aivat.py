"""AIVAT: the result of a hand between two bots with much of its luck removed (Burch and others, 2018).

The estimate is the chips that the hand paid, averaged over all holdings that the players might have had, plus a
correction for each event whose chances are known: board cards, decisions of bots that can report their strategy, and
holdings. A correction is the value that a value function expected before the event, less its value after it. Its mean
is zero whatever the function is, so the estimate is unbiased; with a good function the corrections cancel luck.

Both players begin with all holdings. A bot that reports its strategy keeps a range: the holdings that would have acted
as it did. A bot that cannot report it shows its cards when it first acts, which is an event like any other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, log

import numpy as np
from numpy.typing import NDArray

from riverboat.arena.bot import F64, Strategy
from riverboat.cards import Deck
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index, holdings_of, live_holdings
from riverboat.preflop import all_in_utility
from riverboat.rules.betting import CALL, FOLDED
from riverboat.rules.state import HandState, PublicState
from riverboat.utility import runout_utility

_MOST_WORK = 200_000_000  # comparisons for the utility of two ranges on a board: about a second
_MOST_RAISES = 8  # raises that are valued one by one: a bot may have thousands
_WIDTH = 0.4  # of equity, within which a bet makes holdings fold more and more rarely
_GROWTH = 1.0  # pots by which the pot is expected to grow on each street to come

Cards = tuple[int, ...]
I32 = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A decision in a hand."""

    public: PublicState  # before it
    action: int
    strategy: Strategy | None  # of the bot for all its holdings; None if it is not known


def aivat_payoffs(hand: HandState, last_board: Cards, turns: Sequence[Turn]) -> tuple[float, float]:
    """Return the chips that each of two seats won by the estimate, when the last decision was made on `last_board`."""
    if len(hand.holdings) != 2 or any(hand.public.dead):
        raise InvalidInput("hand", "AIVAT needs two players and no dead antes")
    knowledge = _Knowledge(hand)
    for turn in turns:
        if turn.public.board != knowledge.board:
            knowledge.deal(turn.public)
        knowledge.act(turn)
    if last_board != knowledge.board:
        raise InvalidInput("last_board", "is not the board of the last decision")
    won = knowledge.mean(knowledge.value(hand.public)) + knowledge.correction
    return won, -won


class _Knowledge:
    """The probabilities of both holdings in the course of a hand, and seat 0's corrections so far, in chips."""

    def __init__(self, hand: HandState) -> None:
        deck = hand.public.variant.deck
        self.board: Cards = ()
        self.correction = 0.0
        self._deck = deck
        self._own = [holding_index(deck, holding) for holding in hand.holdings]
        self._places = [np.arange(holdings_of(deck).count, dtype=np.int32)] * 2  # holdings of each seat on axis H
        self._utility = _utility(deck, (), *self._places)
        self._pairs = _apart(deck, *self._places)  # how likely each pair of holdings is, up to a factor

    def mean(self, values: F64 | float, pairs: F64 | None = None) -> float:
        """Return the average of values [rows, columns] over pairs of holdings, by default over those known now."""
        pairs = self._pairs if pairs is None else pairs
        return float((pairs * values).sum() / pairs.sum())

    def deal(self, public: PublicState) -> None:
        """Correct for board cards; utility before a deal is its average after it, so only two means are needed."""
        deck, board = self._deck, public.board
        stake = expected_stake(public)
        run_outs = comb(len(deck.cards) - len(board), deck.board_sizes[-1] - len(board))
        if self._pairs.size * run_outs > _MOST_WORK:
            self._show(1, stake * self._utility)
        before = self.mean(stake * self._utility)
        live = live_holdings(deck, board)
        kept = [live[places] for places in self._places]
        self._places = [places[ones] for places, ones in zip(self._places, kept, strict=True)]
        self._pairs = self._pairs[np.ix_(*kept)]
        self._utility, self.board = _utility(deck, board, *self._places), board
        self.correction += before - self.mean(stake * self._utility)

    def act(self, turn: Turn) -> None:
        """Correct for a decision."""
        seat = turn.public.actor
        if seat is None:
            raise InvalidInput("turns", "nobody was to act")
        if turn.strategy is None:
            if len(self._places[seat]) > 1:
                self._show(seat, self.value(turn.public))
            return
        actions, played = turn.strategy.actions, _place_of(turn, self._own[seat])
        chances = turn.strategy.chances
        # A bot that ignores its cards may have thousands of raises: one column is enough then.
        chances = chances[:, :1] if chances.strides[1] == 0 else chances[:, self._places[seat]]
        chances = chances / chances.sum(axis=0)
        pairs = self._pairs * _along(seat, chances[played])
        for members in groups_of_actions(actions):
            value = self.value(turn.public.play(actions[members[0]]))
            self.correction += self.mean(value * _along(seat, chances[members].sum(axis=0)))
            if played in members:
                self.correction -= self.mean(value, pairs)
        self._pairs = pairs

    def _show(self, seat: int, values: F64) -> None:
        """Correct for a seat that shows its holding, in a state with these values."""
        before = self.mean(values)
        shown = self._places[seat] == self._own[seat]
        self._places[seat] = self._places[seat][shown]
        self._pairs, self._utility, values = (
            np.compress(shown, matrix, axis=seat) for matrix in (self._pairs, self._utility, values)
        )
        self.correction += before - self.mean(values)

    def value(self, public: PublicState) -> F64:
        """Return an estimate of seat 0's winnings for each pair of holdings [rows, columns]; exact when a hand is over.

        Without a bet to call, both players come to a showdown. A bet makes the weaker holdings fold.
        """
        if public.phase == FOLDED:
            return np.full(self._pairs.shape, float(public.payoffs((0, 0))[0]))
        seat = public.actor
        if seat is None or not public.to_call:
            return self._utility * expected_stake(public)
        sign = 1 if seat == 0 else -1
        weights = self._pairs.sum(axis=1 - seat)
        utility = (self._pairs * self._utility).sum(axis=1 - seat) / np.where(weights > 0, weights, 1.0)
        price = public.to_call / (public.pot + public.to_call)
        folds = _along(seat, np.clip(0.5 + (price - (1 + sign * utility) / 2) / _WIDTH, 0, 1))
        value: F64 = (1 - folds) * self._utility * expected_stake(public.play(CALL)) - folds * sign * public.paid[seat]
        return value


def _place_of(turn: Turn, holding: int) -> int:
    """Return the place of the action that was played; raise if the bot's strategy never plays it with its holding."""
    if turn.strategy is None or turn.action not in turn.strategy.actions:
        place, chance = -1, 0.0
    else:
        place = turn.strategy.actions.index(turn.action)
        chance = float(turn.strategy.chances[place, holding])
    if not chance > 0:
        raise InvalidInput("strategy", f"seat {turn.public.actor} played {turn.action}, which its strategy never does")
    return place


def expected_stake(public: PublicState) -> float:
    """Return the chips that each player is expected to have in the pot at the showdown."""
    matched = min(public.paid)
    if public.is_over or not min(public.stacks):
        return matched
    return min(matched * (1 + _GROWTH * public.streets_left), matched + min(public.stacks))


def groups_of_actions(actions: Sequence[int]) -> list[list[int]]:
    """Return places of actions in groups that share a value, their first member's: raises of about the same size."""
    raises = sorted(place for place, action in enumerate(actions) if action > CALL)
    groups = [[place] for place, action in enumerate(actions) if action <= CALL]
    if len(raises) <= _MOST_RAISES:
        return groups + [[place] for place in raises]
    low, high = (log(function(actions[place] for place in raises)) for function in (min, max))
    by_size: dict[int, list[int]] = {}
    for place in raises:
        share = (log(actions[place]) - low) / (high - low)
        by_size.setdefault(min(int(_MOST_RAISES * share), _MOST_RAISES - 1), []).append(place)
    return groups + list(by_size.values())


def _along(seat: int, values: F64) -> F64:
    """Return values of a seat's holdings as a column or a row, to be multiplied with pairs."""
    return values[:, None] if seat == 0 else values[None, :]


def _apart(deck: Deck, rows: I32, columns: I32) -> F64:
    """Return 1 for pairs of holdings that share no card, and 0 for others [rows, columns]."""
    masks = holdings_of(deck).masks
    apart: F64 = ((masks[rows, None] & masks[None, columns]) == 0).astype(np.float64)
    return apart


def _utility(deck: Deck, board: Cards, rows: I32, columns: I32) -> F64:
    """Return mean winnings of holdings against others over all run-outs, per chip [rows, columns]; 0 if impossible."""
    if deck.is_holdem and not board:
        return np.nan_to_num(all_in_utility(deck)[np.ix_(rows, columns)].astype(np.float64))
    return runout_utility(deck, board, rows, columns).astype(np.float64)
