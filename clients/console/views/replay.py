"""A hand from a hand history, shown: street by street for people, a dictionary for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from rich.table import Column, Table
from rich.text import Text

from riverboat.cards import format_cards
from riverboat.clients.analysis.actions import Amount, played_words
from riverboat.clients.analysis.endings import uncalled_chips, uncalled_words, win_words
from riverboat.clients.console.views.output import out
from riverboat.clients.console.views.text import cards_text
from riverboat.history.hand import UNKNOWN_STACK, HandOutcome, History, Show
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.restrictions import restriction_words
from riverboat.rules.state import PublicState
from riverboat.streets import street_name


def amount_text(history: History, chips: int) -> str:
    """Return chips in the file's unit, with decimals where there is a fraction; "?" for a stack that is not known."""
    if chips > UNKNOWN_STACK // 2:
        return "?"
    whole, rest = divmod(chips, 10**history.decimals)
    return f"{Decimal(chips).scaleb(-history.decimals):,}" if rest else f"{whole:,}"


def _amount(history: History) -> Amount:
    return lambda chips: amount_text(history, int(chips))


def _restrictions(history: History) -> tuple[str, ...]:
    return restriction_words(history.variant, _amount(history))


def _street(history: History, state: PublicState) -> str:
    return street_name(state.street, len(history.variant.streets))


def _words(history: History, event: Move | Show, before: PublicState) -> str:
    """Return a seat's action in words."""
    if isinstance(event, Show):
        return f"shows {format_cards(event.cards)}" if event.cards else "mucks"
    return played_words(before, event.action, _amount(history))


@dataclass(frozen=True, slots=True)
class _StreetPart:
    """One street: the state at its start, and what happens."""

    begin: PublicState
    happens: list[tuple[int, str]]  # seat, and what it does


def _parts(history: History, states: Sequence[PublicState]) -> list[_StreetPart]:
    parts = [_StreetPart(states[0], [])]
    for event, (before, after) in zip(history.events, pairwise(states), strict=True):
        if isinstance(event, BoardDealt):
            parts.append(_StreetPart(after, []))
        else:
            parts[-1].happens.append((event.seat, _words(history, event, before)))
    return parts


def _winnings(outcome: HandOutcome) -> list[int]:
    """Return the chips that each seat takes from the pots, without uncalled ones; empty if unknown."""
    if outcome.stacks is None:
        return []
    taken = [end - behind for end, behind in zip(outcome.stacks, outcome.state.stacks, strict=True)]
    seat, chips = uncalled_chips(outcome.state)
    taken[seat] -= chips
    return taken


def as_dict(history: History, states: Sequence[PublicState], outcome: HandOutcome) -> dict[str, Any]:
    """Return a hand for programs, with chips in the file's unit."""

    def amount(chips: int) -> int | float | None:
        if chips > UNKNOWN_STACK // 2:
            return None
        return chips if not history.decimals else float(Decimal(chips).scaleb(-history.decimals))

    seats = [
        {
            "seat": seat,
            "name": history.name(seat),
            "stack": amount(stack),
            "cards": format_cards(history.holdings[seat] or ()) or None,
            "finishes": amount(outcome.stacks[seat]) if outcome.stacks else None,
            "wins": amount(_winnings(outcome)[seat]) if outcome.stacks else None,
        }
        for seat, stack in enumerate(history.stacks)
    ]
    streets = [
        {
            "street": _street(history, part.begin),
            "board": format_cards(part.begin.board),
            "pot": amount(part.begin.pot),
            "actions": [{"seat": seat, "words": words} for seat, words in part.happens],
        }
        for part in _parts(history, states)
    ]
    about = {
        "hand": history.label,
        "line": history.line,
        "variant": history.variant.name,
        "restrictions": _restrictions(history),
    }
    end = {"pot": amount(outcome.state.pot), "unknown": outcome.reason or None}
    return {**about, "seats": seats, "streets": streets, **end}


def print_hand(history: History, states: Sequence[PublicState], outcome: HandOutcome) -> None:
    """Print a hand for people."""
    blinds = "/".join(amount_text(history, blind) for blind in history.variant.blinds)
    title = ", ".join(filter(None, (history.variant.name, blinds and f"blinds {blinds}")))
    out.print(Text(f"hand {history.label}: {title}" if history.label is not None else title, style="bold"))
    if restrictions := _restrictions(history):
        out.print(f"rules: {', '.join(restrictions)}", markup=False, soft_wrap=True)
    out.print(_seat_table(history, outcome))
    for part in _parts(history, states):
        head = Text.assemble("\n", (_street(history, part.begin), "bold"))
        if part.begin.board:
            head.append("  ").append(cards_text(format_cards(part.begin.board)))
        out.print(head.append(f"  pot {amount_text(history, part.begin.pot)}", style="dim"))
        if part.begin is states[0]:
            for seat, behind in enumerate(states[0].stacks):
                if behind < history.stacks[seat]:
                    posted = amount_text(history, history.stacks[seat] - behind)
                    out.print(f"  {history.name(seat)} posts {posted}", markup=False)
        for seat, words in part.happens:
            out.print(f"  {history.name(seat)} {words}", markup=False)
    out.print()
    for line in _ending(history, outcome):
        out.print(line, markup=False)


def _seat_table(history: History, outcome: HandOutcome) -> Table:
    right = [Column(name, justify="right") for name in ("stack", "ends with", "result")]
    table = Table("seat", "name", "cards", *right, box=None, padding=(0, 2, 0, 0))
    for seat, stack in enumerate(history.stacks):
        end = outcome.stacks[seat] if outcome.stacks else None
        result = "" if end is None else f"{'+' if end > stack else ''}{amount_text(history, end - stack)}"
        holding = cards_text(format_cards(history.holdings[seat] or ()))
        name = Text(history.name(seat) + (" (button)" if seat == len(history.stacks) - 1 else ""))
        ends = "" if end is None else amount_text(history, end)
        table.add_row(f"p{seat + 1}", name, holding, amount_text(history, stack), ends, result)
    return table


def _ending(history: History, outcome: HandOutcome) -> Iterator[str]:
    """Yield who wins what."""
    if outcome.stacks is None:
        yield f"the winner is not known: {outcome.reason}"
        return
    seat, chips = uncalled_chips(outcome.state)
    if chips:
        yield uncalled_words(history.name(seat), amount_text(history, chips))
    for seat, won in enumerate(_winnings(outcome)):
        if won:
            yield win_words(history.name(seat), amount_text(history, won), outcome.state, history.holdings[seat])
