"""Examples of bots in the docs: they run, print what the page says, and match clients/examples."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from riverboat.arena.bot import MakeBot
from riverboat.arena.bots import CallBot
from riverboat.arena.match import Match, play_match
from riverboat.clients.bots.bot_files import load_bot
from riverboat.rules.variant import no_limit
from tests.processes import ROOT

BOTS, HOW_TO = ((ROOT / "docs" / name).read_text() for name in ("bots.md", "how-to.md"))
EXAMPLES = ROOT / "clients" / "examples"


def blocks(text: str) -> list[tuple[str, str | None]]:
    """Return Python examples, each with the output that follows it on the page."""
    blocks = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", text, re.DOTALL)
    return [(code, output or None) for code, output in blocks]


def run_example(folder: Path, code: str) -> Path:
    """Run an example as a program; return its file."""
    path = folder / "example.py"
    path.write_text(code)
    runpy.run_path(str(path), run_name="__main__")
    return path


@pytest.mark.parametrize(
    ("code", "output"), [pytest.param(*block, id=f"bots.md {i}") for i, block in enumerate(blocks(BOTS))]
)
def test_examples_run(
    tmp_path: Path, code: str, output: str | None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["example.py"])
    path = run_example(tmp_path, code.replace("processes=2", "processes=1"))
    if output is not None:
        assert capsys.readouterr().out == output
    if "class " in code and "play_match" not in code:  # a file for `riverboat bot`
        bots: dict[str, MakeBot] = {"example": load_bot(path), "call": CallBot}
        play_match(Match(no_limit(50, 100), [5000] * 2, bots, np.random.default_rng(1)), 5)


@pytest.mark.parametrize(
    ("page", "file", "first"),
    [
        (BOTS, "ten_lines.py", "from riverboat.clients.bots"),
        (HOW_TO, "ten_lines.py", "from riverboat.clients.bots"),
        (HOW_TO, "plain_grpc.py", "import sys"),
        (HOW_TO, "javascript/ten_lines.js", "const [grpc"),
    ],
)
def test_examples_are_those_that_scenarios_run(page: str, file: str, first: str) -> None:
    text = (EXAMPLES / file).read_text()
    assert text[text.index(first) :] in page


@pytest.mark.parametrize("code", [code for code, _ in blocks(HOW_TO)])
def test_examples_that_readers_save_in_the_clone_are_sorted_as_lint_wants(code: str) -> None:
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "I", "--line-length", "120"]
    own = 'lint.isort.known-first-party=["riverboat", "my_bot"]'
    done = subprocess.run([*ruff, "--config", own, "-"], input=code, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
