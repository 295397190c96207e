"""Exact equity in decks with one private card, where going through every deal takes no time."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from riverboat.contracts.oracle import Equity
from riverboat.equity.matchup import Matchup
from riverboat.strength.hands import strengths_on_boards


def small_equity(question: Matchup) -> Equity:
    """Return the equity of a matchup in a one-card deck."""
    players = [question.hero, *(np.ones_like(question.hero) if w is None else w for w in question.opponents)]
    total = win = tie = share = 0.0
    deal_count = 0
    for places, weight in _deals(players):
        cards = [question.deck.cards[place] for place in places]
        rest = [card for card in question.deck.cards if card not in cards and card not in question.board]
        if any(card in question.board for card in cards):
            continue
        for more in combinations(rest, question.to_come):
            board = np.array([[*question.board, *more]], np.uint8).reshape(1, -1)
            strengths = strengths_on_boards(question.deck, board)[0][list(places)]
            deal_count += 1
            total += weight
            if strengths[0] == strengths.max():
                equal = int(np.count_nonzero(strengths == strengths[0]))
                win += weight * (equal == 1)
                tie += weight * (equal > 1)
                share += weight / equal
    return Equity(win=win / total, tie=tie / total, equity=share / total, error=0.0, deal_count=deal_count, exact=True)


def _deals(players: list[np.ndarray]) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield all ways to give each player a different card, with the product of their weights."""
    if not players:
        yield (), 1.0
        return
    for places, weight in _deals(players[:-1]):
        for place in np.flatnonzero(players[-1]):
            if place not in places:
                yield (*places, int(place)), weight * float(players[-1][place])
