"""riverboat train: train a value network, or begin another kind of run."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from riverboat.clients.console.files import check_target, write
from riverboat.clients.console.games import refuse_options
from riverboat.clients.console.options import DATA_FOLDER, AsJson, DataFolder, HoldemDeck, TrainedStreet, TrainerServer
from riverboat.clients.console.servers import trainer
from riverboat.clients.console.views.output import Bar, err, note, out, print_json, progress_bar, say
from riverboat.clients.console.views.runs import print_kinds, run_as_dict, run_line, share_done
from riverboat.clients.local.processes import core_count
from riverboat.clients.remote.patience import patiently
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, Refused
from riverboat.clients.remote.trainer import TrainerClient
from riverboat.contracts.trainer import RunStatus
from riverboat.errors import InvalidInput
from riverboat.rpc.installation import how_to_install
from riverboat.training.jobs import EXACT
from riverboat.training.plans import NETWORK, Recipe, RunPlan, TrainingPlan
from riverboat.training.progress import Stage
from riverboat.training.rounds import RoundsPlan

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
    "rounds.kind": "KIND",
    "rounds.settings.": "",  # every setting by its own name
}
_NETWORK_ONLY = ("deck", "street", "samples", "through", "seed", "epochs", "width", "depth")
_TELL_SECONDS = 60  # between lines where there is no terminal for a bar
_DRAW_SECONDS = 30.0  # between pictures


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(train)


def train(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(metavar="KIND", help="What to train: network, or one of --kinds.")] = NETWORK,
    settings: Annotated[
        list[str] | None,
        typer.Argument(metavar="SETTING", help="Setting of a kind other than network: NAME=VALUE.", show_default=False),
    ] = None,
    deck: HoldemDeck = "24",
    street: TrainedStreet = "river",
    samples: Annotated[
        int, typer.Option("--samples", "-n", metavar="N", help="Number of situations to learn from.")
    ] = 100_000,
    through: Annotated[
        str,
        typer.Option(
            metavar="NETWORK", help="Network of the next street to estimate with; exact: solve to the showdown."
        ),
    ] = EXACT,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the situations.")] = 0,
    epochs: Annotated[int, typer.Option(min=1, metavar="N", help="Maximum number of epochs.")] = _RECIPE.epochs,
    width: Annotated[int, typer.Option(min=1, metavar="N", help="Width of the network's layers.")] = _RECIPE.width,
    depth: Annotated[
        int, typer.Option(min=1, metavar="N", help="Depth of the network, in blocks of two layers.")
    ] = _RECIPE.depth,
    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="RUN",
            help="Run to follow instead of a new one; resumed if it is paused or has failed.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Workers, if this command starts the trainer; default: one per core.",
            show_default=False,
        ),
    ] = None,
    folder: DataFolder = DATA_FOLDER,
    server: TrainerServer = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture",
            metavar="FILE",
            help="File to draw the rounds of a run in, again every half minute: .png or .svg.",
            show_default=False,
        ),
    ] = None,
    kinds: Annotated[bool, typer.Option("--kinds", help="List the other kinds of runs, with their settings.")] = False,
    as_json: AsJson = False,
) -> None:
    """Train a value network, or begin another kind of run.

    A run for a network samples situations, solves them, learns from them, and exports the network to ONNX. Workers
    solve in parallel; riverboat worker starts more, on any machine. An interruption loses nothing: --run continues the
    run, and a new run with the same seed reuses its samples. Train the river first, then the turn, with exact solves
    or --through a river network. The flop and preflop always need --through.

    The other kinds of runs work in rounds, and take their settings as NAME=VALUE. --kinds lists them, with all settings
    and defaults.

    riverboat train --deck 24 --street river --samples 100000

    riverboat train --deck 24 --street flop --samples 5000 --through 24-turn-1a2b3c4d

    riverboat train --deck 24 --street preflop --samples 20000 --through 24-flop-5e6f7a8b

    riverboat train evolution label=hof hall=13 --picture evolution.png
    """
    check_target("--picture", picture, (".png", ".svg"))
    follow = _Follower(as_json, server, picture, _drawer() if picture else None)
    if kinds:
        with trainer(server, folder, 0, {}, conducts=False) as link:
            print_kinds(link.kinds(), as_json)
        return
    plan: RunPlan
    try:
        if kind != NETWORK:
            plan = _rounds_plan(context, kind, settings or [])
        else:
            plan = TrainingPlan(
                deck=deck,
                street=street,
                samples=samples,
                leaf=through,
                seed=seed,
                recipe=Recipe(epochs=epochs, width=width, depth=depth),
            )
    except InvalidInput as error:
        raise Refused(f"{NAMES.get(f'plan.{error.field}', f'--{error.field}')}: {error.reason}") from None
    with trainer(server, folder, core_count() if workers is None else workers, NAMES) as link:
        if run:
            link.take_up(run)
        run_id = run or link.plan(plan).run_id
        try:
            last = follow.to_end(link, run_id)
        except KeyboardInterrupt:
            note(f"{_how_to_follow(run_id, server)} continues it")
            raise typer.Exit(EXIT_INTERRUPTED) from None
    if as_json:
        print_json(run_as_dict(last))
    else:
        _print(last, server is None, folder)
    if last.stage is not Stage.DONE:
        raise typer.Exit(1)


def _rounds_plan(context: typer.Context, kind: str, settings: list[str]) -> RoundsPlan:
    """Return the plan of a run in rounds; options that are for value networks only are refused."""
    refuse_options(
        context, _NETWORK_ONLY, f"only for value networks; {kind} takes NAME=VALUE (riverboat train --kinds)"
    )
    pairs = [text.partition("=") for text in settings]
    for name, sign, _ in pairs:
        if not (name and sign):
            raise Refused(f"{name!r}: write NAME=VALUE, like seed=1")
    return RoundsPlan(kind, {name: value for name, _, value in pairs})


def _how_to_follow(run_id: str, server: str | None) -> str:
    return f"riverboat train --run {run_id}" + (f" --server {server}" if server else "")


def _drawer() -> Callable[[RunStatus, Path], None]:
    try:
        from riverboat.clients.console.views.rounds_picture import draw_rounds
    except ImportError:
        raise Refused(f"--picture needs matplotlib: {how_to_install('pictures')}") from None
    return draw_rounds


@dataclass(frozen=True, slots=True)
class _Follower:
    """Shows the progress of a run on the terminal, in a log and in a picture."""

    as_json: bool
    server: str | None
    picture: Path | None
    draw: Callable[[RunStatus, Path], None] | None

    def to_end(self, link: TrainerClient, run_id: str) -> RunStatus:
        """Show a run's progress until it is over; return its last status."""
        if not self.as_json:
            note(f"run {run_id}")
        last: RunStatus | None = None
        told, drawn = time.monotonic(), -_DRAW_SECONDS
        again = _how_to_follow(run_id, self.server)
        with progress_bar("…") as bar:
            for status in patiently(
                lambda: link.watch(run_id),
                server=f"the trainer at {link.address}",
                what="the run",
                again=again,
                say=say,
            ):
                _show(bar, status)
                last, now = status, time.monotonic()
                is_due = not status.stage.is_over and now > told + _TELL_SECONDS  # its end is printed after
                if is_due and not (self.as_json or err.is_terminal):
                    told = now
                    err.print(f"{status.stage.value}: {run_line(status)}", markup=False, soft_wrap=True)
                if status.stage.is_over or now > drawn + _DRAW_SECONDS:
                    drawn = now
                    self._draw(status)
        if last is None:
            raise RuntimeError("the trainer sent no status")
        return last

    def _draw(self, status: RunStatus) -> None:
        if self.picture and self.draw:
            write("--picture", self.picture, partial(self.draw, status))


def _show(bar: Bar, status: RunStatus) -> None:
    bar.show(share_done(status), run_line(status))


def _print(status: RunStatus, is_ours: bool, folder: Path) -> None:
    out.print(f"{status.stage.value}: {run_line(status)}", markup=False, soft_wrap=True)
    for dead in status.dead[:5]:
        note(f"given up: {dead.name}: {dead.error}")
    if status.model and is_ours and isinstance(status.plan, RoundsPlan):
        note(f"{folder}/models/{status.model}.* is what it made, with its card")
    elif status.model and is_ours:
        note(f"{folder}/models/{status.model}.onnx, its card and its curves")
        note(f"a resolver with RIVERBOAT_RESOLVER_NETWORKS={folder}/models uses it if it has no better one")
