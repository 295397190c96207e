"""Shell completion, asked as shells ask."""

import os

import pytest
from typer.testing import CliRunner

from riverboat.clients.console.app import app

SHELLS = ("bash", "zsh", "fish")


def offered(shell: str, line: str) -> list[str]:
    """Return the completions of a line with the cursor at its end."""
    words = line.split()
    asked = {"_RIVERBOAT_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_ARGS": line}
    asked |= {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - (not line.endswith(" ")))}
    asked["_TYPER_COMPLETE_FISH_ACTION"] = "get-args"
    completed = CliRunner().invoke(app, prog_name="riverboat", env={**os.environ, **asked})
    return completed.output.replace('"', " ").replace("\\", "").replace("))'", " ").split()


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("riverboat play --deck l", ["leduc"]),
        ("riverboat train --deck ", ["52", "36", "24"]),
        ("riverboat train --street pre", ["preflop"]),
        ("riverboat match roll", ["rollout"]),
        ("riverboat watch --agents rollout,always-f", ["rollout,always-fold"]),
        ("riverboat exploit habit:o", ["habit:overbet"]),
        ("riverboat solve --cut ", ["turn", "river"]),
        ("riverboat solve --server ", ["127.0.0.1:50053"]),
        ("riverboat play --server ", ["127.0.0.1:50052"]),
        ("riverboat chea", ["cheatsheet"]),
    ],
)
def test_known_values(shell: str, line: str, expected: list[str]) -> None:
    words = offered(shell, line)
    assert [word for word in words if word in expected] == expected


def test_nothing_is_offered_where_nothing_is_known() -> None:
    assert offered("bash", "riverboat play --deck nonsense") == []


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_asks_this_command(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: shell)
    completed = CliRunner().invoke(app, ["--show-completion"], prog_name="riverboat")
    assert completed.exit_code == 0
    assert f"_RIVERBOAT_COMPLETE=complete_{shell}" in completed.output
