"""riverboat models: what is in use, what is there by name and why, and what was refused."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from riverboat.clients.console.commands import models as models_command
from riverboat.solving.answers import NetworkAnswer, NetworkAnswers
from tests.commands import run_command

GOOD = NetworkAnswer("24-turn-1", "24", "turn", "1" * 64, 9, 0.1, 0.2, "a.onnx", "24-turn-3", 0.0085, 0.0715)
WORSE = NetworkAnswer(
    "24-turn-2", "24", "turn", "2" * 64, 9, 0, 0, "b.onnx", "24-turn-3", 0.9, 1.2, "24-turn-1 scores 0.0085"
)
UNKNOWN = NetworkAnswer("36-flop-4", "36", "flop", "4" * 64, 9, 0, 0, "c.onnx", reason="there is no yardstick")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing was trained there, and the resolver has three networks and a bad file."""
    answers = NetworkAnswers([GOOD], [WORSE, UNKNOWN], [("d.onnx", "it has no card")])

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
    assert "24-turn-2 is used only by name: 24-turn-1 scores 0.0085" in text
    assert "36-flop-4 is used only by name: there is no yardstick" in text
    assert "not used: d.onnx: it has no card" in text


def test_as_json(folder: Path) -> None:
    shown = json.loads(run_command([models_command], "models", "--folder", folder, "--json")[1])
    assert [(one["name"], one["huber"], one["error"]) for one in shown["in_use"]] == [("24-turn-1", 0.0085, 0.0715)]
    assert [(one["name"], one["huber"], one["reason"]) for one in shown["by_name"]] == [
        ("24-turn-2", 0.9, "24-turn-1 scores 0.0085"),
        ("36-flop-4", None, "there is no yardstick"),
    ]
    assert shown["refused"] == [{"file": "d.onnx", "reason": "it has no card"}]
