"""An explanation, shown: a table of actions, both ranges and two sentences; a dictionary for programs."""

from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Column, Table
from rich.text import Text

from riverboat.cards import Deck, format_cards
from riverboat.clients.analysis.actions import Amount, action_words, chips_words
from riverboat.clients.analysis.caveats import estimate_words, graded_against
from riverboat.clients.analysis.explanation import Choice, Explanation
from riverboat.clients.analysis.wording import share_words, why
from riverboat.clients.console.views.grid import ColourScale, value_text
from riverboat.clients.console.views.output import note, out
from riverboat.clients.console.views.text import cards_text, plain
from riverboat.holdings import class_grid, class_label, holdings_of_class, live_holdings
from riverboat.rules.restrictions import restriction_words
from riverboat.rules.variant import Variant
from riverboat.streets import street_name

_CELLS = (4, 3)  # columns of a cell: up to 100 and a space, or without
_WEIGHTS = ColourScale(0.0, 0.0, 100.0)
_BETWEEN = 3  # columns between two grids
_LABEL = 2  # columns of a rank in front
_LEAST = 0.005  # of a class, to be shown as a number
_LIKELIEST = 6
_STANDS_OUT = 0.025  # of a range: a class below it is not worth a name
_NEARLY_ALL = 0.8  # of all holdings
_SEEN = 0.01  # of a class: less is a dot in the grid
_UNEXPECTED = "The strategy rarely reaches this decision with this hand: it plays the hand differently before.\n"


@dataclass(frozen=True, slots=True)
class Names:
    """Names of players by seat, and how chips are written."""

    players: tuple[str, ...]
    amount: Amount = chips_words


def print_explanation(explanation: Explanation, names: Names, title: str) -> None:
    """Print an explanation for people."""
    if title:
        out.print(Text(title, style="bold"), soft_wrap=True)
    out.print(_situation(explanation, names))
    print_restrictions(explanation.public.variant, names)
    out.print()
    out.print(_action_table(explanation, names))
    out.print()
    _print_ranges(explanation, names)
    if _is_unexpected(explanation):
        note(_UNEXPECTED)
    opponent = plain(names.players[1 - explanation.seat])
    out.print(why(explanation, opponent, names.amount), markup=False)
    out.print(graded_against(explanation, opponent), style="dim", markup=False)
    if explanation.is_estimate:
        note(f"~ {estimate_words(explanation)}")


def print_restrictions(variant: Variant, names: Names) -> None:
    """Print the restrictions of the game, if any: they are why some actions are missing."""
    if words := restriction_words(variant, names.amount):
        out.print(f"rules: {', '.join(words)}", markup=False, soft_wrap=True)


def _is_unexpected(explanation: Explanation) -> bool:
    """Return whether the class of the holding does not show in its player's grid."""
    return class_weights(explanation, explanation.seat).get(class_label(explanation.holding), 0.0) < _SEEN


def street_of(explanation: Explanation) -> str:
    """Return the name of the street."""
    public = explanation.public
    return street_name(public.street, len(public.variant.streets))


def _situation(explanation: Explanation, names: Names) -> Text:
    public, seat = explanation.public, explanation.seat
    text = Text(f"{plain(names.players[seat])} holds ").append_text(cards_text(format_cards(explanation.holding)))
    text.append(f", {street_of(explanation)}")
    if public.board:
        text.append(" ").append_text(cards_text(format_cards(public.board)))
    text.append(f", pot {names.amount(public.pot)}")
    if public.to_call:
        text.append(f", {names.amount(public.to_call)} to call")
    return text.append(f", {names.amount(min(public.stacks))} behind")


def _action_table(explanation: Explanation, names: Names) -> Table:
    right = [Column(name, justify="right") for name in ("this hand", "whole range", "EV", "loss")]
    table = Table("action", *right, "", box=None, padding=(0, 2, 0, 0))
    rough = "~" if explanation.is_estimate else ""
    for choice in explanation.choices:
        is_taken, is_best = choice.action == explanation.taken, choice is explanation.best
        words = "; ".join(filter(None, ("best" if is_best else "", "played" if is_taken else "")))
        table.add_row(
            action_words(explanation.public, choice.action, names.amount),
            f"{100 * choice.frequency:.0f} %",
            f"{100 * choice.range_frequency:.0f} %",
            rough + names.amount(choice.ev),
            rough + names.amount(choice.loss),
            words,
            style="bold" if is_best else "",
        )
    return table


# Ranges


def class_weights(explanation: Explanation, seat: int) -> dict[str, float]:
    """Return how much of each class is in a seat's range, above 0 and up to 1."""
    public, weights = explanation.public, explanation.ranges[seat]
    live = live_holdings(public.variant.deck, public.board)
    means = {
        label: float(weights[places][live[places]].mean())
        for label, places in holdings_of_class(public.variant.deck).items()
        if live[places].any()
    }
    return {label: weight for label, weight in means.items() if weight > 0}


