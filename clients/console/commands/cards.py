"""riverboat classify, showdown, deal and decks."""

from typing import Annotated

import typer

from riverboat.cards import format_cards, parse_cards
from riverboat.clients.console.card_answers import card_answers
from riverboat.clients.console.options import AsJson, DeckName, OracleServer, Seed, deck_named
from riverboat.clients.console.views.cards import (
    classification_dict,
    print_deal,
    print_decks,
    print_hands,
    print_showdown,
)
from riverboat.clients.console.views.output import print_json
from riverboat.errors import InvalidInput


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (classify, showdown, deal, decks):
        app.command()(command)


def classify(
    hands: Annotated[
        list[str],
        typer.Argument(
            metavar="HAND", help="Hands of 5, 6 or 7 cards, like AhKhQhJhTh2c3d; or one hand as separate cards."
        ),
    ],
    deck: DeckName = "52",
    server: OracleServer = None,
    as_json: AsJson = False,
) -> None:
    """Show the category and strength of hands.

    Also shows the five cards that count. The hand with the higher strength wins.

    riverboat classify KhKdKs4c4d2c7h AhKhQhJhTh

    riverboat classify Kh Kd Ks 4c 4d
    """
    deck_named(deck)
    if len(hands) > 1 and all(_is_card(text) for text in hands):
        hands = ["".join(hands)]  # one hand, written as single cards
    with card_answers(server, {"hands": "HAND {}"}) as client:
        classifications = client.classify(deck, hands)
    if as_json:
        rows = zip(hands, classifications, strict=True)
        print_json([{"hand": hand, **classification_dict(classification)} for hand, classification in rows])
    else:
        print_hands(hands, classifications)


def showdown(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="Board of 3, 4 or 5 cards, like Td9d2c5h3s.")],
    holdings: Annotated[list[str], typer.Argument(metavar="HOLDING", help="Private cards of each player, like AhKh.")],
    deck: DeckName = "52",
    server: OracleServer = None,
    as_json: AsJson = False,
) -> None:
    """Compare any number of holdings on a board, and show who wins.

    riverboat showdown Td9d2c5h3s AhAs Ts9s QdJd
    """
    deck_named(deck)
    with card_answers(server, {"board": "BOARD", "holdings": "HOLDING {}"}) as client:
        result = client.showdown(deck=deck, board=board, holdings=holdings)
    if as_json:
        rows = zip(holdings, result.hands, result.places, strict=True)
        hands = [{"holding": holding, "place": place, **classification_dict(hand)} for holding, hand, place in rows]
        print_json({"board": board, "winners": [holdings[i] for i in result.winners], "hands": hands})
    else:
        print_showdown(holdings, result)


def deal(
    players: Annotated[
        int, typer.Option("--players", "-p", min=0, max=1000, metavar="N", help="Number of holdings to deal.")
    ] = 2,
    board: Annotated[
        int | None,
        typer.Option(
            "--board",
            "-b",
            min=0,
            max=1000,
            metavar="N",
            help="Number of board cards; default: a complete board.",
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
    with card_answers(server, {"holding_count": "--players", "board_size": "--board"}) as client:
        dealt, used_seed = client.deal(deck=deck, holding_count=players, board_size=board_size, seed=seed)
    if as_json:
        holdings = [format_cards(holding) for holding in dealt.holdings]
        rest = {"board": format_cards(dealt.board), "stub": format_cards(dealt.stub)}
        print_json({"deck": deck, "seed": used_seed, "holdings": holdings, **rest})
    else:
        print_deal(dealt, used_seed)


def decks(server: OracleServer = None, as_json: AsJson = False) -> None:
    """List the decks.

    riverboat decks
    """
    with card_answers(server, {}) as client:
        rows = client.decks()
    if as_json:
        print_json([dict(zip(("name", "about", "cards", "holdings"), row, strict=True)) for row in rows])
    else:
        print_decks(rows)


def _is_card(text: str) -> bool:
    try:
        return len(parse_cards(text)) == 1
    except InvalidInput:
        return False
