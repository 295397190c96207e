"""riverboat models: value networks, those in use and those that were trained."""

from pathlib import Path
from typing import Annotated

import typer

from riverboat.clients.console.options import DATA_FOLDER, AsJson, DataFolder, ResolverServer
from riverboat.clients.console.servers import resolver, trainer
from riverboat.clients.console.views.networks import networks_dict, print_networks
from riverboat.clients.console.views.output import note, print_json
from riverboat.clients.local.settings import server_in_environment
from riverboat.clients.remote.refusals import Refused
from riverboat.contracts.trainer import ModelAnswer
from riverboat.training.plans import NETWORK


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(models)


def models(
    fetch: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Network or other result of a run, copied to --to with its card.", show_default=False
        ),
    ] = None,
    to: Annotated[
        Path, typer.Option(file_okay=False, metavar="FOLDER", help="Folder that --fetch copies to.")
    ] = Path(),
    folder: DataFolder = DATA_FOLDER,
    trainer_at: Annotated[
        str | None,
        typer.Option(
            "--trainer", metavar="HOST:PORT", help="Trainer whose networks to list or fetch.", show_default=False
        ),
    ] = None,
    server: ResolverServer = None,
    as_json: AsJson = False,
) -> None:
    """List value networks, and what other runs have made.

    Lists the resolver's networks, and a trainer's together with the results of its runs in rounds. The score is the
    Huber loss, in pots, on the yardstick: situations with known values that ship with the resolver. The error is the
    mean absolute error on the same situations, in pots. For each deck and street the resolver uses the network with the
    best score, if that beats plain equity; riverboat solve --below NAME uses another. The validation loss comes from a
    network's own run, and cannot be compared between runs. --json adds a run's loss and error on its test boards.

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
        print_json(networks_dict(answers, trained))
    else:
        print_networks(answers, trained)


def _trained(folder: Path, server: str | None) -> list[ModelAnswer]:
    if not (server or server_in_environment("trainer") or _has_trained(folder)):
        return []
    with trainer(server, folder, 0, {}, conducts=False) as link:
        return link.models()


def _has_trained(folder: Path) -> bool:
    """Return whether a trainer's folder has a network; without one no trainer is started."""
    return any((folder / "models").glob("*.json"))


def _fetch(name: str, to: Path, folder: Path, server: str | None) -> None:
    if not (server or server_in_environment("trainer") or _has_trained(folder)):
        raise Refused(f"{folder} has no trained networks; name another --folder, or a trainer with --trainer HOST:PORT")
    with trainer(server, folder, 0, {}, conducts=False) as link:
        model = next((model for model in link.models() if model.name == name), None)
        if model is None:
            raise Refused(f"--fetch: nothing is called {name!r}; riverboat models lists the names")
        data = link.fetch(name)
    to.mkdir(parents=True, exist_ok=True)
    file = to / f"{name}{model.suffix}"
    file.write_bytes(data)
    if model.kind != NETWORK:
        file.with_suffix(".card.json").write_text(model.card)
        note(f"copied {file} and its card")
        return
    (to / f"{name}.json").write_text(model.card)
    note(f"copied {to / name}.onnx and its card; a resolver with RIVERBOAT_RESOLVER_NETWORKS={to} finds it")
