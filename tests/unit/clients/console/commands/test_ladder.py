"""riverboat ladder: the matrix, files that a second run continues, and what it refuses."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from riverboat.arena import match as match_module
from riverboat.clients.bots.ladder import play_ladder
from riverboat.clients.console.commands import ladder as command
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, EXIT_REFUSED
from tests.commands import run_command

AGENTS = ("random", "always-call", "always-fold")


def run(folder: Path, *words: str | Path, agents: tuple[str, ...] = AGENTS) -> tuple[int, str]:
    return run_command([command], "ladder", *agents, "--deck", "kuhn", "--folder", folder, *words)


def document(folder: Path, *words: str) -> dict[str, Any]:
    code, text = run(folder, "--json", *words)
    assert code == 0, text
    start, end = text.index("{"), text.rindex("}") + 1
    parsed: dict[str, Any] = json.loads(text[start:end])
    return parsed


def test_the_matrix(tmp_path: Path) -> None:
    code, text = run(tmp_path, "-n", "40")
    assert code == 0
    rows = {line.split()[0]: line for line in text.splitlines() if line.startswith(AGENTS) and "±" in line}
    assert set(rows) == set(AGENTS)
    assert all(line.count("±") == 2 for line in rows.values())
    assert "random against always-call: 40 deals, standard deviation saved:" in text


def test_a_second_run_plays_only_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = document(tmp_path / "whole", "-n", "40")
    first = document(tmp_path / "parts", "-n", "15")
    assert document(tmp_path / "parts", "-n", "40")["pairings"] == whole["pairings"] != first["pairings"]
    monkeypatch.setattr(match_module, "play_deals", None)  # nothing may be played again
    assert document(tmp_path / "parts", "-n", "40")["pairings"] == whole["pairings"]
    assert {pairing["deals"] for pairing in document(tmp_path / "parts", "-n", "20")["pairings"]} == {40}
    assert whole["complete"]


def test_settings_are_not_mixed(tmp_path: Path) -> None:
    run(tmp_path, "-n", "5")
    code, text = run(tmp_path, "-n", "5", "--seed", "2")
    assert code == EXIT_REFUSED
    assert "was played with seed 1, and this run has 2" in text
    file = tmp_path / "random vs always-call.json"
    kept = json.loads(file.read_text())
    kept["settings"]["code"] = "0.0 older"
    file.write_text(json.dumps(kept))
    code, text = run(tmp_path, "-n", "5")
    assert code == EXIT_REFUSED
    assert "was played with code 0.0 older" in text


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"settings": {}, "agents": 3}'])
def test_files_that_are_no_pairings(content: str, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text(content)
    code, text = run(tmp_path, "-n", "5")
    assert code == EXIT_REFUSED
    assert "is not a pairing of a ladder" in text


def test_unknown_agents_are_refused_with_all_names(tmp_path: Path) -> None:
    code, text = run(tmp_path, agents=("rolout", "random"))
    assert code == EXIT_REFUSED
    assert "no agent is called 'rolout'; did you mean rollout? The agents are always-call, always-fold" in text
    assert run(tmp_path, agents=("random",))[0] == EXIT_REFUSED
    assert "twice" in run(tmp_path, agents=("random", "random"))[1]


def test_control_c_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = document(tmp_path / "whole", "-n", "40")

    def interrupted(*words: Any) -> Iterator[Any]:
        for step in play_ladder(*words):
            yield step
            if len(step.ladder.results) == 2 and step.result.deal_count == 10:
                raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(command, "play_ladder", interrupted)
        code, text = run(tmp_path / "parts", "-n", "40")
    assert code == EXIT_INTERRUPTED
    assert "random against always-call: 40 deals" in text
    assert "random against always-fold: 10 deals" in text
    assert document(tmp_path / "parts", "-n", "40")["pairings"] == whole["pairings"]


def test_other_games_have_folders_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    quick = ("always-call", "always-raise", "-n", "4")
    assert "fixed-limit hold'em, 24 cards, blinds 50/100, stacks of 10,000" in ladder(*quick, "--limit", "fixed")
    assert "no-limit hold'em, 24 cards, blinds 50/100, stacks of 1,000" in ladder(*quick, "--stack", "1000")
    folders = sorted(file.parent.name for file in (tmp_path / "riverboat-data" / "ladder").glob("*/*.json"))
    assert folders == ["24-1", "24-fixed-1"]
    code, text = run_command([command], "ladder", *quick)
    assert code == EXIT_REFUSED
    assert "was played with game no-limit hold'em, 24 cards, blinds 50/100, stacks of 1,000" in text


def ladder(*words: str) -> str:
    code, text = run_command([command], "ladder", *words)
    assert code == 0, text
    return text


def test_a_picture(tmp_path: Path) -> None:
    picture = tmp_path / "ladder.png"
    assert run(tmp_path / "folder", "-n", "5", "--picture", picture)[0] == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert run(tmp_path, "--picture", tmp_path / "ladder.txt")[0] == EXIT_REFUSED
