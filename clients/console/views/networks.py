"""Value networks, for people and for programs."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from riverboat.clients.console.views.output import note, out, print_table
from riverboat.contracts.resolver import NetworkAnswer, NetworkAnswers
from riverboat.contracts.trainer import ModelAnswer

_COLUMNS = ("network", "deck", "street", "situations", "validation loss", "score", "error", "use")


def networks_dict(answers: NetworkAnswers, trained: Sequence[ModelAnswer]) -> dict[str, Any]:
    """Return a resolver's networks, and those of a trainer."""
    return {
        "in_use": [_as_dict(network) for network in answers.used],
        "by_name": [_as_dict(network) for network in answers.by_name],
        "refused": [{"file": file, "reason": reason} for file, reason in answers.refused],
        "trained": [_trained_as_dict(model) for model in trained],
    }


def _as_dict(network: NetworkAnswer) -> dict[str, Any]:
    return {name: getattr(network, name) for name in network.__slots__}


def _trained_as_dict(model: ModelAnswer) -> dict[str, Any]:
    return {name: getattr(model, name) for name in model.__slots__ if name != "card"}


def print_networks(answers: NetworkAnswers, trained: Sequence[ModelAnswer]) -> None:
    """Print a table of networks, and why some are not used by default."""
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
        out.print("no networks: the resolver estimates what follows a deal by equity")
    for network in answers.by_name:
        note(f"{network.name} is used by name only: {network.reason}")
    for file, reason in answers.refused:
        note(f"not used: {file}: {reason}")


def _facts(network: NetworkAnswer | ModelAnswer) -> tuple[str, ...]:
    if not network.deck:  # made by a run in rounds
        return network.name, "", "", "", ""
    return network.name, network.deck, network.street, f"{network.samples:,}", f"{network.held_out_loss:.4f}"


def _figure(score: float | None) -> str:
    return "" if score is None else f"{score:.4f}"
