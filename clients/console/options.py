"""Options that several commands share."""

from typing import Annotated

import typer

Server = Annotated[
    str | None,
    typer.Option("--server", metavar="HOST:PORT", help="Ask this oracle instead of starting one.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
DeckName = Annotated[str, typer.Option("--deck", help="52, 36, 24, leduc or kuhn.")]
Board = Annotated[
    str, typer.Option("--board", "-b", metavar="CARDS", help="Board cards, like Td9d2c.", show_default=False)
]
Seed = Annotated[
    int | None, typer.Option("--seed", min=0, max=2**64 - 1, help="Repeat the same random deals.", show_default=False)
]
