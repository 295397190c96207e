"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, Any

import typer

from riverboat.cards import Deck, find_deck
from riverboat.clients.console.completion import agent, decks, holdem_decks, server_of, streets
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import InvalidInput

DATA_FOLDER = Path("riverboat-data")


def _server(service: str, help_text: str) -> Any:
    return typer.Option(
        "--server", metavar="HOST:PORT", help=help_text, show_default=False, autocompletion=server_of(service)
    )


OracleServer = Annotated[
    str | None, _server("oracle", "Oracle to ask; default: RIVERBOAT_ORACLE_SERVER, or start one.")
]
GameServer = Annotated[
    str | None, _server("gamemanager", "Game manager to use; default: RIVERBOAT_GAMEMANAGER_SERVER, or start one.")
]
RunningGameServer = Annotated[
    str | None,
    _server("gamemanager", "Running game manager; default: RIVERBOAT_GAMEMANAGER_SERVER, or 127.0.0.1:50052."),
]
ResolverServer = Annotated[
    str | None, _server("resolver", "Resolver to ask; default: RIVERBOAT_RESOLVER_SERVER, or start one.")
]
TrainerServer = Annotated[
    str | None, _server("trainer", "Trainer to ask; default: RIVERBOAT_TRAINER_SERVER, or start one.")
]
DataFolder = Annotated[
    Path,
    typer.Option(
        "--folder", file_okay=False, metavar="FOLDER", help="Data folder of a trainer that this command starts."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
DeckName = Annotated[
    str, typer.Option("--deck", metavar="DECK", help="Deck: 52, 36, 24, leduc or kuhn.", autocompletion=decks)
]
HoldemDeck = Annotated[
    str, typer.Option("--deck", metavar="DECK", help="Deck: 52, 36 or 24 cards.", autocompletion=holdem_decks)
]
TrainedStreet = Annotated[
    str,
    typer.Option(
        "--street",
        metavar="STREET",
        help="Street of the situations: the start of the river, turn or flop, or the end of preflop.",
        autocompletion=streets,
    ),
]
Board = Annotated[
    str, typer.Option("--board", "-b", metavar="CARDS", help="Board cards, like Td9d2c.", show_default=False)
]
PlayedAgent = Annotated[
    str,
    typer.Argument(
        metavar="AGENT",
        help="Agent that plays, like rollout or hybrid:0.5, or a Python file with your bot.",
        autocompletion=agent,
    ),
]
BotClass = Annotated[
    str | None,
    typer.Option("--class", metavar="NAME", help="Class of the bot, if the file has several.", show_default=False),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", min=0, max=2**64 - 1, metavar="N", help="Seed of the random deals.", show_default=False),
]


def deck_named(name: str) -> Deck:
    """Return the deck of a --deck option."""
    try:
        return find_deck(name)
    except InvalidInput as error:
        raise Refused(f"--deck: {error}") from None


def results_folder(help: str) -> Any:
    """Return the option of a folder that keeps results, so that a command can continue."""
    return typer.Option("--folder", file_okay=False, metavar="FOLDER", help=help, show_default=False)
