"""One grid for a whole node: each class with the letter of what it does most and how often, on the action's colour."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from rich.table import Table
from rich.text import Text

from riverboat.cards import Deck
from riverboat.clients.analysis.actions import played_words
from riverboat.clients.analysis.notation import notation_of
from riverboat.clients.console.study.report import class_means, mean_text, pair_weights, range_weights
from riverboat.clients.console.views.grid import Colour
from riverboat.contracts.resolver import NodeAnswer
from riverboat.holdings import class_grid, holdings_of, holdings_of_class
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import PublicState

CELL = 4  # columns: a letter, two digits and a space
_BETS, _RAISES = "bdeghijklmnopqs", "rstuvwyzklmnopq"
_PURE = 0.995  # of the time: the letter alone, as a capital
_SMALLEST = 1e-9
_RARE = 0.05  # percent: what so few holdings win says nothing
_FOLD: Colour = (0.62, 0.72, 0.86)
_CALL: Colour = (0.66, 0.84, 0.62)  # and a check
_LIGHT, _DEEP = (0.98, 0.80, 0.52), (0.86, 0.36, 0.30)  # of the smallest and the largest bet
_MOST_HOLDINGS = 12  # in the details of a class


class ActionSign(NamedTuple):
    """How an action is shown: a letter and a colour."""

    letter: str
    colour: Colour


def action_signs(public: PublicState, actions: Sequence[int]) -> tuple[ActionSign, ...]:
    """Return a sign for each action: f fold, x check, c call, a all-in, other letters for bets by size."""
    seat = public.actor or 0
    raises = [action for action in actions if action > CALL]
    letters = iter(_RAISES if public.bet else _BETS)
    signs = []
    for action in actions:
        if action == FOLD:
            signs.append(ActionSign("f", _FOLD))
        elif action == CALL:
            signs.append(ActionSign("c" if public.to_call else "x", _CALL))
        else:
            letter = "a" if action >= public.stacks[seat] + public.bets[seat] else next(letters)
            signs.append(ActionSign(letter, _mixed(_LIGHT, _DEEP, raises.index(action) / max(1, len(raises) - 1))))
    return tuple(signs)


def _mixed(low: Colour, high: Colour, part: float) -> Colour:
    red, green, blue = (x + (y - x) * part for x, y in zip(low, high, strict=True))
    return red, green, blue


def mix_table(public: PublicState, node: NodeAnswer) -> Table:
    """Return the grid of a node where somebody acts; 54 columns wide with thirteen ranks."""
    deck = public.variant.deck
    signs = action_signs(public, node.actions)
    means = [class_means(deck, row, node.reach[node.player]) for row in node.strategy]
    rows = class_grid(deck)
    ranks = [row[place][0] for place, row in enumerate(rows)] if deck.is_holdem else list(rows[0])
    table = Table(box=None, padding=(0, 0), header_style="bold")
    table.add_column("", style="bold", width=2)
    for rank in ranks:
        table.add_column(rank, width=CELL, no_wrap=True)
    for rank, row in zip(ranks, rows, strict=False):
        table.add_row(rank if deck.is_holdem else "", *(_cell(label, means, signs) for label in row))
    return table


def _cell(label: str, means: Sequence[Mapping[str, float]], signs: Sequence[ActionSign]) -> Text:
    """Return a class: "B" always bets, "b72" bets 72 % of the time and does something else otherwise."""
    shares = [mean.get(label) for mean in means]
    if not shares or shares[0] is None:
        return Text("·", style="dim")
    known = [share or 0.0 for share in shares]
    most = max(range(len(known)), key=known.__getitem__)
    sign, share = signs[most], known[most]
    words = sign.letter.upper() if share > _PURE else f"{sign.letter}{min(99, round(100 * share)):.0f}"
    colour = tuple(
        sum(share * sign.colour[i] for share, sign in zip(known, signs, strict=True)) / max(sum(known), _SMALLEST)
        for i in range(3)
    )
    red, green, blue = (round(255 * part) for part in colour)
    cell = Text(words.ljust(CELL - 1), style=f"black on rgb({red},{green},{blue})")
    return cell.append(" ", style="on default")


def legend(public: PublicState, node: NodeAnswer) -> Table:
    """Return the letters with the action, how often the whole range takes it, and what those holdings win."""
    weights = pair_weights(public.variant.deck, node)
    table = Table(box=None, padding=(0, 1, 0, 0), show_header=False)
    table.add_column("", no_wrap=True)
    table.add_column("")
    for row, (action, sign) in enumerate(zip(node.actions, action_signs(public, node.actions), strict=True)):
        share = node.strategy[row] * weights
        often = 100 * share.sum() / max(weights.sum(), _SMALLEST)
        red, green, blue = (round(255 * part) for part in sign.colour)
        key = Text(f" {sign.letter} ", style=f"black on rgb({red},{green},{blue})")
        table.add_row(key, played_words(public, action))
        worth = mean_text(node.action_evs[row], share) if often > _RARE else "-"
        table.add_row("", Text(f"{often:.1f} %, EV {worth}", style="dim"))
    for player, name in enumerate(("out of pos.", "in pos.")):
        own = range_weights(public.variant.deck, node, player)
        table.add_row("", Text(f"EV {name} {mean_text(node.evs[player], own)}"))
    return table


def class_details(public: PublicState, node: NodeAnswer, members: Sequence[int]) -> Table:
    """Return some holdings of the player to act: weight, EV, equity, and how often each takes each action."""
    deck = public.variant.deck
    reach = node.reach[node.player]
    signs = action_signs(public, node.actions)
    typed = [notation_of(public, action) for action in node.actions]
    heads = [
        word if word[0] == sign.letter else f"{sign.letter} {word}" for sign, word in zip(signs, typed, strict=True)
    ]
    table = Table("", box=None, padding=(0, 2, 0, 0))
    for name in ("weight", "EV", "equity", *heads):
        table.add_column(name, justify="right", no_wrap=True)
    present = [place for place in members if reach[place] > 0]
    for place in present[:_MOST_HOLDINGS]:
        strategy = (f"{100 * share:.0f} %" for share in node.strategy[:, place])
        table.add_row(
            holdings_of(deck).label(place),
            f"{reach[place]:.2f}",
            f"{node.evs[node.player, place]:,.1f}",
            f"{100 * node.equity[node.player, place]:.0f} %",
            *strategy,
        )
        evs = (f"{ev:,.1f}" if np.isfinite(ev) else "-" for ev in node.action_evs[:, place])
        table.add_row("", "", "", Text("EV", style="dim"), *(Text(ev, style="dim") for ev in evs))
    return table


def members_named(deck: Deck, text: str) -> Sequence[int]:
    """Return the holdings of a class or of one holding, like AQs, 77, AQ or AhQh; none if the text names none."""
    labels = {label.lower(): members for label, members in holdings_of_class(deck).items()}
    word = text.strip().lower()
    classes = [labels[name] for name in (word, f"{word}s", f"{word}o") if name in labels]
    if classes:
        return [int(place) for members in classes for place in members]
    places = {holdings_of(deck).label(place).lower(): place for place in range(holdings_of(deck).count)}
    both = (word, word[2:] + word[:2])
    return [places[name] for name in both if name in places][:1]
