"""A range as text that people can edit: classes where all their holdings weigh the same, single holdings elsewhere."""

import numpy as np

from riverboat.cards import Deck
from riverboat.holdings import Weights, holdings_of, holdings_of_class

_CLOSE = 5e-4


def range_text(weights: Weights, deck: Deck) -> str:
    """Return a range that parses to the same weights, to three digits."""
    holdings, items = holdings_of(deck), list[str]()
    for label, members in holdings_of_class(deck).items():
        own = weights[members]
        alive = own > _CLOSE
        if not alive.any():
            continue
        if np.ptp(own) < _CLOSE:
            items.append(_item(label, float(own[0])))
            continue
        items += [_item(holdings.label(int(h)), float(weights[h])) for h in members[alive]]
    return ",".join(items)


def _item(text: str, weight: float) -> str:
    return text if weight > 1 - _CLOSE else f"{text}:{weight:.3g}"
