"""riverboat models: value networks, those in use and those that were trained."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from clients.console.completion import server_of
from clients.console.failures import Refused
from clients.console.options import AsJson
from clients.console.output import note, out, print_json, print_table
from clients.console.resolver_link import resolver
from clients.console.settings import trainer_server
from clients.console.trainer_link import DATA_FOLDER, DataFolder, trainer
from riverboat.solving.answers import NetworkAnswer
from riverboat.training.progress import ModelAnswer


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
    """List value networks: those that the resolver uses, and those that a trainer has made.

    Losses are Huber's in pots, on boards that were held out.

    riverboat models

    riverboat models --trainer 127.0.0.1:50054 --fetch 24-river-1a2b3c4d --to networks
    """
    if fetch is not None:
        _fetch(fetch, to, folder, trainer_at)
        return
    with resolver(server, {}) as link:
        used, refused = link.networks()
    trained = _trained(folder, trainer_at)
    if as_json:
        print_json(
            {
                "in_use": [_used_as_dict(network) for network in used],
                "refused": [{"file": file, "reason": reason} for file, reason in refused],
                "trained": [_trained_as_dict(model) for model in trained],
            }
        )
        return
    _print(used, refused, trained)


def _trained(folder: Path, server: str | None) -> list[ModelAnswer]:
    if not (server or trainer_server() or _has_trained(folder)):
        return []
    with trainer(server, folder, 0, {}, conducts=False) as link:
        return link.models()


def _has_trained(folder: Path) -> bool:
    """Whether there is a network in a trainer's folder; without one nobody needs what a trainer does to start."""
    return any((folder / "models").glob("*.onnx"))


def _fetch(name: str, to: Path, folder: Path, server: str | None) -> None:
    if not (server or trainer_server() or _has_trained(folder)):
        raise Refused(f"nothing was trained in {folder}, and no trainer was named")
    with trainer(server, folder, 0, {}, conducts=False) as link:
        found = next((model for model in link.models() if model.name == name), None)
        if found is None:
            raise Refused(f"--fetch: no network is called {name!r}")
        data = link.fetch(name)
    to.mkdir(parents=True, exist_ok=True)
    (to / f"{name}.json").write_text(found.card)
    (to / f"{name}.onnx").write_bytes(data)
    note(f"{to / name}.onnx and its card; RIVERBOAT_RESOLVER_NETWORKS={to} makes a resolver use the best that it has")


def _used_as_dict(network: NetworkAnswer) -> dict[str, Any]:
    return {name: getattr(network, name) for name in network.__slots__}


def _trained_as_dict(model: ModelAnswer) -> dict[str, Any]:
    return {name: getattr(model, name) for name in model.__slots__ if name != "card"}


def _print(used: list[NetworkAnswer], refused: list[tuple[str, str]], trained: list[ModelAnswer]) -> None:
    names = {network.name for network in used}
    table = Table("network", "deck", "street", "situations", "held-out loss", "", box=None, padding=(0, 2, 0, 0))
    every: list[NetworkAnswer | ModelAnswer] = [*used, *(model for model in trained if model.name not in names)]
    for network in every:
        where = "in use" if network.name in names else "trained"
        loss = f"{network.held_out_loss:.4f}"
        table.add_row(network.name, network.deck, network.street, f"{network.samples:,}", loss, where)
    if table.row_count:
        print_table(table)
    else:
        out.print("there are no networks: what follows a deal is estimated by equity")
    for file, reason in refused:
        note(f"not used: {file}: {reason}")
