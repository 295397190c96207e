"""Games as options: limit, blinds, deck and stacks."""

from collections.abc import Sequence
from typing import Annotated, Literal

import typer

from clients.console.completion import server_of
from clients.console.failures import Refused
from clients.console.options import deck_named
from protos.gamemanager.v1 import state_manager_pb2 as pb
from riverboat.errors import RiverboatError
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rules.variant import KUHN, LEDUC, MOST_CHIPS, Variant, fixed_limit, no_limit, pot_limit

_SMALL_GAMES = {"leduc": LEDUC, "kuhn": KUHN}
_BIG_BLINDS = 100  # of a stack, unless --stack says otherwise

GameServer = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="HOST:PORT",
        help="A running game manager; RIVERBOAT_GAMEMANAGER_SERVER does the same.",
        show_default=False,
        autocompletion=server_of("gamemanager"),
    ),
]
Limit = Annotated[Literal["no", "pot", "fixed"], typer.Option("--limit", help="How large bets may be.")]
Blinds = Annotated[str, typer.Option("--blinds", help="Small and big blind.")]
Stack = Annotated[
    int | None,
    typer.Option("--stack", min=1, max=MOST_CHIPS, help="Chips of each player; 100 big blinds if not given."),
]


def game_of(limit: str, blinds: str, deck: str) -> Variant:
    """The variant that options describe; Kuhn and Leduc have rules of their own."""
    if deck in _SMALL_GAMES:
        return _SMALL_GAMES[deck]
    deck_named(deck)
    parts = blinds.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() and len(part) < 16 for part in parts):
        raise Refused(f"--blinds: {blinds[:20]!r} must be two numbers, like 50,100")
    small, big = map(int, parts)
    try:
        if limit == "fixed":
            return fixed_limit(big, deck=deck, small_blind=small)
        return no_limit(small, big, deck=deck) if limit == "no" else pot_limit(small, big, deck=deck)
    except RiverboatError as error:
        raise Refused(f"--blinds: {error}") from None


def stack_of(stack: int | None, variant: Variant) -> int:
    """Chips to sit down with."""
    return stack or _BIG_BLINDS * variant.big_blind


def message_of(variant: Variant) -> pb.Variant:
    """The variant for a request."""
    return encode_variant(variant)


def names_in(text: str) -> list[str]:
    """The words of a list like "rollout,random"."""
    return [name.strip() for name in text.split(",") if name.strip()]


def refuse_options(context: typer.Context, options: Sequence[str], reason: str) -> None:
    """Refuse options that were given and would do nothing; better than to ignore them."""
    for option in options:
        source = context.get_parameter_source(option)
        if source is not None and source.name == "COMMANDLINE":
            raise Refused(f"--{option}: {reason}")