def likeliest(explanation: Explanation, seat: int) -> str:
    """Return a seat's likeliest classes, like "AKo 9 %, QQ 4 %"; the opponent's given the holding."""
    public, weights = explanation.public, explanation.ranges[seat]
    dead = public.board if seat == explanation.seat else (*public.board, *explanation.holding)
    weights = weights * live_holdings(public.variant.deck, dead)
    shares = {
        label: float(weights[places].sum() / weights.sum())
        for label, places in holdings_of_class(public.variant.deck).items()
    }
    first = sorted(shares, key=lambda label: (-shares[label], label))[:_LIKELIEST]
    if shares[first[0]] < _STANDS_OUT:  # a list would be noise
        held = float((weights > weights.max() / 2).sum() / max(1, live_holdings(public.variant.deck, dead).sum()))
        return "nearly everything" if held > _NEARLY_ALL else f"about {share_words(held)} of all hands, none stands out"
    return ", ".join(f"{label} {share_words(shares[label])}" for label in first if shares[label] > 0)


def _print_ranges(explanation: Explanation, names: Names) -> None:
    """Print both grids, side by side if the terminal is wide enough."""
    deck, seat = explanation.public.variant.deck, explanation.seat
    sides = [cell for cell in _CELLS if 2 * (_LABEL + cell * len(class_grid(deck)[0]) + _BETWEEN) <= out.width]
    parts = [
        (
            Text(f"{plain(names.players[who])}'s range, in %"),
            _grid(deck, class_weights(explanation, who), (*sides, *_CELLS)[0]),
        )
        for who in (seat, 1 - seat)
    ]
    if sides:
        grids = Table(*(Column(name) for name, _ in parts), box=None, padding=(0, _BETWEEN, 0, 0), header_style="")
        grids.add_row(*(grid for _, grid in parts))
        out.print(grids)
    else:
        for name, grid in parts:
            out.print(name)
            out.print(grid)
    note("suited above the diagonal, offsuit below; · less than 1 %\n")


def _grid(deck: Deck, values: dict[str, float], cell: int) -> Table:
    rows = class_grid(deck)
    ranks = [row[place][0] for place, row in enumerate(rows)] if deck.is_holdem else list(rows[0])
    table = Table(box=None, padding=(0, 0), header_style="bold")
    table.add_column("", style="bold", width=_LABEL)
    for rank in ranks:
        table.add_column(rank, justify="center", no_wrap=True)
    for rank, row in zip(ranks, rows, strict=False):
        weights = (100 * values[label] if values.get(label, 0.0) >= _LEAST else None for label in row)
        cells = (value_text(weight, _WEIGHTS, "{:.0f}", cell) for weight in weights)
        table.add_row(rank if deck.is_holdem else "", *cells)
    return table


# For programs


def as_dict(explanation: Explanation, names: Names) -> dict[str, Any]:
    """Return an explanation for programs; chips are integers of the rules, ranges are shares of each class."""
    public = explanation.public
    opponent = plain(names.players[1 - explanation.seat])
    return {
        "player": names.players[explanation.seat],
        "opponent": names.players[1 - explanation.seat],
        "holding": format_cards(explanation.holding),
        "street": street_of(explanation),
        "board": format_cards(public.board),
        "pot": public.pot,
        "to_call": public.to_call,
        "played": None if explanation.taken is None else action_words(public, explanation.taken, names.amount),
        "actions": [_choice_dict(explanation, choice, names) for choice in explanation.choices],
        "best": action_words(public, explanation.best.action, names.amount),
        "equity": explanation.equity,
        "standing": asdict(explanation.comparison),
        "ranges": {names.players[seat]: class_weights(explanation, seat) for seat in (0, 1)},
        "exploitability": explanation.exploitability,
        "exploitability_scope": str(explanation.scope),
        "is_estimate": explanation.is_estimate,
        "below_cut": explanation.leaf or None,
        "opponent_actions_read": explanation.read_count,
        "opponent_actions_resolved": explanation.resolved_count,
        "opponent_actions_in_solution": explanation.solved_count,
        "graded_against": graded_against(explanation, opponent),
        "why": why(explanation, opponent, names.amount),
    }


def _choice_dict(explanation: Explanation, choice: Choice, names: Names) -> dict[str, Any]:
    return {
        "action": action_words(explanation.public, choice.action, names.amount),
        "to": choice.action if choice.action > 0 else None,
        "frequency": choice.frequency,
        "range_frequency": choice.range_frequency,
        "ev": choice.ev,
        "loss": choice.loss,
        "response": None if choice.response is None else asdict(choice.response),
    }
