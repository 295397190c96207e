"""A solved spot as one HTML page that needs nothing else: ranges, a tree to click through, and EVs.

The page carries a JSON document. Words, pots and averages are plain JSON. Numbers of single holdings are packed node by
node, so that a browser unpacks only what it shows. A node's numbers are deflated and in base64: for each player, which
holdings are live (one bit each, the lowest first); then rows of 16-bit numbers: for each player the weights, EVs and
equities of the live holdings, and for the player to act the EV of every action; then the strategy [A, live], a byte
each, of 255. A row of 16-bit numbers is all their low bytes, then all their high bytes, because that deflates better. A
holding is live if its weight is at least half of a ten-thousandth of the largest.
"""

import json
import zlib
from base64 import b64encode
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck, format_card
from riverboat.clients.console.views.html_template import fill_template, page_file
from riverboat.contracts.resolver import NodeAnswer
from riverboat.holdings import class_grid, holdings_of, holdings_of_class
from riverboat.solving.subgame import F64, compatible

U16 = NDArray[np.uint16]
Bits = NDArray[np.bool_]

_UNIT = 1e-4  # the unit of a 16-bit number: a part of the largest weight, of the pot, or of one
_NOTHING = 65535  # stands for a number that is missing
_MOST = _NOTHING - 1
_WHOLE = 255  # frequencies of one holding, added up
_SCRIPTS = ("data", "parts", "line", "range", "walk")
_LIVE, _STILL = "live", "still"  # the script of a page with a server, and of one in a file
_NO_REQUESTS, _OWN_REQUESTS = "default-src 'none';", "default-src 'none'; connect-src 'self';"


@dataclass(frozen=True, slots=True, eq=False)
class PageNode:
    """One node of the page, and where its choices lead."""

    words: str  # the step from the parent: "checks", "bets 50", "river 7c"; "" for the root
    answer: NodeAnswer
    choices: tuple[str, ...]  # words for each action of the answer, or for each of its deals
    children: tuple[int | None, ...]  # place among the nodes for each choice; None if it is not on the page


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """Everything that a page shows."""

    title: str
    deck: Deck
    players: tuple[str, str]
    facts: tuple[tuple[str, str], ...]  # a name and a value each
    nodes: tuple[PageNode, ...]  # parents before children, the root first


def html_page(page: Page, is_live: bool = False) -> str:
    """Return the whole page: it loads nothing, and works from a file; a live one asks its server for more nodes."""
    scripts = (_LIVE if is_live else _STILL, *_SCRIPTS)
    parts = {
        "title": escape(page.title),
        "style": page_file(str(__package__), "page.css"),
        "data": _harmless(json.dumps(_document(page, is_live), separators=(",", ":"), allow_nan=False)),
        "script": "\n".join(page_file(str(__package__), f"page_{name}.js") for name in scripts),
    }
    text = fill_template(str(__package__), "page.html", parts)
    return text.replace(_NO_REQUESTS, _OWN_REQUESTS, 1) if is_live else text


def _harmless(document: str) -> str:
    """Return JSON that means the same and cannot close the element it is in."""
    return document.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _document(page: Page, is_live: bool) -> dict[str, Any]:
    deck = page.deck
    holdings = holdings_of(deck)
    members = holdings_of_class(deck)
    return {
        "title": page.title,
        "live": is_live,
        "players": page.players,
        "facts": page.facts,
        "cards": [format_card(card) for card in deck.cards],
        "holdings": [holdings.label(index) for index in range(holdings.count)],
        "classes": [
            [{"label": label, "holdings": members[label].tolist()} for label in row] for row in class_grid(deck)
        ]
        if deck.is_holdem
        else [],
        "nodes": [node_document(deck, node) for node in page.nodes],
    }


def node_document(deck: Deck, node: PageNode) -> dict[str, Any]:
    """Return one node as the page's script takes it."""
    answer = node.answer
    low, step = _ev_scale(answer)
    return {
        "words": node.words,
        "player": answer.player,
        "pot": answer.pot,
        "board": answer.board,
        "choices": node.choices,
        "children": node.children,
        "actions": answer.actions,
        "deals": answer.deals,
        "means": _means(deck, answer),
        "weight_steps": [_weight_step(weights) for weights in answer.reach],
        "ev_low": low,
        "ev_step": step,
        "equity_step": _UNIT,
        "packed": b64encode(zlib.compress(_pack(answer, low, step), 9)).decode(),
    }


