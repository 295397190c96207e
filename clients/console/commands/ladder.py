"""riverboat ladder: all agents against all."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from riverboat.arena.ladder import Ladder
from riverboat.clients.bots.agents.names import AGENT_NAMES
from riverboat.clients.bots.ladder import AIVAT, SCORINGS, LadderPlan, LadderStep, play_ladder
from riverboat.clients.bots.ladder_folder import LadderFolder, LadderSettings, ladder_code
from riverboat.clients.console.agents import networks_with, resolver_for
from riverboat.clients.console.completion import agent
from riverboat.clients.console.files import check_target, write
from riverboat.clients.console.games import GameOptions, game_of, stack_of
from riverboat.clients.console.option_groups import with_option_groups
from riverboat.clients.console.option_values import fields_named
from riverboat.clients.console.options import DATA_FOLDER, AsJson, DeckName, ResolverServer, results_folder
from riverboat.clients.console.views.game_words import whole_game
from riverboat.clients.console.views.ladder import ladder_document, print_ladder, saved_lines
from riverboat.clients.console.views.output import Bar, err, note, out, print_json, progress_bar, say
from riverboat.clients.console.views.runs import duration
from riverboat.clients.console.views.text import plain
from riverboat.clients.local.agents import check_own_agents
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, Refused
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.rpc.installation import how_to_install

_NAMES = {"agents": "AGENT", "scoring": "--scoring", "folder": "--folder"}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(with_option_groups(ladder))


@dataclass(frozen=True, slots=True)
class LadderGame(GameOptions):
    """The options of a ladder's game: as at a table, with the deck on which agents decide most quickly."""

    deck: DeckName = "24"


def ladder(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT",
            help="Agents, like rollout or hybrid:0.5; default: all built-in ones.",
            show_default=False,
            autocompletion=agent,
        ),
    ] = None,
    deals: Annotated[
        int,
        typer.Option(
            "--deals", "-n", min=2, max=10**7, metavar="N", help="Deals of each pairing; each is played twice."
        ),
    ] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**64 - 1, metavar="N", help="Seed of the deals.")] = 1,
    scoring: Annotated[
        str,
        typer.Option(
            "--scoring",
            metavar="aivat|average",
            help="aivat: remove luck with the strategies that agents report. average: score all-ins by equity, and "
            "showdowns over known ranges.",
            autocompletion=lambda: list(SCORINGS),
        ),
    ] = AIVAT,
    folder: Annotated[
        Path | None,
        results_folder("Folder for a file per pairing; default: riverboat-data/ladder/DECK-SEED, or DECK-LIMIT-SEED."),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture", metavar="FILE", help="File to draw the matrix in: .png, .svg or .pdf.", show_default=False
        ),
    ] = None,
    processes: Annotated[
        int,
        typer.Option("--workers", "--processes", min=1, max=256, metavar="N", help="Number of processes that play."),
    ] = 1,
    game: LadderGame = LadderGame(),  # noqa: B008  # frozen
    server: ResolverServer = None,
    as_json: AsJson = False,
) -> None:
    """Let all agents play all others, and show who beats whom.

    Every deal is played twice with the seats exchanged, in this process and without a game manager. The game is
    no-limit hold'em with stacks of 100 big blinds, unless options say otherwise. The matrix says what the row wins from
    the column in thousandths of a big blind per hand (mbb/hand), with a 95 % confidence interval. Pairings with agents
    that re-solve take longest and come last. The lines below the matrix show how much of the standard deviation of
    chips per deal the scoring removed from each pairing.

    Ctrl-C keeps all finished deals in the folder, and the same command continues them. More --deals extend a ladder.
    A folder with results of another game, seed, scoring, code or network is refused.

    riverboat ladder rollout random always-call --deck 24 --deals 2000 --picture ladder.png

    riverboat ladder resolver rollout --deck 52 --deals 500 --folder ladder-52

    riverboat ladder resolver rollout --deck 52 --limit pot --deals 200
    """
    names = tuple(agents or AGENT_NAMES)
    check_own_agents(names)
    variant = game_of(game)
    stack = stack_of(game, variant)
    with fields_named(_NAMES):
        plan = LadderPlan(agents=names, variant=variant, stack=stack, deal_count=deals, seed=seed, scoring=scoring)
    check_target("--picture", picture, (".png", ".svg", ".pdf"))
    draw = _drawer() if picture else None
    where = folder or DATA_FOLDER / "ladder" / _folder_name(game, seed)
    with resolver_for(names, server, processes) as client:
        settings = _settings(plan, game.deck, client)
        with fields_named(_NAMES):
            played, was_interrupted = _played(plan, LadderFolder(where, settings), processes)
    if as_json:
        head = {name: getattr(settings, name) for name in ("game", "deck", "seed", "stack", "scoring", "code")}
        print_json({**head, "agents": names, "pairings": ladder_document(played), "complete": not was_interrupted})
    else:
        head_line = f"{settings.game}, {deals:,} deals of each pairing, seed {seed}, scored by {scoring}"
        out.print(head_line, markup=False, soft_wrap=True)
        print_ladder(played)
        for line in saved_lines(played):
            note(line)
        note(f"every pairing is in {where}")
    if draw and (said := write("--picture", picture, partial(draw, played, f"{settings.game}, {deals:,} deals"))):
        say(said)
    if was_interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)


def _settings(plan: LadderPlan, deck: str, client: ResolverClient | None) -> LadderSettings:
    return LadderSettings(
        game=whole_game(plan.variant, plan.stack),
        deck=deck,
        stack=plan.stack,
        big_blind=plan.variant.big_blind,
        seed=plan.seed,
        scoring=plan.scoring,
        code=ladder_code(),
        networks=networks_with(client, deck),
    )


def _folder_name(game: GameOptions, seed: int) -> str:
    return "-".join([game.deck, *([] if game.limit == "no" else [game.limit]), str(seed)])


def _played(plan: LadderPlan, folder: LadderFolder, processes: int) -> tuple[Ladder, bool]:
    """Return the ladder, and whether the user interrupted it."""
    step: LadderStep | None = None
    steps = play_ladder(plan, folder, processes)
    try:
        with progress_bar("playing") as bar:
            for step in steps:
                _show(bar, step)
    except KeyboardInterrupt:
        steps.close()
        return step.ladder if step else Ladder(plan.agents, {}), True
    return step.ladder if step else Ladder(plan.agents, {}), False


def _show(bar: Bar, step: LadderStep) -> None:
    result, score = step.result, step.result.scores[0]
    left = "" if step.seconds_left is None else f", {duration(step.seconds_left)} left"
    pair = " against ".join(map(plain, step.pair))
    bar.show(step.done, f"{pair} {score.mbb:+,.0f}, {result.deal_count:,} deals{left}")
    if not err.is_terminal and result.done == 1:
        say(f"{100 * step.done:.0f} %{left}: {pair} {score.mbb:+,.0f} ± {score.margin:,.0f} mbb/hand")


def _drawer() -> Callable[[Ladder, str, Path], None]:
    try:
        from riverboat.clients.console.views.ladder_picture import draw_ladder
    except ImportError:
        raise Refused(f"--picture needs matplotlib: {how_to_install('pictures')}") from None
    return draw_ladder
