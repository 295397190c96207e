"""riverboat models: networks in use, networks by name with a reason, and refused files."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from riverboat.clients.console.commands import models as models_command
from riverboat.contracts.resolver import NetworkAnswer, NetworkAnswers
from tests.commands import run_command


def network(name: str, file: str, **scores: Any) -> NetworkAnswer:
    deck, street, digit = name.split("-")
    return NetworkAnswer(
        name=name,
        deck=deck,
        street=street,
        hash=digit * 64,
        samples=9,
        train_loss=0.1,
        held_out_loss=0.2,
        file=file,
        **scores,
    )


GOOD = network("24-turn-1", "a.onnx", yardstick="24-turn-3", huber=0.0085, error=0.0715)
WORSE = network("24-turn-2", "b.onnx", yardstick="24-turn-3", huber=0.9, error=1.2, reason="24-turn-1 scores 0.0085")
UNKNOWN = network("36-flop-4", "c.onnx", reason="there is no yardstick")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a trainer without networks, and a resolver with three networks and a bad file."""
    answers = NetworkAnswers(used=(GOOD,), by_name=(WORSE, UNKNOWN), refused=(("d.onnx", "it has no card"),))

    @contextmanager
    def link(*_: object) -> Iterator[SimpleNamespace]:
        yield SimpleNamespace(networks=lambda: answers)

    monkeypatch.setattr(models_command, "resolver", link)
    return tmp_path


def test_scores_and_reasons_are_shown(folder: Path) -> None:
    code, text = run_command([models_command], "models", "--folder", folder)
    assert code == 0
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line}
    assert rows["24-turn-1"][-4:] == ["0.0085", "0.0715", "in", "use"]
    assert "24-turn-2 is used by name only: 24-turn-1 scores 0.0085" in text
    assert "36-flop-4 is used by name only: there is no yardstick" in text
    assert "not used: d.onnx: it has no card" in text


def test_as_json(folder: Path) -> None:
    shown = json.loads(run_command([models_command], "models", "--folder", folder, "--json")[1])
    assert [(one["name"], one["huber"], one["error"]) for one in shown["in_use"]] == [("24-turn-1", 0.0085, 0.0715)]
    assert [(one["name"], one["huber"], one["reason"]) for one in shown["by_name"]] == [
        ("24-turn-2", 0.9, "24-turn-1 scores 0.0085"),
        ("36-flop-4", None, "there is no yardstick"),
    ]
    assert shown["refused"] == [{"file": "d.onnx", "reason": "it has no card"}]
