"""A report on one node of a solution: JSON for programs, grids and a table for people."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from riverboat.cards import Deck
from riverboat.clients.analysis.actions import played_words
from riverboat.clients.analysis.caveats import exploitability_note
from riverboat.clients.analysis.notation import notation_of
from riverboat.clients.console.views.grid import ColourScale, class_table
from riverboat.contracts.resolver import NodeAnswer, Solved
from riverboat.holdings import holdings_of, holdings_of_class
from riverboat.rules.state import PublicState
from riverboat.solving.subgame import F64, compatible

PLAYERS = ("out of position", "in position")
_KEYS = ("oop", "ip")
_SMALLEST = 1e-9
_RARE = 5e-4  # frequency below which an action is left out


def as_dict(root: PublicState, public: PublicState, solved: Solved, path: str, node: NodeAnswer) -> dict[str, Any]:
    """Return everything about a solution and one of its nodes; in chips unless a name says otherwise."""
    cost, labels = solved.cost, _labels(public.variant.deck)
    live = np.flatnonzero(node.reach[node.player] > 0) if node.player >= 0 else np.zeros(0, np.int64)
    return {
        "exploitability_percent": 100 * cost.exploitability / root.pot,
        "exploitability_scope": str(cost.scope),
        "exploitability_note": exploitability_note(cost.scope) or None,
        "root_ev": dict(zip(_KEYS, solved.evs, strict=True)),
        "iterations": cost.iterations,
        "seconds_solving": cost.solving_seconds,
        "seconds_total": cost.total_seconds,
        "tree": {"lines": cost.line_count, "boards": cost.board_count},
        "memory_bytes": cost.byte_count,
        "below_cut": cost.leaf or None,
        "is_partial": cost.is_partial,
        "path": path,
        "board": node.board,
        "pot": node.pot,
        "stacks": dict(zip(_KEYS, public.stacks, strict=True)),
        "player": _KEYS[node.player] if node.player >= 0 else None,
        "actions": [played_words(public, action) for action in node.actions],
        "steps": [*(notation_of(public, action) for action in node.actions), *node.deals],
        "strategy": {labels[h]: [_number(x) for x in node.strategy[:, h]] for h in live},
        "action_evs": {labels[h]: [_number(x) for x in node.action_evs[:, h]] for h in live},
        "holdings": {key: _holdings(labels, node, player) for player, key in enumerate(_KEYS)},
    }


def _holdings(labels: list[str], node: NodeAnswer, player: int) -> list[dict[str, Any]]:
    arrays = {"weight": node.reach[player], "ev": node.evs[player], "equity": node.equity[player]}
    return [
        {"holding": labels[h], **{name: _number(array[h]) for name, array in arrays.items()}}
        for h in np.flatnonzero(node.reach[player] > 0)
    ]


def _number(value: float) -> float | None:
    return round(float(value), 6) if np.isfinite(value) else None


def _labels(deck: Deck) -> list[str]:
    holdings = holdings_of(deck)
    return [holdings.label(h) for h in range(holdings.count)]


def summary(public: PublicState, node: NodeAnswer) -> Table:
    """Return a table of the whole range's actions at a node, with their EV."""
    weights = pair_weights(public.variant.deck, node)
    right = [Column(name, justify="right") for name in ("frequency", "their EV")]
    table = Table("type", PLAYERS[node.player], *right, box=None, padding=(0, 2, 0, 0))
    for i, action in enumerate(node.actions):
        share = node.strategy[i] * weights
        often = share.sum() / max(weights.sum(), _SMALLEST)
        table.add_row(notation_of(public, action), played_words(public, action), f"{100 * often:.1f} %",
                      mean_text(node.action_evs[i], share) if often > _RARE else "-")  # fmt: skip
    whole = " and ".join(f"{mean_text(node.evs[p], range_weights(public.variant.deck, node, p))}" for p in (0, 1))
    table.add_row("", f"EV out of and in position: {whole} of {node.pot:,}")
    return table


def pair_weights(deck: Deck, node: NodeAnswer) -> F64:
    """Return how likely each holding of the actor is at a node, given the opponent's range [H]."""
    return range_weights(deck, node, node.player)


def range_weights(deck: Deck, node: NodeAnswer, player: int) -> F64:
    """Return how likely each holding of a player is at a node, given the other's range [H]."""
    items = holdings_of(deck).cards
    weights: F64 = node.reach[player] * compatible(items, node.reach[1 - player])
    return np.maximum(weights, 0)


def mean_text(values: F64, weights: F64) -> str:
    """Return the mean of the known values [H] for people."""
    mean = _mean(values, weights)
    return f"{mean:,.1f}" if np.isfinite(mean) else "-"


def mean_ev(public: PublicState, node: NodeAnswer, player: int) -> float:
    """Return what a player's range wins at a node, in chips; NaN if it is empty."""
    return _mean(node.evs[player], range_weights(public.variant.deck, node, player))


def _mean(values: F64, weights: F64) -> float:
    known = np.isfinite(values) & (weights > 0)
    total = float(weights[known].sum())
    return float(values[known] @ weights[known]) / total if total > _SMALLEST else float("nan")


def grids(public: PublicState, node: NodeAnswer, width: int, most_played: bool = False) -> Iterator[RenderableType]:
    """Yield grids of frequencies and EVs by class, for each action or only for those that are played."""
    deck = public.variant.deck
    finite = node.action_evs[np.isfinite(node.action_evs)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    weights = pair_weights(deck, node)
    for i, action in enumerate(node.actions):
        if most_played and (node.strategy[i] * weights).sum() < _RARE * weights.sum():
            continue
        often = class_means(deck, 100 * node.strategy[i], node.reach[node.player])
        worth = class_means(deck, node.action_evs[i], node.reach[node.player])
        middle = min(max(node.pot / 2, low), high)
        side = max(0, (width - 3) // 2)
        pair = [
            Group(Text(f"{played_words(public, action)}: frequency, %", style="bold"),
                  class_table(deck, often, ColourScale(0, 0, 100), "{:.0f}", side, "not in the range here")),
            Group(Text(f"{played_words(public, action)}: EV in chips", style="bold"),
                  class_table(deck, worth, ColourScale(low, middle, high), "{:.0f}", side, "not in the range here")),
        ]  # fmt: skip
        yield Columns(pair, padding=(0, 3))


def ev_grid(public: PublicState, node: NodeAnswer, width: int) -> RenderableType:
    """Return a grid of what each class of the player to act is worth at a node, whatever it does."""
    deck, own = public.variant.deck, node.reach[node.player]
    worth = class_means(deck, node.evs[node.player], own)
    low, high = (min(worth.values()), max(worth.values())) if worth else (0.0, 1.0)
    scale = ColourScale(low, min(max(node.pot / 2, low), high), high)
    return Group(
        Text("EV of each class, in chips", style="bold"),
        class_table(deck, worth, scale, "{:.0f}", width, "not in the range here"),
    )


def class_means(deck: Deck, values: F64, weights: F64) -> Mapping[str, float]:
    """Return means over the holdings of each class that is in the range."""
    means = {}
    for label, members in holdings_of_class(deck).items():
        known = members[np.isfinite(values[members]) & (weights[members] > 0)]
        if len(known):
            means[label] = float(np.average(values[known], weights=weights[known]))
    return means