# Averages over a range


def _means(deck: Deck, answer: NodeAnswer) -> dict[str, Any]:
    """Return averages of both ranges, each holding weighted by its own weight and by the opponent's range."""
    items = holdings_of(deck).cards
    weights = np.array([answer.reach[p] * np.maximum(compatible(items, answer.reach[1 - p]), 0) for p in (0, 1)])
    own = weights[answer.player]
    return {
        "holding_counts": [_rounded(total) for total in answer.reach.sum(axis=1)],
        "evs": [_mean(answer.evs[p], weights[p]) for p in (0, 1)],
        "equities": [_mean(answer.equity[p], weights[p]) for p in (0, 1)],
        "frequencies": [_mean(row, own) for row in answer.strategy],
        "action_counts": [_rounded(float((row * answer.reach[answer.player]).sum())) for row in answer.strategy],
        "action_evs": [
            _mean(evs, own * row) for evs, row in zip(answer.action_evs, answer.strategy, strict=True)
        ],
    }  # fmt: skip


def _mean(values: F64, weights: F64) -> float | None:
    """Return the mean of the known values [H]; None if there are none."""
    known = np.isfinite(values) & (weights > 0)
    total = float(weights[known].sum())
    return _rounded(float(values[known] @ weights[known]) / total) if total > 0 else None


def _rounded(value: float) -> float:
    """Return a value rounded to the digits that people read."""
    return float(f"{value:.6g}")


# Single holdings


def _weight_step(weights: F64) -> float:
    return float(weights.max()) * _UNIT


def _ev_scale(answer: NodeAnswer) -> tuple[float, float]:
    """Return the lowest EV of a node, and the unit: a part of the pot, or more if the EVs lie far apart."""
    evs = np.concatenate([answer.evs, answer.action_evs])
    known = evs[np.isfinite(evs)]
    if not known.size:
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    return low, max(answer.pot * _UNIT, (high - low) / _MOST) or 1.0


def _pack(answer: NodeAnswer, low: float, step: float) -> bytes:
    """Return a node's numbers for its live holdings, in the order that the module describes."""
    counted = [_counted(weights, 0.0, _weight_step(weights) or 1.0) for weights in answer.reach]
    live = [counts > 0 for counts in counted]
    parts = [np.packbits(bits, bitorder="little").tobytes() for bits in live]
    for p in (0, 1):
        for counts in (counted[p], _counted(answer.evs[p], low, step), _counted(answer.equity[p], 0.0, _UNIT)):
            parts.append(_bytes_of(counts, live[p]))
    for evs in answer.action_evs:
        parts.append(_bytes_of(_counted(evs, low, step), live[answer.player]))
    if len(answer.strategy):
        parts.append(_in_parts(answer.strategy[:, live[answer.player]]).tobytes())
    return b"".join(parts)


def _counted(values: F64, low: float, step: float) -> U16:
    """Return numbers as multiples of `step` above `low`."""
    counts = np.clip(np.rint((values - low) / step), 0, _MOST)
    return np.where(np.isfinite(values), counts, _NOTHING).astype(np.uint16)


def _bytes_of(counts: U16, live: Bits) -> bytes:
    kept = counts[live]
    return (kept & 255).astype(np.uint8).tobytes() + (kept >> 8).astype(np.uint8).tobytes()


def _in_parts(strategy: F64) -> NDArray[np.uint8]:
    """Return frequencies [A, holdings] as whole parts of 255 that add up to 255, by largest remainders."""
    totals = strategy.sum(axis=0)
    exact = strategy / np.where(totals > 0, totals, 1) * _WHOLE
    parts = np.floor(exact)
    missing = np.rint(exact.sum(axis=0) - parts.sum(axis=0))
    order = np.argsort(parts - exact, axis=0, kind="stable")
    np.put_along_axis(parts, order, np.take_along_axis(parts, order, 0) + (np.arange(len(parts))[:, None] < missing), 0)
    return parts.astype(np.uint8)
