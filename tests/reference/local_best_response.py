"""The exact value of local best response in a small game, by enumerating every deal and action."""

from itertools import combinations

from riverboat.arena.exploit import Ask
from riverboat.arena.local_best_response import LocalResponse
from riverboat.cards import Deck
from riverboat.rules.betting import CALL, CHANCE, FOLD, FOLDED, SHOWDOWN
from riverboat.rules.sized_raises import sized_raises
from riverboat.rules.state import PublicState, View, start
from riverboat.strength.hands import strength_of

Range = dict[int, float]  # by card: the agent's probability of getting here with it


def response_value(response: LocalResponse, ask: Ask, seat: int) -> float:
    """Return the chips per hand that the response wins in a seat, in a deck with one private card."""
    cards = response.variant.deck.cards
    public = start(response.variant, [response.stack] * 2)
    values = [_value(response, ask, seat, own, public, (), {card: 1.0 for card in cards if card != own})
              for own in cards]  # fmt: skip
    return sum(values) / len(values)


def _value(response: LocalResponse, ask: Ask, seat: int, own: int, public: PublicState, actions: tuple[int, ...],
           agent: Range) -> float:  # fmt: skip
    total = sum(agent.values())
    if public.phase == FOLDED:
        return public.payoffs((0, 0))[seat]
    if public.phase == SHOWDOWN:
        return sum(weight * _payoff(public, seat, own, card) for card, weight in agent.items()) / total
    if public.phase == CHANCE:
        value = 0.0
        rest = [card for card in public.variant.deck.cards if card != own and card not in public.board]
        for card in rest:
            left = {other: weight for other, weight in agent.items() if other != card}
            # Given the agent's card, each other card is equally likely.
            chance = sum(left.values()) / total / (len(rest) - 1)
            if chance > 0:
                value += chance * _value(response, ask, seat, own, public.deal([card]), actions, left)
        return value
    if public.actor == seat:
        action = _choice(response, ask, seat, own, public, actions, agent)
        return _value(response, ask, seat, own, public.play(action), (*actions, action), agent)
    value = 0.0
    strategy = ask(View(1 - seat, public, (next(iter(agent)),), actions))
    for row, action in enumerate(strategy.actions):
        left = {card: weight * float(strategy.chances[row, _place(public, card)]) for card, weight in agent.items()}
        left = {card: weight for card, weight in left.items() if weight > 0}
        if left:
            after = _value(response, ask, seat, own, public.play(action), (*actions, action), left)
            value += sum(left.values()) / total * after
    return value


def _place(public: PublicState, card: int) -> int:
    return public.variant.deck.cards.index(card)


def _payoff(public: PublicState, seat: int, own: int, card: int) -> int:
    deck = public.variant.deck
    held = {seat: own, 1 - seat: card}
    return public.payoffs([strength_of(deck, (held[place], *public.board)) for place in (0, 1)])[seat]


def _choice(response: LocalResponse, ask: Ask, seat: int, own: int, public: PublicState, actions: tuple[int, ...],
            agent: Range) -> int:  # fmt: skip
    total = sum(agent.values())
    deck, pot, cost = public.variant.deck, public.pot, public.to_call
    share = _share(deck, public.board, own, agent)
    options = [(0.0, FOLD)] if cost else []
    options.append((share * pot - (1 - share) * cost, CALL))
    for to in sized_raises(public, response.bets):
        strategy = ask(View(1 - seat, public.play(to), (next(iter(agent)),), (*actions, to)))
        folds: Range = {}
        if FOLD in strategy.actions:
            row = strategy.chances[strategy.actions.index(FOLD)]
            folds = {card: weight * float(row[_place(public, card)]) for card, weight in agent.items()}
        folding = sum(folds.values()) / total
        calls = {card: weight - folds.get(card, 0.0) for card, weight in agent.items()}
        called = _share(deck, public.board, own, calls)
        more = to - public.bet  # on top of a call
        options.append((folding * pot + (1 - folding) * (called * (pot + more) - (1 - called) * (cost + more)), to))
    best = max(worth for worth, _ in options)
    return next(action for worth, action in options if worth == best)


def _share(deck: Deck, board: tuple[int, ...], own: int, agent: Range) -> float:
    """Return the share of the pot without further bets; 0 against an empty range."""
    won = total = 0.0
    for card, weight in agent.items():
        rest = [other for other in deck.cards if other not in (own, card, *board)]
        for more in combinations(rest, deck.board_sizes[-1] - len(board)):
            strengths = [strength_of(deck, (held, *board, *more)) for held in (own, card)]
            won += weight * (strengths[0] > strengths[1]) + weight / 2 * (strengths[0] == strengths[1])
            total += weight
    return won / total if total else 0.0
