"""Plays by its equity against random cards, estimated by dealing the rest of the hand a few thousand times.

Each decision rests on one number: the expected share of the pot if all live opponents held random cards and nobody bet
again. Opponents who bet do not hold random cards, so every bet faced lowers that share, and a larger bet lowers it
more. The agent compares the lowered share with the price of a call, in a pot to which the same opponents have paid, and
with the fair share, 1 / players.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf, log2

import numpy as np

from riverboat.arena.bot import Bot, Strategy
from riverboat.cards import Deck
from riverboat.clients.bots.agents.rollout_shares import chance_below, shares_against_random
from riverboat.clients.bots.agents.sizes import pot_raise
from riverboat.equity import Matchup, equity, matchup
from riverboat.equity.small_decks import small_equity
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index, holdings_of
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutParameters:
    """How the agent turns a share of the pot into an action; shares and chances are between 0 and 1."""

    rollout_count: int = 2000  # per decision: a standard error of 1 %, in a third of a millisecond
    bet_discount: float = 0.08  # the part of its share that an opponent's pot-sized bet takes away
    most_bets: float = 3.0  # at most this many pot-sized bets count: a player who always raises holds nothing special
    call_margin: float = 0.02  # by how much the share must exceed the price of a call
    raise_edge: float = 0.3  # by how much the share must exceed the fair share to raise: 0.3 means 1.3 times
    reraise_edge: float = 0.15  # added to it for each pot-sized bet by an opponent on this street
    sure_share: float = 0.9  # enough to raise, whatever the other thresholds are
    raise_size: float = 1.0  # of the pot after a call
    bluff_chance: float = 0.05  # of betting with too small a share, if checking is free
    slowplay_chance: float = 0.05  # of only calling with a share that is enough to raise

    def __post_init__(self) -> None:
        if not 1 <= self.rollout_count <= 1_000_000:
            raise InvalidInput("rollout_count", f"must be from 1 to 1,000,000, not {self.rollout_count:,}")
        if self.most_bets < 0:
            raise InvalidInput("most_bets", f"cannot be negative, but is {self.most_bets}")
        for name in ("bet_discount", "bluff_chance", "slowplay_chance"):
            if not 0 <= getattr(self, name) <= 1:
                raise InvalidInput(name, f"must be from 0 to 1, not {getattr(self, name)}")
        if not self.raise_size > 0:
            raise InvalidInput("raise_size", f"must be above 0, not {self.raise_size}")


class Rollout(Bot):
    """Bets when it expects more than its share, calls when the price is right, and folds otherwise."""

    def __init__(self, rng: np.random.Generator, parameters: RolloutParameters | None = None) -> None:
        super().__init__(rng)
        self.parameters = parameters or RolloutParameters()

    def act(self, view: View) -> int:
        """Return a raise, CALL or FOLD."""
        settings, chance = self.parameters, self.rng.random()
        needs = share_needs(view, settings)
        share = win_share(view, settings.rollout_count, self.rng)
        if share < needs.call:
            return FOLD
        if share >= needs.raise_:
            raises = chance >= settings.slowplay_chance
        else:
            raises = not view.public.to_call and chance < settings.bluff_chance
        return (pot_raise(view.public, settings.raise_size) if raises else None) or CALL

    def strategy(self, view: View) -> Strategy | None:
        """Return the strategy against one opponent; None against more.

        It is exact in decks with one private card. In hold'em the rollouts' error is a normal distribution.
        """
        public, settings = view.public, self.parameters
        if opponent_count(view) != 1:
            return None
        needs, deck = share_needs(view, settings), public.variant.deck
        shares = shares_against_random(deck, public.board)
        rollout_count = settings.rollout_count if deck.is_holdem else 0
        folds = chance_below(shares, needs.call, rollout_count) if public.to_call else np.zeros(len(shares))
        strong = 1 - chance_below(shares, max(needs.call, needs.raise_), rollout_count)
        bluffs = 0.0 if public.to_call else settings.bluff_chance
        raises = strong * (1 - settings.slowplay_chance) + (1 - folds - strong) * bluffs
        to = pot_raise(public, settings.raise_size)
        chances = {CALL: 1 - folds - raises if to is not None else 1 - folds}
        if public.to_call:
            chances[FOLD] = folds
        if to is not None:
            chances[to] = raises
        return Strategy(tuple(chances), np.clip(list(chances.values()), 0, 1), is_exact=not deck.is_holdem)


@dataclass(frozen=True, slots=True)
class ShareNeeds:
    """The expected shares of the pot that a call and a raise need in a situation, adjusted for the bets faced."""

    call: float
    raise_: float


def share_needs(view: View, settings: RolloutParameters) -> ShareNeeds:
    """Return the shares against random cards that make the agent call and raise."""
    bets = bets_faced(view)
    kept = (1 - settings.bet_discount) ** min(sum(bets), settings.most_bets)
    wanted = (1 + settings.raise_edge + settings.reraise_edge * bets[-1]) / (1 + opponent_count(view))
    call = price(view) + settings.call_margin if view.public.to_call else 0.0
    if kept <= 0:  # no share is enough
        return ShareNeeds(inf if call else 0.0, inf)
    return ShareNeeds(call / kept, min(wanted, settings.sure_share) / kept)


def opponent_count(view: View) -> int:
    """Return how many opponents have not folded."""
    return view.public.folded.count(False) - 1


def win_share(view: View, rollout_count: int, rng: np.random.Generator) -> float:
    """Return the expected share of the pot against random cards without further bets; exact for one-card holdings."""
    deck, board, count = view.public.variant.deck, view.public.board, opponent_count(view)
    if deck.is_holdem:
        return equity(_against_random(deck, view.holding, board, count), rng, rollout_count=rollout_count).equity
    return _small_share(deck, view.holding, board, count)


def _against_random(deck: Deck, holding: Sequence[int], board: Sequence[int], count: int) -> Matchup:
    own = np.zeros(holdings_of(deck).count, np.float32)
    own[holding_index(deck, holding)] = 1
    return matchup(deck, board, own, [None] * count)


@lru_cache(maxsize=1024)  # only a few arguments occur, and each takes longer than rollouts
def _small_share(deck: Deck, holding: tuple[int, ...], board: tuple[int, ...], count: int) -> float:
    return small_equity(_against_random(deck, holding, board, count)).equity


def price(view: View) -> float:
    """Return the cost of a call as a share of the pot that can be won, if all live opponents pay as much."""
    public = view.public
    paid = public.paid[view.seat] + public.to_call
    seats = zip(public.paid, public.stacks, public.folded, strict=True)
    pot = sum(min(chips if folded else chips + stack, paid) for chips, stack, folded in seats) + sum(public.dead)
    return public.to_call / pot


def bets_faced(view: View) -> list[float]:
    """Return the bets of live opponents on each street so far: 1 for a pot-sized bet, 2 for a bet of three pots."""
    bets = [0.0] * (view.public.street + 1)
    turns = (state for state in view.states() if state.actor is not None)
    for state, action in zip(turns, view.actions, strict=False):  # the last state has no action yet
        seat = state.actor
        if action > CALL and seat is not None and seat != view.seat and not view.public.folded[seat]:
            bets[state.street] += log2(1 + (action - state.bet) / (state.pot + state.to_call))
    return bets
