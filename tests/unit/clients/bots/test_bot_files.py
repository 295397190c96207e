"""Bots from files: the only class, or a line that says what is wrong."""

from pathlib import Path

import numpy as np
import pytest

from riverboat.arena.bot import MakeBot
from riverboat.arena.bots import CallBot
from riverboat.arena.match import Match, play_match
from riverboat.clients.bots.bot_files import CannotLoad, load_bot
from riverboat.rules.variant import no_limit
from tests.processes import ROOT

HEAD = "from riverboat.clients.bots import Bot, CALL\n"
ONE = "class One(Bot):\n    def act(self, view):\n        return CALL\n"
TWO = "class Two(One):\n    pass\n"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "my_bot.py"
    path.write_text(text)
    return path


def test_the_one_bot_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text("FOLD = -1\n")
    path = written(tmp_path, HEAD + "from riverboat.arena.bots import FoldBot\nimport neighbour\n" + ONE)
    assert load_bot(path).__name__ == "One"
    assert load_bot(path, "One").__name__ == "One"
    assert load_bot(written(tmp_path, HEAD + ONE + TWO), "Two").__name__ == "Two"


def test_the_example_plays_in_the_arena() -> None:
    """The same class, without a change."""
    bots: dict[str, MakeBot] = {"example": load_bot(ROOT / "clients/examples/ten_lines.py"), "call": CallBot}
    assert play_match(Match(no_limit(50, 100), [5000] * 2, bots, np.random.default_rng(1)), 20).hand_count == 40


@pytest.mark.parametrize(
    ("text", "class_name", "reason"),
    [
        ("x = 1\n", None, r"my_bot.py: contains no bot; write class MyBot\(Bot\)"),
        (HEAD, None, "contains no bot"),
        (HEAD + ONE + TWO, None, r"contains several bots, One and Two; choose one with --class"),
        (HEAD + ONE, "Three", "no bot is called 'Three'; it contains One"),
        (HEAD + "class Lazy(Bot):\n    pass\n", None, "Lazy has no method act"),
        ("x = = 1\n", None, "my_bot.py:1: SyntaxError"),
        ("x = 1\n\ny = x / 0\n", None, "my_bot.py:3: ZeroDivisionError: division by zero"),
        ("import no_such_module\n", None, "my_bot.py:1: ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit(3)\n", None, "my_bot.py:1: SystemExit: 3"),
        ("raise ValueError('two\\nlines')\n", None, "my_bot.py:1: ValueError: two lines"),
    ],
)
def test_files_without_a_bot(tmp_path: Path, text: str, class_name: str | None, reason: str) -> None:
    with pytest.raises(CannotLoad, match=reason.replace(".py", r"\.py")) as caught:
        load_bot(written(tmp_path, text), class_name)
    assert "\n" not in str(caught.value)


def test_no_file_and_no_python(tmp_path: Path) -> None:
    with pytest.raises(CannotLoad, match="No such file or directory"):
        load_bot(tmp_path / "none.py")
    (tmp_path / "bot.txt").write_text("hello")
    with pytest.raises(CannotLoad, match="not a Python file"):
        load_bot(tmp_path / "bot.txt")
    with pytest.raises(CannotLoad, match="No such file or directory"):
        load_bot(tmp_path)
