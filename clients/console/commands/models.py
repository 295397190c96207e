"""riverboat models: value networks, those in use and those that were trained."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from riverboat.clients.console.completion import server_of
from riverboat.clients.console.options import DATA_FOLDER, AsJson, DataFolder
from riverboat.clients.console.servers import resolver, trainer
from riverboat.clients.console.views.output import note, out, print_json, print_table
from riverboat.clients.local.settings import server_in_environment
from riverboat.clients.remote.refusals import Refused
from riverboat.solving.answers import NetworkAnswer, NetworkAnswers
from riverboat.training.progress import ModelAnswer

_COLUMNS = ("network", "deck", "street", "situations", "validation loss", "score", "error", "")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(models)


def models(
    fetch: Annotated[
        str | None, typer.Option(metavar="NAME", help="Copy this network and its card here.", show_default=False)
    ] = None,
    to: Annotated[Path, typer.Option(file_okay=False, help="Where to copy it to.")] = Path(),
    folder: DataFolder = DATA_FOLDER,
    trainer_at: Annotated[
        str | None,
        typer.Option("--trainer", metavar="HOST:PORT", help="Also those of this trainer.", show_default=False),
    ] = None,
    server: Annotated[
        str | None,
        typer.Option(
            "--server",
            metavar="HOST:PORT",
            help="The resolver that uses them.",
            show_default=False,
            autocompletion=server_of("resolver"),
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List value networks: those that the resolver has, and those that a trainer has made.

    The score is Huber's loss in pots on the yardstick: situations with known values that ship with the resolver. The
    best for a deck and street is in use if it also beats equity; the others are there by name, as in riverboat solve
    --below NAME. The error is the mean absolute error on the same situations, in pots. The validation loss is what
    a network's own run reports; it cannot be compared with that of another run. --json also has a run's loss and error
    on its test boards.

    riverboat models

    riverboat models --trainer 127.0.0.1:50054 --fetch 24-river-1a2b3c4d --to networks
    """
    if fetch is not None:
        _fetch(fetch, to, folder, trainer_at)
        return
    with resolver(server, {}) as link:
        answers = link.networks()
    trained = _trained(folder, trainer_at)
    if as_json:
        print_json(
            {
                "in_use": [_as_dict(network) for network in answers.used],
                "by_name": [_as_dict(network) for network in answers.by_name],
                "refused": [{"file": file, "reason": reason} for file, reason in answers.refused],
                "trained": [_trained_as_dict(model) for model in trained],
            }
        )
        return
    _print(answers, trained)


def _trained(folder: Path, server: str | None) -> list[ModelAnswer]:
    if not (server or server_in_environment("trainer") or _has_trained(folder)):
        return []
    with trainer(server, folder, 0, {}, conducts=False) as link:
        return link.models()


def _has_trained(folder: Path) -> bool:
    """Whether there is a network in a trainer's folder; without one nobody needs what a trainer does to start."""
    return any((folder / "models").glob("*.onnx"))


def _fetch(name: str, to: Path, folder: Path, server: str | None) -> None:
    if not (server or server_in_environment("trainer") or _has_trained(folder)):
        raise Refused(f"nothing was trained in {folder}, and no trainer was named")
    with trainer(server, folder, 0, {}, conducts=False) as link:
        found = next((model for model in link.models() if model.name == name), None)
        if found is None:
            raise Refused(f"--fetch: no network is called {name!r}")
        data = link.fetch(name)
    to.mkdir(parents=True, exist_ok=True)
    (to / f"{name}.json").write_text(found.card)
    (to / f"{name}.onnx").write_bytes(data)
    note(f"{to / name}.onnx and its card; RIVERBOAT_RESOLVER_NETWORKS={to} shows it to a resolver")


def _as_dict(network: NetworkAnswer) -> dict[str, Any]:
    return {name: getattr(network, name) for name in network.__slots__}


def _trained_as_dict(model: ModelAnswer) -> dict[str, Any]:
    return {name: getattr(model, name) for name in model.__slots__ if name != "card"}


def _print(answers: NetworkAnswers, trained: list[ModelAnswer]) -> None:
    table = Table(*_COLUMNS, box=None, padding=(0, 2, 0, 0))
    for network in (*answers.used, *answers.by_name):
        scores = _figure(network.huber), _figure(network.error)
        table.add_row(*_facts(network), *scores, "by name" if network.reason else "in use")
    known = {network.hash for network in (*answers.used, *answers.by_name)}
    for model in trained:
        if model.hash not in known:
            table.add_row(*_facts(model), "", "", "trained")
    if table.row_count:
        print_table(table)
    else:
        out.print("there are no networks: what follows a deal is estimated by equity")
    for network in answers.by_name:
        note(f"{network.name} is used by name only: {network.reason}")
    for file, reason in answers.refused:
        note(f"not used: {file}: {reason}")


def _facts(network: NetworkAnswer | ModelAnswer) -> tuple[str, ...]:
    return network.name, network.deck, network.street, f"{network.samples:,}", f"{network.held_out_loss:.4f}"


def _figure(score: float | None) -> str:
    return "" if score is None else f"{score:.4f}"
