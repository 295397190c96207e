"""Local best response (Lisý and Bowling, 2017): a lower bound on an agent's losses in hold'em for two.

It knows the agent's strategy for all holdings, so by Bayes' rule it knows the agent's range. At its own decisions it
compares folding, calling and a list of bets, as if there were no more bets afterwards: a bet wins the pot from the
part of the range that folds, and its equity against the rest. Its actions are legal and depend only on what it may see,
so it wins no more than a best response.

The agent's holding is never dealt. The agent's actions and the board are drawn from what its range makes likely, and
the end of a hand counts by the average over the range that is left.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from riverboat.arena.bot import F64, Strategy
from riverboat.arena.deal_processes import child_of
from riverboat.arena.exploit import Ask
from riverboat.arena.showdown_shares import is_exact, showdown_shares
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of, live_holdings
from riverboat.rules.bet_sizes import BetSizes, parse_bet_sizes
from riverboat.rules.betting import CALL, CHANCE, FOLD, FOLDED, SHOWDOWN
from riverboat.rules.sized_raises import sized_raises
from riverboat.rules.state import PublicState, View, start
from riverboat.rules.variant import Variant

MakeAsk = Callable[[np.random.Generator], Ask]  # returns a function that answers for an agent

BETS = parse_bet_sizes("0.5p 1p all-in")
LATE_STREET = 2  # from the turn on
_LEAST = 1e-12  # a range with less weight counts as empty


@dataclass(frozen=True, slots=True)
class LocalResponse:
    """The settings of a local best response."""

    variant: Variant
    stack: int
    bets: BetSizes = BETS
    first_street: int = 0  # before this street it only checks and calls


@dataclass(frozen=True, slots=True, eq=False)
class RangedHand:
    """A hand in which the response holds cards and the agent has a range."""

    public: PublicState
    actions: tuple[int, ...]
    seat: int  # of the response
    holding: tuple[int, ...]  # of the response
    weights: F64  # [H]: how likely the agent would have come here with each holding that can still be dealt

    def view(self) -> View:
        """Return the agent's view, with one of its possible holdings."""
        cards = holdings_of(self.public.variant.deck).cards[int(self.weights.argmax())]
        return View(1 - self.seat, self.public, tuple(cards.tolist()), self.actions)

    def after(self, action: int, chances: F64 | float = 1.0) -> "RangedHand":
        """Return the hand after an action that each of the agent's holdings takes with these chances."""
        return replace(
            self,
            public=self.public.play(action),
            actions=(*self.actions, action),
            weights=self.weights * chances,
        )


def respond_steps(response: LocalResponse, make_ask: MakeAsk, deals: range, rng: np.random.Generator) -> Iterator[F64]:
    """Play deals in both seats; yield after each the response's winnings in each seat, in chips [2].

    Both hands of a deal share the response's holding, so a deal is one sample. Deal n has a generator of its own, the
    nth child of `rng`, and an agent that is asked about no other deal: deals may be played in any order, anywhere.
    """
    check_deals(deals)
    deck = response.variant.deck
    for deal in deals:
        chances = child_of(rng, deal)
        ask = make_ask(chances.spawn(1)[0])
        holding = tuple(chances.choice(deck.cards, deck.holding_size, replace=False).tolist())
        yield np.array([play_response(response, ask, seat, holding, chances) for seat in (0, 1)])


def check_deals(deals: range) -> None:
    """Raise InvalidInput unless there is a deal to play."""
    if len(deals) < 1:
        raise InvalidInput("deals", "must be at least 1")


def play_response(
    response: LocalResponse, ask: Ask, seat: int, holding: tuple[int, ...], rng: np.random.Generator
) -> float:
    """Play one hand with a holding; return the chips that the response wins, averaged over the agent's holdings."""
    weights = live_holdings(response.variant.deck, holding).astype(np.float64)
    public = start(response.variant, [response.stack] * 2)
    hand = RangedHand(public=public, actions=(), seat=seat, holding=holding, weights=weights)
    while True:
        public = hand.public
        if public.phase == FOLDED:
            return float(public.payoffs((0, 0))[seat])
        if public.phase == SHOWDOWN or _is_run_out(public):
            return showdown_worth(hand, showdown_shares(public.variant.deck, public.board, holding, rng))
        if public.phase == CHANCE:
            hand = _deal(hand, rng)
        elif public.actor == seat:
            hand = hand.after(choose(response, ask, hand, rng))
        else:
            hand = _draw_action(hand, ask(hand.view()), rng)


def choose(response: LocalResponse, ask: Ask, hand: RangedHand, rng: np.random.Generator) -> int:
    """Return the action that wins most if nobody bets after it; the smaller one of equals."""
    public = hand.public
    if public.street < response.first_street:
        return CALL
    shares = showdown_shares(public.variant.deck, public.board, hand.holding, rng)
    worths = {CALL: _win_share(hand.weights, shares) * (public.pot + public.to_call) - public.to_call}
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
    share = _win_share(hand.weights * (1 - folds), shares)
    return folding * public.pot + (1 - folding) * (share * called_pot - cost)


def fold_chances(strategy: Strategy) -> F64:
    """Return how likely each holding folds [H]."""
    if FOLD not in strategy.actions:
        return np.zeros(strategy.chances.shape[1])
    chances: F64 = strategy.chances[strategy.actions.index(FOLD)]
    return chances


def _win_share(weights: F64, shares: F64) -> float:
    """Return the expected share of the pot against a range; 0 against an empty one."""
    total = weights.sum()
    return float((weights * shares).sum() / total) if total > _LEAST else 0.0


def _draw_action(hand: RangedHand, strategy: Strategy, rng: np.random.Generator) -> RangedHand:
    """Return the hand after an action of the agent, drawn with the chance that its range gives it."""
    action = int(rng.choice(len(strategy.actions), p=strategy.frequencies(hand.weights)))
    return hand.after(strategy.actions[action], strategy.chances[action])


def _deal(hand: RangedHand, rng: np.random.Generator) -> RangedHand:
    """Return the hand after board cards, each as likely as the agent's range leaves it."""
    deck, weights, cards = hand.public.variant.deck, hand.weights, list[int]()
    for _ in range(hand.public.board_count):
        gone = {*hand.holding, *hand.public.board, *cards}
        rest = [card for card in deck.cards if card not in gone]
        left = np.array([(weights * live_holdings(deck, (card,))).sum() for card in rest])
        cards.append(rest[int(rng.choice(len(rest), p=left / left.sum()))])
        weights = weights * live_holdings(deck, (cards[-1],))
    return replace(hand, public=hand.public.deal(cards), weights=weights)


def _is_run_out(public: PublicState) -> bool:
    """Return whether a player is all-in and called, so that only cards come, and all run-outs can be averaged."""
    return public.phase == CHANCE and 0 in public.stacks and is_exact(public.variant.deck, public.board)


def showdown_worth(hand: RangedHand, shares: F64) -> float:
    """Return the chips that the response wins at a showdown against the range, from its shares [H]."""
    public = hand.public
    own, other = (public.paid[seat] for seat in (hand.seat, 1 - hand.seat))
    matched = min(own, other)
    won, lost = matched + public.dead[1 - hand.seat], matched + public.dead[hand.seat]
    return _win_share(hand.weights, shares) * (won + lost) - lost
