"""riverboat chart, in this process."""

import json
from pathlib import Path

import pytest

from riverboat.clients.console.commands import chart
from tests.commands import run_command


def test_the_button_of_an_agent_in_the_terminal() -> None:
    code, printed = run_command([chart], "chart", "habit:overbet", "--deck", "24")
    assert code == 0, printed
    lines = printed.splitlines()
    assert lines[0] == "habit:overbet on the button"
    assert lines[1] == "no-limit hold'em, 24 cards, blinds 50/100, stacks of 10,000"
    raises = lines.index("raises, in % of each class")
    assert lines[raises + 1].split() == list("AKQJT9")
    assert lines[raises + 2].split() == ["A", "100", "100", "100", "0", "0", "0"]
    assert "calls, in % of each class" in printed
    assert "plays 100.0 % of holdings, raises 39.1 % (r500)" in printed


def test_the_answer_to_a_raise_as_json() -> None:
    words = ("chart", "habit:minimum", "--deck", "52", "--stack", "5000", "--line", "r300", "--json")
    code, printed = run_command([chart], *words)
    result = json.loads(printed)
    assert code == 0
    assert (result["seat"], result["line"], result["stack"], result["exact"]) == ("big blind", ["r300"], 5000, True)
    cells = {cell["class"]: cell for cell in result["classes"]}
    assert len(cells) == 169
    assert cells["AA"]["actions"] == {"r500": 1.0}
    assert cells["32o"]["fold"] + cells["32o"]["call"] + cells["32o"]["raise"] == pytest.approx(1)
    holdings = sum(cell["holdings"] for cell in cells.values())
    raised = sum(cell["raise"] * cell["holdings"] for cell in cells.values())
    assert result["raised"] == pytest.approx(raised / holdings)


def test_thousands_of_raises_are_one_share() -> None:
    code, printed = run_command([chart], "chart", "random", "--line", "c", "--json")
    cell = json.loads(printed)["classes"][0]
    assert code == 0
    assert (cell["fold"], cell["call"], cell["raise"]) == pytest.approx((0, 0.69, 0.31))
    assert cell["actions"] == {}


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_picture_is_written(tmp_path: Path, ending: str) -> None:
    picture = tmp_path / f"chart.{ending}"
    code, printed = run_command([chart], "chart", "rollout", picture, "--deck", "24", "--line", "c r400")
    assert code == 0, printed
    assert "rollout on the button after c r400" in printed
    assert "the agent only estimates its own strategy" in printed
    assert picture.stat().st_size > 5000


def test_a_bot_that_cannot_say_its_strategy_is_estimated(tmp_path: Path) -> None:
    path = tmp_path / "caller.py"
    path.write_text("from riverboat.clients.bots import Bot\nclass Caller(Bot):\n    def act(self, view): return 0\n")
    code, printed = run_command([chart], "chart", path, "--deck", "24", "--answers", "2")
    assert code == 0, printed
    assert "plays 100.0 % of holdings, raises 0.0 %" in printed
    assert "strategy estimated from 2 answers per holding" in printed


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["random", "--line", "c c"], "--line: the flop comes after 'c c'"),
        (["random", "--line", "f"], "--line: the hand is over after 'f'"),
        (["random", "--line", "r99"], "--line: 'r99': 99 is not possible: raise to 200 … 10,000"),
        (["random", "--line", "lunch"], "--line: 'lunch': not understood: type f, c, r and an amount (200 … 10,000)"),
        (["random", "--stack", "200"], "--stack: must be at least 300 chips, not 200; 200 big blinds are 20,000 chips"),
        (["random", "chart.txt"], "FILE: chart.txt must end in .png, .svg or .pdf"),
        (["lunch"], "no agent is called 'lunch'"),
    ],
)
def test_refusals(words: list[str], reason: str) -> None:
    code, printed = run_command([chart], "chart", *words)
    assert code == 2
    assert reason in printed
    assert "k for the keys" not in printed
