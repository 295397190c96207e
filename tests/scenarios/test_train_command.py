"""riverboat train, runs, models and situations, as people and programs run them."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from riverboat.clients.console.commands import models as models_command
from riverboat.clients.console.commands import runs as runs_command
from riverboat.clients.console.commands import situations as situations_command
from riverboat.clients.console.commands import train as train_command
from riverboat.clients.local import redis_server
from riverboat.clients.remote.refusals import EXIT_REFUSED
from tests.commands import run_command
from tests.launching.launch import start_module
from tests.processes import START_SECONDS, ServiceProcess

TINY = ["--deck", "24", "--street", "river", "-n", "150", "--epochs", "1", "--width", "16", "--depth", "1"]


@pytest.mark.slow
def test_a_network_from_nothing_in_a_folder(tmp_path: Path, resolver_process: ServiceProcess) -> None:
    folder = tmp_path / "data"
    code, text = run_command([train_command], "train", *TINY, "--workers", "1", "--folder", folder, "--json")
    assert code == 0, text
    run = json.loads(text)
    assert (run["stage"], run["samples_done"], run["dead"]) == ("done", 150, [])
    assert (folder / "models" / f"{run['model']}.onnx").exists()

    code, text = run_command([runs_command], "runs", "--folder", folder, "--json")
    assert (code, [listed["run_id"] for listed in json.loads(text)]) == (0, [run["run_id"]])
    code, text = run_command([runs_command], "runs", "--folder", folder)
    assert "done" in text
    assert run["model"] in text

    resolver = ["--server", resolver_process.address]
    code, text = run_command([models_command], "models", *resolver, "--folder", folder, "--json")
    assert [listed["name"] for listed in json.loads(text)["trained"]] == [run["model"]]
    to = tmp_path / "networks"
    code, text = run_command([models_command], "models", "--fetch", run["model"], "--to", to, "--folder", folder)
    assert code == 0, text
    assert sorted(file.suffix for file in to.iterdir()) == [".json", ".onnx"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--deck", "99"], "--deck"),
        (["--street", "showdown"], "--street"),
        (["--street", "preflop"], "--through"),
        (["--street", "river", "--through", "x"], "--through"),
        (["--server", "127.0.0.1:1"], "no trainer answers"),
    ],
)
def test_bad_words_are_refused_before_anything_starts(tmp_path: Path, words: list[str], expected: str) -> None:
    code, text = run_command([train_command], "train", *words, "--folder", tmp_path / "data")
    assert code == EXIT_REFUSED
    assert expected in text
    assert not (tmp_path / "data").exists()


def test_no_runs_where_there_is_no_folder(tmp_path: Path) -> None:
    code, text = run_command([runs_command], "runs", "--folder", tmp_path / "none")
    assert code == EXIT_REFUSED
    assert "there are no runs" in text


def test_without_a_redis_nothing_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, resolver_process: ServiceProcess
) -> None:
    """A refused command leaves nothing behind that would keep riverboat models from listing a resolver's networks."""
    folder = tmp_path / "data"
    monkeypatch.setattr(redis_server, "redis_url", lambda: None)
    monkeypatch.setattr(redis_server, "_NAMES", ())
    monkeypatch.setattr(redis_server, "find_spec", lambda _: None)
    code, text = run_command([train_command], "train", *TINY, "--folder", folder)
    assert code == EXIT_REFUSED
    assert "-e '.[trainer]'" in text
    assert not folder.exists()
    folder.mkdir()
    code, text = run_command([models_command], "models", "--server", resolver_process.address, "--folder", folder)
    assert code == 0, text
    assert "24-river-" in text


def test_situations_are_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "situations.png"
    code, text = run_command([situations_command], "situations", picture, "--street", "river", "-n", "40")
    assert code == 0, text
    assert picture.read_bytes().startswith(b"\x89PNG")
    code, text = run_command([situations_command], "situations", tmp_path / "x.txt")
    assert code == EXIT_REFUSED


@pytest.mark.slow
def test_two_commands_in_one_folder_share_one_trainer(tmp_path: Path) -> None:
    """The second command finds the first one's run, and its changes count there; --run continues a paused run."""
    folder = tmp_path / "data"
    words = ["train", *TINY, "--workers", "0", "--folder", str(folder)]
    with (tmp_path / "train.log").open("wb") as sink:
        first = start_module("riverboat.clients.console.app", *words, stdout=sink, stderr=sink)
    try:
        give_up = time.monotonic() + START_SECONDS
        while not (folder / "address.json").exists():
            assert first.poll() is None, (tmp_path / "train.log").read_text()
            assert time.monotonic() < give_up
            time.sleep(0.1)
        runs: list[dict[str, Any]] = []
        while not runs:  # it may not have planned it yet
            code, text = run_command([runs_command], "runs", "--folder", folder, "--json")
            assert code == 0, text
            runs = json.loads(text)
        (run,) = runs
        assert run["stage"] == "generating"
        code, text = run_command([runs_command], "runs", "--folder", folder, "--pause", run["run_id"])
        assert f"riverboat runs --resume {run['run_id']} continues it" in text
        code, text = run_command([runs_command], "runs", "--folder", folder, "--cancel", run["run_id"])
        assert first.wait(60) == 1, "the first has seen that its run was cancelled"
    finally:
        first.kill()
    code, text = run_command([runs_command], "runs", "--folder", folder, "--json")
    assert [listed["stage"] for listed in json.loads(text)] == ["cancelled"]
    code, text = run_command([runs_command], "runs", "--folder", folder, "--drop", run["run_id"])
    assert (code, "no runs yet" in text) == (0, True), text
