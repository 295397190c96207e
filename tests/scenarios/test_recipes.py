"""The recipes of docs/how-to.md and docs/library.md: their code runs, and their commands have these options."""

import re
import runpy
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.main import get_command

from riverboat.clients.console.app import app
from riverboat.nets.features import FEATURES
from riverboat.services.resolver.networks import Networks
from riverboat.services.resolver.scoring import SHIPPED_YARDSTICKS, Yardsticks
from tests.processes import ROOT, ServiceProcess
from tests.unit.clients.bots.tables import table_info
from tests.unit.clients.bots.test_docs import blocks, run_example

DOCS = ROOT / "docs"
PAGES = {str(path.relative_to(DOCS)): path.read_text() for path in sorted(DOCS.rglob("*.md"))} | {
    "../README.md": (ROOT / "README.md").read_text()
}
COMMANDS = [
    (page, line)
    for page, text in PAGES.items()
    for line in re.findall(r"^    (?:[A-Z_]+=\S+ )*(riverboat [a-z].*)$", text, re.MULTILINE)
]


def recipe(title: str, page: str = "how-to.md") -> list[tuple[str, str | None]]:
    """Return the Python examples of a recipe, each with its output if the page has it."""
    return blocks(re.split(r"\n#+ ", PAGES[page].split(f"# {title}\n")[1])[0])


def run_as_program(
    folder: Path, code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> str:
    """Run an example; return its output."""
    monkeypatch.setattr(sys, "argv", ["example.py", *words])
    run_example(folder, code)
    return capsys.readouterr().out


def test_a_new_agent_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (bot, _), (trial, said) = recipe("A new agent")
    (tmp_path / "my_bot.py").write_text(bot)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        assert run_as_program(tmp_path, trial, monkeypatch, capsys) == said
    finally:
        sys.modules.pop("my_bot", None)


def test_a_table_of_a_new_variant(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    gamemanager_process: ServiceProcess,
) -> None:
    ((code, _),) = recipe("A new variant")
    without_host = code.replace('agents=["rollout"]', "agents=[]")
    assert without_host != code
    table = run_as_program(tmp_path, without_host, monkeypatch, capsys, gamemanager_process.address)
    variant = table_info(gamemanager_process.address, table.strip()).config.variant
    assert (variant.name, variant.deck, variant.pot_cap) == ("capped royal", "24", 5_000)


def test_a_network_of_ones_own_is_there_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = ROOT / "clients" / "examples" / "equity_network.py"
    monkeypatch.setattr(sys, "argv", [script.name, str(tmp_path)])
    runpy.run_path(str(script), run_name="__main__")
    folders = [ROOT / "services" / "resolver" / "trained", tmp_path]
    networks = Networks(folders, 1, Yardsticks(SHIPPED_YARDSTICKS), lambda: 0.0)
    ((network_file, reason),) = networks.shelf().by_name
    assert network_file.file == str(tmp_path / "equity.onnx")
    assert f"{network_file.name} is used by name only: {reason}" in PAGES["how-to.md"]
    assert networks.named(network_file.name) is network_file
    board = np.zeros((1, 276, FEATURES), np.float32)
    board[0, np.arange(276), np.arange(276) % 32] = 1
    ranges = np.zeros((1, 1, 2, 276), np.float32)
    ranges[0, 0, 0, 20], ranges[0, 0, 1, 3:6] = 1, 1 / 3
    values = network_file.network.values(ranges, np.ones((1, 1, 1), np.float32), board)
    assert values[0, 0, 0, 20] == pytest.approx(0.5)  # it beats the whole other range
    assert values[0, 0, 1, 3:6] == pytest.approx([-0.5] * 3)


@pytest.mark.parametrize(
    "title",
    [
        "Call the oracle from your own program",
        "Use the library without a service",
        "Describe a holding by its features",
        "Play a hand, or a match between bots",
        "Train a learner: PettingZoo and Gymnasium",
        "Read and write hands",
        "Build a public tree",
    ],
)
def test_the_library(
    title: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    oracle_process: ServiceProcess,
) -> None:
    ((code, said),) = recipe(title, "library.md")
    here = code.replace("127.0.0.1:50051", oracle_process.address).replace("processes=2", "processes=1")
    assert run_as_program(tmp_path, here, monkeypatch, capsys) == said


@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_commands_have_the_options_that_pages_give_them(page: str, line: str) -> None:
    _, name, *words = shlex.split(line.rstrip("\\"), comments=True)
    group = get_command(app)
    known = getattr(group, "commands", {})
    assert name in known, page
    command = known[name]
    if below := getattr(command, "commands", {}):
        command = below[words[0] if words and words[0] in below else "list"]
    options = {option for parameter in command.params for option in parameter.opts}
    given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert given <= options | {"--help"}, page
