"""How a hand from a hand history is shown: for people street by street, for programs as a dictionary."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from rich.table import Column, Table
from rich.text import Text

from riverboat.cards import format_cards
from riverboat.clients.console.views.cards import cards_text
from riverboat.clients.console.views.output import out
from riverboat.history.hand import HandOutcome, History, Show
from riverboat.rules.betting import CALL, FOLD, SHOWDOWN
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.restrictions import restriction_words
from riverboat.rules.state import PublicState
from riverboat.strength.hands import classify

_STREETS = ("preflop", "flop", "turn", "river")


def amount_text(history: History, chips: int) -> str:
    """Chips in the file's unit, with decimals where there is a fraction."""
    whole, rest = divmod(chips, 10**history.decimals)
    return f"{Decimal(chips).scaleb(-history.decimals):,}" if rest else f"{whole:,}"


def _restrictions(history: History) -> tuple[str, ...]:
    return restriction_words(history.variant, lambda chips: amount_text(history, chips))


def _street(history: History, state: PublicState) -> str:
    return _STREETS[state.street] if len(history.variant.streets) == len(_STREETS) else f"street {state.street + 1}"


def _words(history: History, event: Move | Show, before: PublicState, after: PublicState) -> str:
    """What a seat does, in words."""
    if isinstance(event, Show):
        return f"shows {format_cards(event.cards)}" if event.cards else "mucks"
    if event.action == FOLD:
        return "folds"
    if event.action == CALL:
        words = f"calls {amount_text(history, before.to_call)}" if before.to_call else "checks"
    else:
        words = ("raises to " if before.bet else "bets ") + amount_text(history, event.action)
    return words if after.stacks[event.seat] or words == "checks" else f"{words}, all-in"


@dataclass(frozen=True, slots=True)
class _Part:
    """One street: where it begins, and what happens."""

    begin: PublicState
    happens: list[tuple[int, str]]  # seat, and what it does


def _parts(history: History, states: Sequence[PublicState]) -> list[_Part]:
    parts = [_Part(states[0], [])]
    for event, (before, after) in zip(history.events, pairwise(states), strict=True):
        if isinstance(event, BoardDealt):
            parts.append(_Part(after, []))
        else:
            parts[-1].happens.append((event.seat, _words(history, event, before, after)))
    return parts


def _uncalled(state: PublicState) -> tuple[int, int]:
    """The seat whose last chips nobody matched, and how many; 0 if there are none."""
    seat = max(range(state.player_count), key=lambda seat: (state.paid[seat], not state.folded[seat]))
    return seat, 0 if state.folded[seat] else state.paid[seat] - sorted(state.paid)[-2]


def _winnings(found: HandOutcome) -> list[int]:
    """What each seat takes from the pots, without chips that nobody matched; nothing if that cannot be told."""
    if found.stacks is None:
        return []
    taken = [end - behind for end, behind in zip(found.stacks, found.state.stacks, strict=True)]
    seat, chips = _uncalled(found.state)
    taken[seat] -= chips
    return taken


def as_dict(history: History, states: Sequence[PublicState], found: HandOutcome) -> dict[str, Any]:
    def amount(chips: int) -> int | float:
        return chips if not history.decimals else float(Decimal(chips).scaleb(-history.decimals))

    seats = [
        {
            "seat": seat,
            "name": history.name(seat),
            "stack": amount(stack),
            "cards": format_cards(history.holdings[seat] or ()) or None,
            "finishes": amount(found.stacks[seat]) if found.stacks else None,
            "wins": amount(_winnings(found)[seat]) if found.stacks else None,
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
    end = {"pot": amount(found.state.pot), "unknown": found.reason or None}
    return {**about, "seats": seats, "streets": streets, **end}


def print_hand(history: History, states: Sequence[PublicState], found: HandOutcome) -> None:
    blinds = "/".join(amount_text(history, blind) for blind in history.variant.blinds)
    title = ", ".join(filter(None, (history.variant.name, blinds and f"blinds {blinds}")))
    out.print(Text(f"hand {history.label}: {title}" if history.label is not None else title, style="bold"))
    if restrictions := _restrictions(history):
        out.print(f"rules: {', '.join(restrictions)}", markup=False, soft_wrap=True)
    out.print(_seat_table(history, found))
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
    for line in _ending(history, found):
        out.print(line, markup=False)


def _seat_table(history: History, found: HandOutcome) -> Table:
    right = [Column(name, justify="right") for name in ("stack", "ends with", "result")]
    table = Table("seat", "name", "cards", *right, box=None, padding=(0, 2, 0, 0))
    for seat, stack in enumerate(history.stacks):
        end = found.stacks[seat] if found.stacks else None
        result = "" if end is None else f"{'+' if end > stack else ''}{amount_text(history, end - stack)}"
        holding = cards_text(format_cards(history.holdings[seat] or ()))
        name = Text(history.name(seat) + (" (button)" if seat == len(history.stacks) - 1 else ""))
        ends = "" if end is None else amount_text(history, end)
        table.add_row(f"p{seat + 1}", name, holding, amount_text(history, stack), ends, result)
    return table


def _ending(history: History, found: HandOutcome) -> Iterator[str]:
    """Who wins what."""
    if found.stacks is None:
        yield f"who wins is not known: {found.reason}"
        return
    seat, chips = _uncalled(found.state)
    if chips:
        yield f"{amount_text(history, chips)} that nobody called go back to {history.name(seat)}"
    for seat, won in enumerate(_winnings(found)):
        if won:
            holding, board = history.holdings[seat], found.state.board
            known = found.state.phase == SHOWDOWN and holding is not None
            hand = f" with {classify(history.variant.deck, (*(holding or ()), *board)).words}" if known else ""
            yield f"{history.name(seat)} wins {amount_text(history, won)}{hand}"
