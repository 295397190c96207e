"""Ranges: a weight for every holding of a deck, and the notation players use for them.

A range is written as items separated by commas or spaces, each with an optional weight after a colon
(1 if there is none):

    QQ        a pair            QQ+      queens and better       88-55    a run of pairs
    AKs AKo   suited, offsuit   AK       both                    AhKh     one holding
    ATs+      ATs to AKs        A5s-A2s  a run of kickers        JTs-87s  a run of connectors
    76s:0.5   at half weight    random   every holding
    top 15%   the strongest     15%-30%  those that follow, by equity against a random holding

In a deck with one private card an item is a rank ("K") or a card ("Kh"). When an item names a holding
again, the later weight counts.
"""

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import OTHER_SIGNS, RANKS, Deck, parse_card
from riverboat.errors import InvalidInput
from riverboat.holdings import Weights, holding_index, holdings_of, holdings_of_class
from riverboat.starting_hands import STRONGEST_FIRST

LONGEST_RANGE_TEXT = 40_000  # characters: more than every holding of the full deck with a weight
_TEN = re.compile(r"10(?=[cdhs])")
_SHARES = re.compile(r"(?:top\s*)?(\d[\d.]*)\s*%(?:\s*-\s*(\d[\d.]*)\s*%)?", re.IGNORECASE)
_SLICE = re.compile(r"#(?P<low>[\d.]+)#(?P<high>[\d.]+)#(?::(?P<weight>[^:]+))?")
_ITEM = re.compile(r"(?P<first>[^:+-]+)(?P<plus>\+)?(?:-(?P<last>[^:+-]+))?(?::(?P<weight>[^:]+))?")
_WEIGHT = re.compile(r"(\d+\.?\d*|\.\d+)(e-?\d{1,3})?")
_CLASS = re.compile(r"(?P<high>[2-9TJQKA])(?P<low>[2-9TJQKA])(?P<kind>[so]?)")


def parse_range(text: str, deck: Deck) -> Weights:
    """Return the weights [H] of a range in players' notation; "random" is every holding."""
    if len(text) > LONGEST_RANGE_TEXT:
        raise InvalidInput(
            "", f"{len(text):,} characters are too many for a range; the limit is {LONGEST_RANGE_TEXT:,}"
        )
    weights = np.zeros(holdings_of(deck).count, np.float32)
    items = _SHARES.sub(_as_slice, _TEN.sub("T", text.translate(OTHER_SIGNS))).split()
    if not items:
        raise InvalidInput("", "an empty range; write something like QQ+,AKs, or random for every holding")
    for item in items:
        if match := _SLICE.fullmatch(item):
            _add_slice(weights, deck, match)
            continue
        indices, weight = _parse_item(item, deck)
        weights[indices] = weight
    return weights


def _as_slice(match: re.Match[str]) -> str:
    """Return a percentage, or two, as one word of the notation: "top 15%" is "#0#15#"."""
    low, high = (match[1], match[2]) if match[2] else ("0", match[1])
    return f"#{low}#{high}#"


def _add_slice(weights: Weights, deck: Deck, match: re.Match[str]) -> None:
    """Set the holdings between two percentages; a class that lies across an end is there in part."""
    weight = _parse_weight(match["weight"], match[0])
    try:
        low, high = float(match["low"]) / 100, float(match["high"]) / 100
    except ValueError:
        low = high = -1.0
    if not 0 <= low < high <= 1:
        raise InvalidInput("", "percentages are between 0 and 100, the smaller one first, like top 15% or 15%-30%")
    order = STRONGEST_FIRST.get(deck.name)
    if order is None:
        raise InvalidInput("", f"the {deck.name} deck has no percentages: name its cards")
    members, whole, before = holdings_of_class(deck), holdings_of(deck).count, 0
    for label in order:
        after = before + len(members[label])
        part = (min(after, high * whole) - max(before, low * whole)) / (after - before)
        if part > 0:
            weights[members[label]] = weight * min(1.0, part)
        before = after


