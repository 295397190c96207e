"""Cards, hands and deals in the terminal."""

from collections.abc import Sequence

from rich.table import Column, Table

from riverboat.cards import Deal, format_cards
from riverboat.clients.console.views.output import note, out
from riverboat.clients.console.views.text import cards_text
from riverboat.contracts.oracle import Classification, Showdown


def print_hands(hands: Sequence[str], classifications: Sequence[Classification]) -> None:
    """Print the category, the five best cards and the strength of each hand."""
    table = Table("hand", "is", "with", Column("strength", justify="right"), box=None, padding=(0, 2, 0, 0))
    for hand, classification in zip(hands, classifications, strict=True):
        best = cards_text(format_cards(classification.best))
        table.add_row(hand, classification.words, best, str(classification.strength))
    out.print(table)


def print_showdown(holdings: Sequence[str], showdown: Showdown) -> None:
    """Print holdings from the winner to the last."""
    verb = "wins" if len(showdown.winners) == 1 else "ties"
    table = Table("place", "holding", "is", "with", box=None, padding=(0, 2, 0, 0))
    rows = zip(holdings, showdown.hands, showdown.places, strict=True)
    for holding, hand, place in sorted(rows, key=lambda row: row[2]):
        mark, style = (f"{place} {verb}", "bold") if place == 1 else (str(place), "dim")
        table.add_row(mark, holding, hand.words, cards_text(format_cards(hand.best)), style=style)
    out.print(table)


def print_deal(deal: Deal, seed: int) -> None:
    """Print every seat's holding and the board."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for seat, holding in enumerate(deal.holdings, start=1):
        table.add_row(f"seat {seat}", cards_text(format_cards(holding)))
    if deal.board:
        table.add_row("board", cards_text(format_cards(deal.board)))
    out.print(table)
    note(f"{len(deal.stub)} cards left; --seed {seed} repeats this deal")


def print_decks(decks: Sequence[tuple[str, str, int, int]]) -> None:
    """Print decks: name, description, cards, holdings."""
    numbers = [Column(name, justify="right") for name in ("cards", "holdings")]
    table = Table("deck", *numbers, "", box=None, padding=(0, 2, 0, 0))
    for name, about, card_count, holding_count in decks:
        table.add_row(name, str(card_count), str(holding_count), about)
    out.print(table)


def classification_dict(classification: Classification) -> dict[str, str | int]:
    """Return a classification for programs."""
    return {
        "category": classification.category.name.lower(),
        "words": classification.words,
        "best": format_cards(classification.best),
        "strength": classification.strength,
    }
