"""riverboat chart: what an agent does before the flop with each starting hand."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from riverboat.arena.preflop_chart import PreflopChart, preflop_view
from riverboat.clients.console.agents import agent_maker, resolver_for
from riverboat.clients.console.completion import agent as complete_agent
from riverboat.clients.console.files import check_target, needs_matplotlib, write
from riverboat.clients.console.games import STACK_BLINDS, StackOption
from riverboat.clients.console.options import AsJson, ResolverServer
from riverboat.clients.console.study.measurements import measured_agent
from riverboat.clients.console.table.preflop_lines import read_line
from riverboat.clients.console.views.chart import chart_dict, chart_title, print_chart, summary_words, trust_words
from riverboat.clients.console.views.game_words import whole_game
from riverboat.clients.console.views.output import note, print_json, waiting
from riverboat.clients.remote.refusals import Refused
from riverboat.rules.variant import no_limit

_BLINDS = (50, 100)
_LEAST_BLINDS = 3  # of a stack: less leaves no raise but all-in
_ANSWERS = 20
_SEED = 18


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(chart)


def chart(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT",
            help="Agent to ask, like resolver or rollout, or a Python file with your bot.",
            autocompletion=complete_agent,
        ),
    ],
    picture: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="File to draw the chart in: .png, .svg or .pdf.", show_default=False),
    ] = None,
    deck: Annotated[Literal["52", "36", "24"], typer.Option("--deck", help="Deck: 52, 36 or 24 cards.")] = "52",
    stack: StackOption = None,
    line: Annotated[
        str,
        typer.Option(
            "--line", metavar="ACTIONS", help="Actions before the decision, like r300 or 'c r400'.", show_default=False
        ),
    ] = "",
    answers: Annotated[
        int,
        typer.Option(
            "--answers",
            min=1,
            max=10**6,
            metavar="N",
            help="Answers per holding, if the agent cannot report its strategy.",
        ),
    ] = _ANSWERS,
    server: ResolverServer = None,
    as_json: AsJson = False,
) -> None:
    """Show what an agent does with each starting hand.

    The chart is for decisions before the flop. The game is no-limit hold'em for two with blinds of 50 and 100. Without
    --line the chart shows the button, who acts first; --line r300 shows the big blind's answer to a raise to 300.
    Actions are written as at the table: f folds, c calls or checks, r300 raises to 300, a is all-in. The numbers are
    percentages of a class of starting hands; suited hands are above the diagonal. The picture divides each cell by how
    often the class raises, calls and folds, and prints how often it raises.

    riverboat chart rollout

    riverboat chart resolver button.png --deck 24

    riverboat chart habit:overbet --line r300 --json
    """
    check_target("FILE", picture, (".png", ".svg", ".pdf"))
    draw = _drawer() if picture else None
    variant = no_limit(*_BLINDS, deck=deck)
    chips = _stack(stack, variant.big_blind)
    view = preflop_view(variant, chips, read_line(line, variant, chips))
    with resolver_for([agent], server), waiting(f"asking {agent}…"):
        measured = measured_agent(agent, agent_maker(agent), view, answers, _SEED)
        shown = PreflopChart(view.public, view.actions, measured.ask()(view))
    if as_json:
        print_json(chart_dict(agent, shown, chips, measured.answer_count))
    else:
        print_chart(agent, shown, chips, measured.answer_count)
    if draw:
        small = (trust_words(shown, measured.answer_count), "numbers: % raised", "made with riverboat chart")
        notes = [summary_words(shown), whole_game(variant, chips), *filter(None, small)]
        said = write("FILE", picture, partial(draw, shown, chart_title(agent, shown), notes))
        if not as_json:
            note(said)


def _stack(chips: int | None, big_blind: int) -> int:
    """Return the chips of each player; refuse a number that was probably meant in big blinds."""
    if chips is None:
        return STACK_BLINDS * big_blind
    if chips < _LEAST_BLINDS * big_blind:
        least, meant = f"{_LEAST_BLINDS * big_blind:,}", f"{chips * big_blind:,}"
        raise Refused(f"--stack: must be at least {least} chips, not {chips:,}; {chips:,} big blinds are {meant} chips")
    return chips


def _drawer() -> Callable[[PreflopChart, str, list[str], Path], None]:
    with needs_matplotlib("a picture"):
        from riverboat.clients.console.views.chart_picture import draw_chart
    return draw_chart
