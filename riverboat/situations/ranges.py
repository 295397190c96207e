"""Ranges as DeepStack samples them: by strength, halved again and again.

All weight is shared between the weaker and the stronger half of the holdings, by chance; then within each half, and
so on down to single holdings. Ranges made in this way are often all strong, all weak, or in between: as they are
in play.
"""

from collections.abc import Sequence

import numpy as np

from riverboat.cards import Deck
from riverboat.compiled.kernels import kernel
from riverboat.holdings import holdings_of, holdings_of_class, live_holdings
from riverboat.solving.subgame import F64, I64
from riverboat.strength.profiles import strength_profile

_BINS = 2  # the fewest that a profile can have: only its means are used here
_LEAST_SHARE = 1e-3  # of the average weight: a network learns nothing about holdings with less


def strength_order(deck: Deck, board: Sequence[int], rng: np.random.Generator) -> I64:
    """Return the possible holdings, weakest first; equally strong ones in random order."""
    live = np.flatnonzero(live_holdings(deck, board))
    strength = strength_profile(deck, board, _BINS)[1][live]
    order: I64 = live[np.lexsort((rng.random(len(live)), strength))]
    return order


def recursive_range(order: I64, holding_count: int, rng: np.random.Generator) -> F64:
    """Return a range over holdings in order of strength, adding up to one [H]."""
    shares = np.zeros(len(order))
    _share_out(rng.random(len(order)), shares)
    weights = np.zeros(holding_count)
    weights[order] = shares
    return floored(weights, order)


def recursive_class_range(deck: Deck, rng: np.random.Generator) -> F64:
    """Return a recursive range before the flop [H]; weight goes to classes, since suits make no difference."""
    members = list(holdings_of_class(deck).values())
    mean = strength_profile(deck, (), _BINS)[1]
    order = np.argsort([mean[holdings[0]] for holdings in members], kind="stable")
    shares = recursive_range(order, len(members), rng)
    weights = np.zeros(holdings_of(deck).count)
    for share, holdings in zip(shares, members, strict=True):
        weights[holdings] = share / len(holdings)
    return weights


def floored(weights: F64, live: I64) -> F64:
    """Return a range with some weight on every possible holding, adding up to one [H], so that all are learnt."""
    raised = np.zeros(len(weights))
    raised[live] = np.maximum(weights[live], _LEAST_SHARE * weights[live].sum() / len(live))
    shares: F64 = raised / raised.sum()
    return shares


@kernel
def _share_out(chances: F64, shares: F64) -> None:
    """Halve and share until single holdings are left; chances are uniform between 0 and 1."""
    used = 0
    # A stack of intervals that are still to be halved: 128 is more than the halvings of any number of holdings.
    first, last = np.zeros(128, np.int64), np.zeros(128, np.int64)
    weight = np.zeros(128)
    last[0], weight[0] = len(shares), 1.0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        a, b, total = first[waiting], last[waiting], weight[waiting]
        if b - a == 1:
            shares[a] = total
            continue
        middle, part = (a + b) // 2, total * chances[used]
        used += 1
        first[waiting], last[waiting], weight[waiting] = a, middle, part
        first[waiting + 1], last[waiting + 1], weight[waiting + 1] = middle, b, total - part
        waiting += 2
