"""Local best response (Lisý and Bowling, 2017): a lower bound on an agent's losses in hold'em for two.

It knows the agent's strategy for all holdings, so by Bayes' rule it knows the agent's range. At its own decisions it
compares folding, calling and a list of bets, as if there were no more bets afterwards: a bet wins the pot from the
part of the range that folds, and its equity against the rest. Its actions are legal and depend only on what it may see,
so it wins no more than a best response.

The agent's holding is never dealt. The agent's actions and the board are drawn from what its range makes likely, and
the end of a hand counts by the average over the range that is left. `response_luck.py` says how lucky a hand was.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from riverboat.arena.bot import F64, Strategy
from riverboat.arena.deal_processes import child_of
from riverboat.arena.exploit import Ask
from riverboat.arena.ranged_hand import RangedHand, is_run_out, showdown_worth, win_share
from riverboat.arena.response_luck import (
    LUCK_KINDS,
    OF_ACTIONS,
    OF_DEALS,
    OF_HOLDING,
    luck_of_action,
    luck_of_deal,
    luck_of_holding,
)
from riverboat.arena.showdown_shares import showdown_shares
from riverboat.errors import InvalidInput
from riverboat.holdings import live_holdings
from riverboat.rules.bet_sizes import BetSizes, parse_bet_sizes
from riverboat.rules.betting import CALL, CHANCE, FOLD, FOLDED, SHOWDOWN
from riverboat.rules.sized_raises import sized_raises
from riverboat.rules.state import start
from riverboat.rules.variant import Variant

MakeAsk = Callable[[np.random.Generator], Ask]  # returns a function that answers for an agent

BETS = parse_bet_sizes("0.5p 1p all-in")
LATE_STREET = 2  # from the turn on


@dataclass(frozen=True, slots=True)
class LocalResponse:
    """The settings of a local best response."""

    variant: Variant
    stack: int
    bets: BetSizes = BETS
    first_street: int = 0  # before this street it only checks and calls


def respond_steps(response: LocalResponse, make_ask: MakeAsk, deals: range, rng: np.random.Generator) -> Iterator[F64]:
    """Play deals in both seats; yield after each what the response won and its luck, by its seat [2, 1 + L].

    Both hands of a deal share the response's holding, so a deal is one sample. Deal n has a generator of its own, the
    nth child of `rng`, and an agent that is asked about no other deal: deals may be played in any order, anywhere.
    """
    check_deals(deals)
    deck = response.variant.deck
    for deal in deals:
        chances = child_of(rng, deal)
        agent_chances, luck_chances = chances.spawn(2)
        ask = make_ask(agent_chances)
        holding = tuple(chances.choice(deck.cards, deck.holding_size, replace=False).tolist())
        hands = (PlayedResponse(response, ask, chances, luck_chances).play(seat, holding) for seat in (0, 1))
        yield np.array([(won, *luck) for won, luck in hands])


def check_deals(deals: range) -> None:
    """Raise InvalidInput unless there is a deal to play."""
    if len(deals) < 1:
        raise InvalidInput("deals", "must be at least 1")


@dataclass(frozen=True, slots=True, eq=False)
class PlayedResponse:
    """Plays hands of a response. What luck is worked out from has chances of its own, and changes no hand."""

    response: LocalResponse
    ask: Ask
    rng: np.random.Generator
    luck_rng: np.random.Generator

    def play(self, seat: int, holding: tuple[int, ...]) -> tuple[float, F64]:
        """Play one hand; return the chips that the response wins, averaged over the agent's holdings, and its luck."""
        response = self.response
        weights = live_holdings(response.variant.deck, holding).astype(np.float64)
        hand = RangedHand(start(response.variant, [response.stack] * 2), (), seat, holding, weights)
        luck = np.zeros(LUCK_KINDS)
        luck[OF_HOLDING] = luck_of_holding(response.variant.deck, holding)
        while True:
            public = hand.public
            if public.phase == FOLDED:
                return float(public.payoffs((0, 0))[seat]), luck
            if public.phase == SHOWDOWN or is_run_out(public):
                return showdown_worth(hand, self._shares(hand, self.rng)), luck
            if public.phase == CHANCE:
                after = _deal(hand, self.rng)
                luck[OF_DEALS] += luck_of_deal(hand, after, self._shares(hand), self._shares(after))
                hand = after
            elif public.actor == seat:
                hand = hand.after(choose(response, self.ask, hand, self.rng))
            else:
                strategy = self.ask(hand.view())
                place = int(self.rng.choice(len(strategy.actions), p=strategy.frequencies(hand.weights)))
                luck[OF_ACTIONS] += luck_of_action(hand, strategy, place, self._shares(hand))
                hand = hand.after(strategy.actions[place], strategy.chances[place])

    def _shares(self, hand: RangedHand, rng: np.random.Generator | None = None) -> F64:
        public = hand.public
        return showdown_shares(public.variant.deck, public.board, hand.holding, rng or self.luck_rng)


def choose(response: LocalResponse, ask: Ask, hand: RangedHand, rng: np.random.Generator) -> int:
    """Return the action that wins most if nobody bets after it; the smaller one of equals."""
    public = hand.public
    if public.street < response.first_street:
        return CALL
    shares = showdown_shares(public.variant.deck, public.board, hand.holding, rng)
    worths = {CALL: win_share(hand.weights, shares) * (public.pot + public.to_call) - public.to_call}
    if public.to_call:
        worths = {FOLD: 0.0, **worths}
    for to in sized_raises(public, response.bets):
        worths[to] = _bet_worth(hand, to, ask, shares)
    return max(worths, key=lambda action: worths[action])


def _bet_worth(hand: RangedHand, to: int, ask: Ask, shares: F64) -> float:
    """Return the winnings of a bet from here on: the pot where the agent folds, a share of a larger pot elsewhere."""
    public, after = hand.public, hand.after(to)
    folds = fold_chances(ask(after.view()))
    weight = hand.weights.sum()
    folding = float((hand.weights * folds).sum() / weight)
    cost = after.public.paid[hand.seat] - public.paid[hand.seat]
    called_pot = after.public.pot + after.public.to_call
    share = win_share(hand.weights * (1 - folds), shares)
    return folding * public.pot + (1 - folding) * (share * called_pot - cost)


def fold_chances(strategy: Strategy) -> F64:
    """Return how likely each holding folds [H]."""
    if FOLD not in strategy.actions:
        return np.zeros(strategy.chances.shape[1])
    chances: F64 = strategy.chances[strategy.actions.index(FOLD)]
    return chances


def _deal(hand: RangedHand, rng: np.random.Generator) -> RangedHand:
    """Return the hand after board cards, each as likely as the agent's range leaves it."""
    deck, weights, cards = hand.public.variant.deck, hand.weights, list[int]()
    for _ in range(hand.public.board_count):
        gone = {*hand.holding, *hand.public.board, *cards}
        rest = [card for card in deck.cards if card not in gone]
        left = np.array([(weights * live_holdings(deck, (card,))).sum() for card in rest])
        cards.append(rest[int(rng.choice(len(rest), p=left / left.sum()))])
        weights = weights * live_holdings(deck, (cards[-1],))
    return RangedHand(hand.public.deal(cards), hand.actions, hand.seat, hand.holding, weights)
