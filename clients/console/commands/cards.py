"""riverboat classify, showdown, deal and decks."""

from typing import Annotated

import typer
from rich.table import Column, Table
from rich.text import Text

from riverboat.answers import Classification
from riverboat.cards import format_cards, parse_cards
from riverboat.clients.console.options import AsJson, DeckName, OracleServer, Seed, deck_named
from riverboat.clients.console.servers import oracle
from riverboat.clients.console.views.output import note, out, print_json
from riverboat.errors import InvalidInput

_SUIT_STYLES = {"c": "green", "d": "blue", "h": "red", "s": "default"}


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (classify, showdown, deal, decks):
        app.command()(command)


def cards_text(cards: str) -> Text:
    """Cards with a space between them, coloured by suit on a terminal."""
    text = Text()
    for i in range(0, len(cards), 2):
        text.append((" " if i else "") + cards[i : i + 2], style=_SUIT_STYLES[cards[i + 1]])
    return text


def classify(
    hands: Annotated[list[str], typer.Argument(metavar="HAND...", help="5, 6 or 7 cards each, like AhKhQhJhTh2c3d.")],
    deck: DeckName = "52",
    server: OracleServer = None,
    as_json: AsJson = False,
) -> None:
    """What hands are: category, the five cards that count, and how they compare.

    riverboat classify KhKdKs4c4d2c7h AhKhQhJhTh

    riverboat classify Kh Kd Ks 4c 4d
    """
    deck_named(deck)
    if len(hands) > 1 and all(_is_card(text) for text in hands):
        hands = ["".join(hands)]  # one hand, written as single cards
    with oracle(server, {"hands": "HAND {}"}) as client:
        found = client.classify(deck, hands)
    if as_json:
        print_json([{"hand": hand, **_as_dict(one)} for hand, one in zip(hands, found, strict=True)])
        return
    table = Table("hand", "is", "with", Column("strength", justify="right"), box=None, padding=(0, 2, 0, 0))
    for hand, one in zip(hands, found, strict=True):
        table.add_row(hand, one.words, cards_text(format_cards(one.best)), str(one.strength))
    out.print(table)


def showdown(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="3, 4 or 5 cards, like Td9d2c5h3s.")],
    holdings: Annotated[
        list[str], typer.Argument(metavar="HOLDING...", help="Private cards of each player, like AhKh.")
    ],
    deck: DeckName = "52",
    server: OracleServer = None,
    as_json: AsJson = False,
) -> None:
    """Who wins: any number of holdings compared on a board.

    riverboat showdown Td9d2c5h3s AhAs Ts9s QdJd
    """
    deck_named(deck)
    with oracle(server, {"board": "BOARD", "holdings": "HOLDING {}"}) as client:
        found = client.showdown(deck, board, holdings)
    rows = zip(holdings, found.hands, found.places, strict=True)
    if as_json:
        hands = [{"holding": holding, "place": place, **_as_dict(one)} for holding, one, place in rows]
        print_json({"board": board, "winners": [holdings[i] for i in found.winners], "hands": hands})
        return
    table = Table("place", "holding", "is", "with", box=None, padding=(0, 2, 0, 0))
    for holding, one, place in sorted(rows, key=lambda row: row[2]):
        style = "bold" if place == 1 else "dim"
        mark = f"{place}" + (" wins" if found.winners and place == 1 and len(found.winners) == 1 else "")
        mark += " ties" if place == 1 and len(found.winners) > 1 else ""
        table.add_row(mark, holding, one.words, cards_text(format_cards(one.best)), style=style)
    out.print(table)


def deal(
    players: Annotated[int, typer.Option("--players", "-p", min=0, max=1000, help="Holdings to deal.")] = 2,
    board: Annotated[
        int | None,
        typer.Option(
            "--board",
            "-b",
            min=0,
            max=1000,
            help="Board cards to deal after them; all if not given.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = None,
    deck: DeckName = "52",
    server: OracleServer = None,
    as_json: AsJson = False,
) -> None:
    """Shuffle a deck and deal.

    riverboat deal --players 6 --board 3 --seed 7
    """
    board_size = deck_named(deck).board_sizes[-1] if board is None else board
    with oracle(server, {"holding_count": "--players", "board_size": "--board"}) as client:
        found, used_seed = client.deal(deck, players, board_size, seed)
    holdings = [format_cards(holding) for holding in found.holdings]
    if as_json:
        rest = {"board": format_cards(found.board), "stub": format_cards(found.stub)}
        print_json({"deck": deck, "seed": used_seed, "holdings": holdings, **rest})
        return
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for seat, holding in enumerate(holdings, start=1):
        table.add_row(f"seat {seat}", cards_text(holding))
    if found.board:
        table.add_row("board", cards_text(format_cards(found.board)))
    out.print(table)
    note(f"{len(found.stub)} cards left; --seed {used_seed} deals this again")


def decks(server: OracleServer = None, as_json: AsJson = False) -> None:
    """The decks there are."""
    with oracle(server, {}) as client:
        found = client.decks()
    if as_json:
        print_json([dict(zip(("name", "about", "cards", "holdings"), row, strict=True)) for row in found])
        return
    table = Table(
        "deck",
        Column("cards", justify="right"),
        Column("holdings", justify="right"),
        "",
        box=None,
        padding=(0, 2, 0, 0),
    )
    for name, about, cards, holdings in found:
        table.add_row(name, str(cards), str(holdings), about)
    out.print(table)


def _is_card(text: str) -> bool:
    try:
        return len(parse_cards(text)) == 1
    except InvalidInput:
        return False


def _as_dict(one: Classification) -> dict[str, str | int]:
    return {
        "category": one.category.name.lower(),
        "words": one.words,
        "best": format_cards(one.best),
        "strength": one.strength,
    }
