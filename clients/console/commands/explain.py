"""riverboat explain: what to do in a spot of two players, and why."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from riverboat.cards import Deck, format_cards, parse_cards
from riverboat.clients.analysis.explanation import Decision, check_two, explain
from riverboat.clients.analysis.tracker import decisions_of
from riverboat.clients.analysis.wording import chips_words
from riverboat.clients.console.completion import server_of
from riverboat.clients.console.games import refuse_options
from riverboat.clients.console.hands.files import (
    Form,
    Game,
    HandNumber,
    LogBlinds,
    LogLimit,
    LogStack,
    PlayerName,
    decisions_in,
    game_of_options,
    hand_in,
    holding_in,
    seat_named,
)
from riverboat.clients.console.options import AsJson, ResolverServer
from riverboat.clients.console.servers import resolver, running_game_manager
from riverboat.clients.console.table.watcher import public_view
from riverboat.clients.console.views.explanation import Names, as_dict, print_explanation
from riverboat.clients.console.views.output import print_json, progress_bar
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import RiverboatError
from riverboat.history.hand import History
from riverboat.holdings import check_holding
from riverboat.rules.state import PublicState

_FOR_FILES = ("hand", "decision", "player", "form", "blinds", "stack", "limit")


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A decision to explain."""

    decisions: list[Decision]  # before it
    public: PublicState
    holding: tuple[int, ...]
    taken: int | None
    names: Names
    title: str


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("explain")(explain_decision)


def explain_decision(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A .phh or .phhs file, or an ACPC log.", show_default=False),
    ] = None,
    hand: HandNumber = 1,
    decision: Annotated[
        int | None,
        typer.Option("--decision", "-d", min=1, help="Which decision of the player; the last.", show_default=False),
    ] = None,
    player: PlayerName = None,
    table: Annotated[
        str | None, typer.Option("--table", metavar="ID", help="A live table instead of a file.", show_default=False)
    ] = None,
    holding: Annotated[
        str | None,
        typer.Option("--holding", metavar="CARDS", help="The cards held, like AhKd, if they are not in the file."),
    ] = None,
    game_server: Annotated[
        str | None,
        typer.Option(
            "--game-server",
            metavar="HOST:PORT",
            help="Where the table is; RIVERBOAT_GAMEMANAGER_SERVER does the same.",
            autocompletion=server_of("gamemanager"),
        ),
    ] = None,
    form: Form = None,
    blinds: LogBlinds = "50,100",
    stack: LogStack = 20_000,
    limit: LogLimit = "no",
    as_json: AsJson = False,
    server: ResolverServer = None,
) -> None:
    """Explain a decision of a hand of two players: both ranges, what each action is worth, how often, and why.

    The player's range comes from re-solving each decision. The opponent's is a guess: by re-solving before the flop, by
    a heuristic reading of its actions since. EVs are chips from here on, as a share of what will be in the pot: folding
    is 0.

    riverboat explain evening.phh --player Anna

    riverboat explain evening.phhs --hand 12 --player Anna --decision 3

    riverboat explain --table 3f2a91c0d4e5 --holding AhKd
    """
    if (file is None) == (table is None):
        raise Refused("what is to be explained? Give a FILE, or --table for a live one")
    if file is not None:
        game = game_of_options(form, blinds, stack, limit)
        question = _from_file(file, game, hand, decision, player, holding)
    else:
        refuse_options(context, _FOR_FILES, "is for files; at a live table it is about who is to act")
        question = _from_table(table or "", holding, game_server)
    with resolver(server, {}) as link, progress_bar("solving") as bar:
        found = explain(link, question.decisions, question.public, question.holding, question.taken, bar.show)
    if as_json:
        print_json(as_dict(found, question.names))
    else:
        print_explanation(found, question.names, question.title)


def names_in(history: History) -> Names:
    """What a file calls its players and chips."""
    players = tuple(history.name(seat) for seat in range(len(history.stacks)))
    return Names(players, lambda chips: chips_words(chips / 10**history.decimals))


def _from_file(
    path: Path, game: Game, hand: int, number: int | None, player: str | None, cards: str | None
) -> Question:
    history = hand_in(path, game, hand)
    decisions = decisions_in(path, history)
    if len(history.stacks) != 2:
        raise Refused(
            f"{path}: hand {hand}: only hands of two players can be explained, and it has {len(history.stacks)}"
        )
    seat = _seat(history, decisions, player)
    turns = [place for place, (state, _) in enumerate(decisions) if state.actor == seat]
    who = history.name(seat)
    if not turns:
        raise Refused(f"{path}: hand {hand}: {who} has nothing to decide")
    if number is not None and number > len(turns):
        count = f"{len(turns)} decision{'s' * (len(turns) != 1)}"
        raise Refused(f"--decision: {who} has {count} in this hand, so there is no {number}")
    number = number or len(turns)
    place = turns[number - 1]
    public, taken = decisions[place]
    held = _cards(cards, public) if cards is not None else holding_in(history, seat)
    if held is None:
        raise Refused(f"{path}: hand {hand}: the cards of {who} are not known: give --holding")
    title = f"hand {hand if history.label is None else history.label}, decision {number} of {len(turns)}"
    return Question(decisions[:place], public, held, taken, names_in(history), title)


def _seat(history: History, decisions: list[Decision], player: str | None) -> int:
    """Whose decision: the player who is named, or the last to decide among those whose cards are known."""
    if player is not None:
        return seat_named(history, player)
    actors = [state.actor for state, _ in decisions if state.actor is not None]
    known = [seat for seat in actors if holding_in(history, seat) is not None]
    return (known or actors or [0])[-1]


def _from_table(table_id: str, cards: str | None, server: str | None) -> Question:
    if cards is None:
        raise Refused("--holding: which cards are held? Nobody else sees them, so type them, like AhKd")
    with running_game_manager(server, {"table_id": "--table"}) as link:
        info = link.info(table_id)
        view, names = public_view(link, info)
    if view.public.actor is None:
        raise Refused(f"nobody is to act at table {table_id} now")
    check_two(view.public)
    held = _cards(cards, view.public)
    players = Names(names)
    return Question(list(decisions_of(view)), view.public, held, None, players, f"table {table_id}")


def _cards(text: str, public: PublicState) -> tuple[int, ...]:
    deck: Deck = public.variant.deck
    try:
        cards = parse_cards(text)
        check_holding(deck, cards)
    except RiverboatError as error:
        raise Refused(f"--holding: {error}") from None
    on_board = set(cards) & set(public.board)
    if on_board:
        raise Refused(f"--holding: {format_cards(sorted(on_board))} lies on the board")
    return tuple(cards)
