"""riverboat utility."""

from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from riverboat.cards import Deck, check_cards, parse_cards
from riverboat.clients.console.files import check_target, write
from riverboat.clients.console.options import AsJson, Board, DeckName, OracleServer, deck_named
from riverboat.clients.console.servers import oracle
from riverboat.clients.console.views.output import note, print_json, waiting
from riverboat.clients.console.views.utility import averages, labels_of, pair_count, print_utility, save_matrix
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index

_NAMES = {"stud.mine": "--stud MINE", "stud.theirs": "--stud THEIRS"}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(utility)


def utility(
    board: Board = "",
    stud: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="MINE THEIRS", help="Five-card stud: the four visible cards of each player.", show_default=False
        ),
    ] = None,
    holding: Annotated[
        str,
        typer.Option(
            "--holding", metavar="CARDS", help="Show this holding's row instead of averages.", show_default=False
        ),
    ] = "",
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the whole matrix to this file: .npy or .csv.", show_default=False),
    ] = None,
    deck: DeckName = "52",
    server: OracleServer = None,
    as_json: AsJson = False,
) -> None:
    """Show the utility matrix of a board.

    The matrix has +1 where a holding beats another, -1 where it loses and 0 where they tie. Before the river it has
    averages over all run-outs. By default the grid shows each class's average over the opponent's holdings; --holding
    shows one row of the matrix, by the opponent's class.

    riverboat utility --board Td9d2c --holding AhKh

    riverboat utility --board Td9d2c5h3s --save river.npy
    """
    cards = deck_named(deck)
    if stud and board:
        raise Refused("--stud does not go with --board")
    check_target("--save", save, (".npy", ".csv"))
    place = _place(cards, holding, "".join(stud) if stud else board, bool(stud)) if holding else None
    with oracle(server, _NAMES) as client, waiting("comparing all holdings"):
        if stud:
            matrix = client.stud_utility(deck=deck, mine=stud[0], theirs=stud[1])
        else:
            matrix = client.board_utility(deck=deck, board=board)
    labels = labels_of(cards, bool(stud))
    shown = averages(matrix) if place is None else matrix[place]
    counted = matrix if place is None else shown
    if as_json:
        values = {label: None if np.isnan(x) else round(float(x), 6) for label, x in zip(labels, shown, strict=True)}
        about = {"deck": deck, "board": board, "stud": stud, "holding": holding or None}
        print_json({**about, "pairs": pair_count(counted), "values": values})
    else:
        deck_text = "" if cards.name == "52" else f" ({cards.name} deck)"
        situation = (f"{stud[0]} against {stud[1]}" if stud else board or "no board") + deck_text
        against = f"{holding} against each holding" if holding else "average against all holdings"
        by_card = bool(stud) or not cards.is_holdem
        print_utility(f"{situation}: {against}", cards, shown, counted, by_card=by_card)
    written = write("--save", save, partial(save_matrix, matrix, labels))
    if written and not as_json:
        note(written)


def _place(deck: Deck, text: str, seen: str, single_cards: bool) -> int:
    """Return the index of the wanted row."""
    try:
        cards = parse_cards(text)
        if not single_cards:
            place = holding_index(deck, cards)
        elif len(cards) == 1:
            check_cards(deck, cards)
            place = deck.cards.index(cards[0])
        else:
            raise InvalidInput("", f"in five-card stud one card is hidden, not {len(cards)}")
    except InvalidInput as error:
        raise Refused(f"--holding: {error}") from None
    if set(cards) & set(_readable(seen)):
        where = "visible" if single_cards else "on the board"
        raise Refused(f"--holding: {text} has a card that is already {where}")
    return place


def _readable(text: str) -> tuple[int, ...]:
    """Return cards; none if the text cannot be read, because the oracle then explains the error."""
    try:
        return parse_cards(text)
    except InvalidInput:
        return ()
