"""riverboat train: a value network from nothing."""

import time
from typing import Annotated, Any

import typer

from riverboat.clients.console.completion import streets, trained_decks
from riverboat.clients.console.options import AsJson
from riverboat.clients.console.views.output import Bar, err, note, out, print_json, progress_bar, say
from riverboat.clients.console.views.runs import run_as_dict, what_it_does
from riverboat.clients.local.trainer import DATA_FOLDER, DataFolder, TrainerServer, core_count, trainer
from riverboat.clients.remote.patience import patiently
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, Refused
from riverboat.clients.remote.trainer import TrainerClient
from riverboat.errors import InvalidInput
from riverboat.training.jobs import EXACT
from riverboat.training.plans import Recipe, TrainingPlan
from riverboat.training.progress import RunStatus, Stage

_RECIPE = Recipe()
NAMES = {
    "plan.deck": "--deck",
    "plan.street": "--street",
    "plan.samples": "--samples",
    "plan.leaf": "--through",
    "plan.seed": "--seed",
    "plan.recipe.epochs": "--epochs",
    "plan.recipe.width": "--width",
    "plan.recipe.depth": "--depth",
}
_TELL_SECONDS = 60  # between lines where there is no terminal for a bar


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(train)


def train(
    deck: Annotated[str, typer.Option(help="24, 36 or 52 cards.", autocompletion=trained_decks)] = "24",
    street: Annotated[
        str,
        typer.Option(
            help="At whose start values are learnt: river, turn or flop; or at the end of preflop.",
            autocompletion=streets,
        ),
    ] = "river",
    samples: Annotated[int, typer.Option("--samples", "-n", help="Situations to learn from.")] = 100_000,
    through: Annotated[
        str, typer.Option(metavar="NETWORK", help="Solve situations through this network of the next street.")
    ] = EXACT,
    seed: Annotated[int, typer.Option(min=0, help="Of the first job: the same seed, the same situations.")] = 0,
    epochs: Annotated[int, typer.Option(min=1, help="Maximum number of epochs.")] = _RECIPE.epochs,
    width: Annotated[int, typer.Option(min=1, help="Of the network's layers.")] = _RECIPE.width,
    depth: Annotated[int, typer.Option(min=1, help="Of the network: blocks of two layers.")] = _RECIPE.depth,
    workers: Annotated[
        int | None,
        typer.Option(min=0, help="Of a trainer that is started; all cores if not given.", show_default=False),
    ] = None,
    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="RUN",
            help="Go on with this run, or follow it; one that was paused or has failed goes on.",
            show_default=False,
        ),
    ] = None,
    folder: DataFolder = DATA_FOLDER,
    server: TrainerServer = None,
    as_json: AsJson = False,
) -> None:
    """Train a value network: sample situations, solve them, learn from them, export to ONNX.

    Workers solve in parallel; more can be started anywhere with riverboat worker. Nothing is lost when this is
    interrupted: --run goes on, and a new run with the same seed takes the samples that are there. Networks for the
    river come first, then the turn (exact, or --through a network for the river); the flop and preflop need --through.

    riverboat train --deck 24 --street river --samples 100000

    riverboat train --deck 24 --street flop --samples 5000 --through 24-turn-1a2b3c4d

    riverboat train --deck 24 --street preflop --samples 20000 --through 24-flop-5e6f7a8b
    """
    try:
        plan = TrainingPlan(deck, street, samples, through, seed, 0, Recipe(epochs=epochs, width=width, depth=depth))
    except InvalidInput as error:
        raise Refused(f"{NAMES.get(f'plan.{error.field}', f'--{error.field}')}: {error.reason}") from None
    with trainer(server, folder, core_count() if workers is None else workers, NAMES) as link:
        if run:
            link.take_up(run)
        run_id = run or link.plan(plan).run_id
        try:
            last = _followed(link, run_id, as_json, server)
        except KeyboardInterrupt:
            note(f"{_how_to_follow(run_id, server)} goes on with it")
            raise typer.Exit(EXIT_INTERRUPTED) from None
    if as_json:
        print_json(run_as_dict(last))
    else:
        _print(last, server is None, folder)
    if last.stage is not Stage.DONE:
        raise typer.Exit(1)


def _how_to_follow(run_id: str, server: str | None) -> str:
    return f"riverboat train --run {run_id}" + (f" --server {server}" if server else "")


def _followed(link: TrainerClient, run_id: str, as_json: bool, server: str | None) -> RunStatus:
    """Show how a run goes until it is over."""
    if not as_json:
        note(f"run {run_id}")
    last: RunStatus | None = None
    told = time.monotonic()
    with progress_bar("…") as bar:
        again = _how_to_follow(run_id, server)
        for status in patiently(
            lambda: link.watch(run_id), server=f"the trainer at {link.address}", what="the run", again=again, say=say
        ):
            _show(bar, status)
            last = status
            if not (as_json or err.is_terminal) and time.monotonic() > told + _TELL_SECONDS:
                told = time.monotonic()
                err.print(f"{status.stage.value}: {what_it_does(status)}", markup=False, soft_wrap=True)
    if last is None:
        raise RuntimeError("the trainer said nothing")
    return last


def _show(bar: Bar, status: RunStatus) -> None:
    if status.plan is None:
        done = 0.0
    elif status.stage is Stage.LEARNING:
        done = len(status.epochs) / status.plan.recipe.epochs
    else:
        done = status.samples_done / status.plan.samples
    bar.show(done, what_it_does(status))


def _print(status: RunStatus, is_ours: bool, folder: Any) -> None:
    out.print(f"{status.stage.value}: {what_it_does(status)}", markup=False, soft_wrap=True)
    for dead in status.dead[:5]:
        note(f"given up: {dead.name}: {dead.error}")
    if status.model and is_ours:
        note(f"{folder}/models/{status.model}.onnx, its card and its curves")
        note(f"a resolver with RIVERBOAT_RESOLVER_NETWORKS={folder}/models uses it, if it has no better one")
