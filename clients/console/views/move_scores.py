"""How well models foresee moves, as a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Column, Table

from riverboat.clients.console.views.output import note, print_table
from riverboat.opponents.scoring import KNOWN_HANDS

_GROUPS = (("held_out", "held out"), ("everyone", "everybody"))
_PARTS = (("all", "all hands"), ("first_hundred_hands", f"first {KNOWN_HANDS}"), ("after", f"after {KNOWN_HANDS}"))
_METHODS = (("everybody", "one tree"), ("styles", "styles"), ("boosted", "boosted"))


def print_scores(results: Sequence[Mapping[str, Any]]) -> None:
    """Print accuracy and log-loss by players dealt in, group of players and how well they are known."""
    right = [Column(f"{head}: right", justify="right") for _, head in _METHODS]
    losses = [Column(f"{head}: loss", justify="right") for _, head in _METHODS]
    heads = ("players", "whose moves", "hands of each", Column("moves", justify="right"))
    table = Table(*heads, Column("naive", justify="right"), *right, *losses, box=None, padding=(0, 1, 0, 0))
    for result in results:
        for group, words in _GROUPS:
            for part, when in _PARTS:
                scores = result[group][part]
                if scores["moves"]:
                    table.add_row(str(result["players"]), words, when, *_cells(scores))
    print_table(table)
    note("right: kinds of moves foreseen; loss: mean log-loss of the kinds (lower is better)")
    note("held out: players that the shipped models did not learn from, by a hash of the name")


def _cells(scores: Mapping[str, Any]) -> list[str]:
    right = [f"{100 * scores['accuracy'][method]:.1f} %" for method, _ in _METHODS]
    losses = [f"{scores['log_loss'][method]:.3f}" for method, _ in _METHODS]
    return [f"{scores['moves']:,}", f"{100 * scores['naive_accuracy']:.1f} %", *right, *losses]
