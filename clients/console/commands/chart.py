"""riverboat chart: what an agent does before the flop with each starting hand."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from riverboat.arena.preflop_chart import PreflopChart, preflop_view
from riverboat.clients.bots.blueprints.shelf import fitting_blueprint, why_not
from riverboat.clients.console.agents import agent_maker, resolver_for
from riverboat.clients.console.completion import agent as complete_agent
from riverboat.clients.console.files import check_target, needs_matplotlib, write
from riverboat.clients.console.games import STACK_BLINDS, StackOption, refuse_options
from riverboat.clients.console.options import AsJson, ResolverServer
from riverboat.clients.console.study.measurements import measured_agent
from riverboat.clients.console.study.preflop_charts import PUSH_FOLD_BLINDS, PushFoldWish, show_push_or_fold
from riverboat.clients.console.table.agent_answers import DEFAULT_STACK
from riverboat.clients.console.table.preflop_lines import read_line
from riverboat.clients.console.views.chart import chart_dict, chart_title, print_chart, summary_words, trust_words
from riverboat.clients.console.views.game_words import whole_game
from riverboat.clients.console.views.output import note, print_json, say, waiting
from riverboat.clients.remote.refusals import Refused
from riverboat.pushfold.game import MOST_PLAYERS
from riverboat.rules.variant import no_limit

_BLINDS = (50, 100)
_LEAST_BLINDS = 3  # of a stack: less leaves no raise but all-in
_ANSWERS = 20
_SEED = 18


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(chart)


def chart(
    context: typer.Context,
    agent: Annotated[
        str | None,
        typer.Argument(
            metavar="AGENT",
            help="Agent to ask, like resolver or rollout, or a Python file with your bot; not with --players.",
            autocompletion=complete_agent,
            show_default=False,
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="File to draw the chart in: .png, .svg or .pdf.", show_default=False),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            "--players",
            min=2,
            max=MOST_PLAYERS,
            metavar="N",
            help="Without AGENT: a chart for this many players; --stack is then in big blinds.",
            show_default=False,
        ),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--position", metavar="NAME", help="With --players: the grid of a position, like BTN.", show_default=False
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="NAMES",
            help="With --position: players who are already all-in, like CO.",
            show_default=False,
        ),
    ] = None,
    ante: Annotated[
        float,
        typer.Option("--ante", min=0, metavar="BLINDS", help="With --players: ante of each player, in big blinds."),
    ] = 0.0,
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

    With --players and without AGENT, --stack is in big blinds. Up to 25 the chart is the push-or-fold game's, for any
    number of players, with its error. For two players with more it is the blueprint's. For more players with deeper
    stacks there is none.

    riverboat chart --players 6 --stack 10

    riverboat chart --players 6 --stack 12 --position BB --against BTN

    riverboat chart --players 2 --stack 200 --line r300
    """
    if agent is None:
        blinds = DEFAULT_STACK if stack is None else stack
        if players is None:
            raise Refused("name an AGENT, like blueprint, or --players for a chart without one")
        if blinds <= PUSH_FOLD_BLINDS:
            refuse_options(context, ("deck", "line", "answers"), "not in push or fold")
            wish = PushFoldWish(players, float(blinds), ante, position, against)
            show_push_or_fold(wish, as_json)
            return
        agent, stack = _blueprint_for(players, blinds)
    elif players is not None:
        raise Refused("--players: not with an AGENT: agents are asked at tables of two")
    if position is not None or against is not None or ante:
        raise Refused("--position, --against and --ante are for push or fold: --players and at most 25 big blinds")
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


def _blueprint_for(players: int, blinds: int) -> tuple[str, int]:
    """Return the blueprint for two players, and its stack in chips; say so where it was made for another stack."""
    if players > 2:
        raise Refused(
            f"--stack: there is no chart for {players} players with {blinds} big blinds: multi-way play is solved as "
            f"push or fold only, up to {PUSH_FOLD_BLINDS:g}; for two players there is the blueprint"
        )
    view = preflop_view(no_limit(*_BLINDS), blinds * _BLINDS[1], ())
    shelved = fitting_blueprint(view.public)
    if shelved is None:
        raise Refused("--players: no blueprint is installed for 52 cards")
    if why_not(shelved, view.public):
        chips = round(shelved.blinds * _BLINDS[1])
        say(
            f"no blueprint was made for {blinds} big blinds: this is the chart of the nearest one, for "
            f"{shelved.blinds:g}; how much it loses with {blinds} was not measured"
        )
        return f"blueprint:{shelved.name}", chips
    return "blueprint", blinds * _BLINDS[1]


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
