"""Options that several commands share, and how they are read."""

from typing import Annotated

import typer

from riverboat.cards import Deck, find_deck
from riverboat.clients.console.completion import decks, server_of
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import InvalidInput

Server = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="HOST:PORT",
        help="Ask this oracle instead of starting one; RIVERBOAT_ORACLE_SERVER does the same.",
        show_default=False,
        autocompletion=server_of("oracle"),
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
DeckName = Annotated[str, typer.Option("--deck", help="52, 36, 24, leduc or kuhn.", autocompletion=decks)]
Board = Annotated[
    str, typer.Option("--board", "-b", metavar="CARDS", help="Board cards, like Td9d2c.", show_default=False)
]
Seed = Annotated[
    int | None, typer.Option("--seed", min=0, max=2**64 - 1, help="Repeat the same random deals.", show_default=False)
]


def deck_named(name: str) -> Deck:
    """The deck of a --deck option."""
    try:
        return find_deck(name)
    except InvalidInput as error:
        raise Refused(f"--deck: {error}") from None