def _parse_item(item: str, deck: Deck) -> tuple[NDArray[np.int64], float]:
    match = _ITEM.fullmatch(item)
    if not match:
        raise _unreadable(item, deck)
    weight = _parse_weight(match["weight"], item)
    if match["first"].lower() == "random":
        if match["plus"] or match["last"]:
            raise _unreadable(item, deck)
        return np.arange(holdings_of(deck).count), weight
    if not match["plus"] and not match["last"] and (cards := _as_cards(match["first"], deck)):
        return np.array([holding_index(deck, cards)]), weight
    labels = _span(match["first"], bool(match["plus"]), match["last"], item, deck)
    members = holdings_of_class(deck)
    unknown = next((label for label in labels if label not in members), None)
    if unknown is not None:
        raise InvalidInput("", f"{item[:20]!r}: there is no {unknown} in the {deck.name} deck ({deck.about})")
    return np.concatenate([members[label] for label in labels]), weight


def _parse_weight(text: str | None, item: str) -> float:
    if text is not None and not _WEIGHT.fullmatch(text):
        raise InvalidInput("", f"{item[:20]!r}: the weight after the colon is not a number like 0.5")
    weight = 1.0 if text is None else float(text)
    if not 0 <= weight <= 1:
        raise InvalidInput("", f"{item[:20]!r}: a weight is between 0 and 1")
    return weight


def _as_cards(text: str, deck: Deck) -> list[int] | None:
    """Return the cards of an item that names one holding, like AhKh; None if it names a class."""
    if len(text) != 2 * deck.holding_size:
        return None
    try:
        return [parse_card(text[i : i + 2]) for i in range(0, len(text), 2)]
    except InvalidInput:
        return None


def _span(first: str, plus: bool, last: str | None, item: str, deck: Deck) -> list[str]:
    """Return the class labels that an item stands for."""
    if deck.holding_size == 1:
        return _single_card_span(first, plus, last, item, deck)
    start = _parse_class(first, item, deck)
    if plus and last:
        raise _unreadable(item, deck)
    if last:
        return _both_kinds(_run(start, _parse_class(last, item, deck), item), start[2])
    if not plus:
        return _both_kinds([start[:2]], start[2])
    high, low, kind = start
    top = len(RANKS) if high == low else high
    steps = range(low, top)
    return _both_kinds([(rank, rank) if high == low else (high, rank) for rank in steps], kind)


def _single_card_span(first: str, plus: bool, last: str | None, item: str, deck: Deck) -> list[str]:
    ends = [RANKS.find(text.upper()) if len(text) == 1 else -1 for text in (first, last or first)]
    if min(ends) < 0 or (plus and last):
        raise _unreadable(item, deck)
    low, high = (ends[0], deck.ranks[-1]) if plus else sorted(ends)
    return [RANKS[rank] for rank in range(low, high + 1)]


def _parse_class(text: str, item: str, deck: Deck) -> tuple[int, int, str]:
    match = _CLASS.fullmatch(text[:2].upper() + text[2:].lower())
    if not match:
        raise _unreadable(item, deck)
    low, high = sorted((RANKS.index(match["high"]), RANKS.index(match["low"])))
    if high == low and match["kind"]:
        raise InvalidInput("", f"{item[:20]!r}: a pair is neither suited nor offsuit")
    return high, low, match["kind"]


def _run(a: tuple[int, int, str], b: tuple[int, int, str], item: str) -> list[tuple[int, int]]:
    """Return the rank pairs from one class to another: along pairs, along kickers, or along connectors."""
    if a[2] != b[2]:
        raise InvalidInput("", f"{item[:20]!r}: both ends of a run must be suited, or both offsuit")
    (high, low), (to_high, to_low) = sorted((a[:2], b[:2]))
    if high == to_high and high != low and to_high != to_low:
        return [(high, rank) for rank in range(min(low, to_low), max(low, to_low) + 1)]
    if high - low == to_high - to_low:  # pairs, or the same gap all along
        return [(high + i, low + i) for i in range(to_high - high + 1)]
    raise InvalidInput("", f"{item[:20]!r}: the ends of a run share a high card, like A5s-A2s, or a gap, like JTs-87s")


def _both_kinds(pairs: Iterable[tuple[int, int]], kind: str) -> list[str]:
    labels: list[str] = []
    for high, low in pairs:
        label = RANKS[high] + RANKS[low]
        kinds = [""] if high == low else [kind] if kind else ["s", "o"]
        labels.extend(label + k for k in kinds)
    return labels


def _unreadable(item: str, deck: Deck) -> InvalidInput:
    examples = "QQ+, AKs, A5s-A2s, KQo, AhKh or 76s:0.5" if deck.is_holdem else "K, Q+, Ks or J:0.5"
    return InvalidInput("", f"{item[:20]!r} is not a holding or an item of a range; write items like {examples}")
