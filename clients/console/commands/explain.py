"""riverboat explain: what to do in a two-player hand, and why."""

from pathlib import Path
from typing import Annotated

import typer

from riverboat.clients.analysis.explainer import explain
from riverboat.clients.console.completion import agent as complete_agent
from riverboat.clients.console.completion import server_of
from riverboat.clients.console.games import refuse_options
from riverboat.clients.console.hands.decisions import decision_at_table, decision_in_file
from riverboat.clients.console.hands.file_options import FILE_OPTIONS, FileOptions
from riverboat.clients.console.hands.files import HandNumber, PlayerName
from riverboat.clients.console.option_groups import with_option_groups
from riverboat.clients.console.options import AsJson, ResolverServer
from riverboat.clients.console.servers import resolver, running_game_manager
from riverboat.clients.console.table.agent_answers import DEFAULT_STACK, explain_before_the_flop, explain_by_agent
from riverboat.clients.console.table.watcher import public_view
from riverboat.clients.console.views.explanation import as_dict, print_explanation
from riverboat.clients.console.views.output import print_json, progress_bar
from riverboat.clients.remote.refusals import Refused

_FOR_FILES = ("hand", "decision", "player", *FILE_OPTIONS)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("explain")(with_option_groups(explain_decision))


def explain_decision(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="File with the hand: .phh, .phhs, an ACPC log, or a site's text.", show_default=False
        ),
    ] = None,
    hand: HandNumber = 1,
    decision: Annotated[
        int | None,
        typer.Option(
            "--decision",
            "-d",
            min=1,
            metavar="N",
            help="Number of the player's decision; default: the last.",
            show_default=False,
        ),
    ] = None,
    player: PlayerName = None,
    table: Annotated[
        str | None,
        typer.Option("--table", metavar="ID", help="Live table to look at instead of a file.", show_default=False),
    ] = None,
    holding: Annotated[
        str | None,
        typer.Option("--holding", metavar="CARDS", help="Cards held, like AhKd, if the file does not have them."),
    ] = None,
    game_server: Annotated[
        str | None,
        typer.Option(
            "--game-server",
            metavar="HOST:PORT",
            help="Game manager of the table; default: RIVERBOAT_GAMEMANAGER_SERVER, or 127.0.0.1:50052.",
            autocompletion=server_of("gamemanager"),
        ),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            metavar="AGENT",
            help="Agent whose decision to show instead of solving, like oct or blueprint.",
            autocompletion=complete_agent,
        ),
    ] = None,
    big_blinds: Annotated[
        int | None,
        typer.Option(
            "--big-blinds",
            min=1,
            max=100_000,
            metavar="N",
            help="With --agent and without a hand: stacks before the flop, in big blinds; default: 200.",
            show_default=False,
        ),
    ] = None,
    line: Annotated[
        str | None,
        typer.Option(
            "--line",
            metavar="ACTIONS",
            help="With --agent and without a hand: actions before the decision, like r300.",
            show_default=False,
        ),
    ] = None,
    options: FileOptions = FileOptions(),  # noqa: B008  # frozen
    as_json: AsJson = False,
    server: ResolverServer = None,
) -> None:
    """Explain a decision in a two-player hand.

    Shows both ranges, each action's EV and frequency, and why one action is best. The player's range comes from
    re-solving each decision. The opponent's range is a guess: before the flop it comes from re-solving, later from a
    heuristic reading of the opponent's actions. An EV counts the chips won from here on; a fold is worth 0.

    riverboat explain evening.phh --player Anna

    riverboat explain evening.phhs --hand 12 --player Anna --decision 3

    riverboat explain --table 3f2a91c0d4e5 --holding AhKd

    With --agent an agent answers instead: oct and cart give the path through their tree in words, any other agent how
    often it takes each action. Without a hand the decision is one before the flop.

    riverboat explain evening.phh --player Anna --agent oct

    riverboat explain --agent blueprint --holding AhQd --line "r300"
    """
    if agent is not None and file is None and table is None:
        explain_before_the_flop(
            agent, holding, DEFAULT_STACK if big_blinds is None else big_blinds, line or "", server, as_json
        )
        return
    if big_blinds is not None or line is not None:
        raise Refused("--big-blinds and --line are for --agent without a FILE or --table")
    if (file is None) == (table is None):
        raise Refused("nothing to explain: name either a FILE or a live --table")
    if file is not None:
        game = options.game()
        question = decision_in_file(file, game, hand, decision, player, holding)
    else:
        refuse_options(context, _FOR_FILES, "only for files; at a live table the acting player's decision is explained")
        if holding is None:
            raise Refused("--holding: type the cards held, like AhKd; a live table does not show them")
        with running_game_manager(game_server, {"table_id": "--table"}) as games:
            view, names = public_view(games, games.info(table or ""))
        question = decision_at_table(table or "", view, names, holding)
    if agent is not None:
        explain_by_agent(agent, question, server, as_json)
        return
    with resolver(server, {}) as link, progress_bar("solving") as bar:
        explanation = explain(link, question.earlier, question.public, question.holding, question.taken, bar.show)
    if as_json:
        print_json(as_dict(explanation, question.names))
    else:
        print_explanation(explanation, question.names, question.title)
