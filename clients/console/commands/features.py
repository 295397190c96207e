"""riverboat features."""

from typing import Annotated

import numpy as np
import typer

from riverboat.cards import format_cards, parse_cards
from riverboat.clients.console.option_values import read_option
from riverboat.clients.console.options import AsJson, Board, HoldemDeck, OracleServer, deck_named
from riverboat.clients.console.servers import oracle
from riverboat.clients.console.views.features import FeaturesView, print_features
from riverboat.clients.console.views.output import print_json
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import InvalidInput
from riverboat.features.bets import BETS, situation_features
from riverboat.features.card_features import F32, check_features
from riverboat.streets import STREETS

_NAMES = {"holdings": "HOLDING", "holdings[]": "HOLDING"}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(features)


def features(
    holding: Annotated[str, typer.Argument(metavar="HOLDING", help="Your two cards, like Ac3h.")],
    board: Board = "",
    bets: Annotated[
        str,
        typer.Option(
            metavar="CHIPS,...",
            help="Chips the opponent put in on each street so far, blinds included; adds one number per street.",
            show_default=False,
        ),
    ] = "",
    deck: HoldemDeck = "52",
    server: OracleServer = None,
    as_json: AsJson = False,
) -> None:
    """Show the features of a holding: its equity now and later.

    Equity is the chance to win plus half the chance to tie, against random cards. For every later street all boards are
    enumerated, and the equities there are summarised as ten deciles: on 30 % of the boards the equity is at most the
    decile at 30 %, and on the best 20 % it is at least the decile at 80 %. That makes 31 numbers before the flop, 21 on
    the flop, 11 on the turn and 1 on the river.

    riverboat features Ac3h --board Kh3sJc

    riverboat features Ac3h --board Kh3sJc --bets 100,300 --json
    """
    street = _street(deck, board)
    chips = _chips(bets, street) if bets else None
    with oracle(server, _NAMES) as client:
        numbers = client.features(deck=deck, board=board, holdings=[holding])[0]
    if np.isnan(numbers).any() or numbers.size != 1 + 10 * (len(STREETS) - 1 - street):
        raise Refused("the oracle's answer has the wrong number of values, or values that are not numbers")
    shown = FeaturesView(
        holding=format_cards(parse_cards(holding)), board=format_cards(parse_cards(board)), deck=deck,
        street=street, cards=tuple(numbers.tolist()), bets=chips,
    )  # fmt: skip
    if as_json:
        print_json({**shown.about(), "features": _whole(numbers, chips)})
    else:
        print_features(shown)


def _street(deck: str, board: str) -> int:
    """Return the number of the street that a board belongs to."""
    cards = deck_named(deck)
    try:
        dealt = parse_cards(board)
    except InvalidInput as error:
        raise Refused(f"--board: {error}") from None
    try:
        check_features(cards, dealt)
    except InvalidInput as error:
        raise Refused(f"--{error}") from None  # the field is called like the option
    return cards.board_sizes.index(len(dealt))


def _chips(text: str, street: int) -> tuple[int, ...]:
    """Return the opponent's chips on the four streets; 0 on those that have not begun."""

    def read() -> tuple[int, ...]:
        words = text.replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() and len(word) <= 12 for word in words):
            raise InvalidInput("", f"{text[:40]!r} is not a list of chips, like 100,300")
        if not 1 <= len(words) <= street + 1:
            count = "one number" if street == 0 else f"1 to {street + 1} numbers"
            raise InvalidInput(
                "", f"must be {count}, the chips on each street up to the {STREETS[street]}, not {len(words)}"
            )
        return (*map(int, words), *[0] * (BETS - len(words)))

    return read_option("--bets", read)


def _whole(numbers: F32, chips: tuple[int, ...] | None) -> list[float]:
    """Return all features as a learner gets them."""
    whole: list[float] = (numbers if chips is None else situation_features(numbers, chips)).tolist()
    return whole
