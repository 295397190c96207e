"""riverboat train: settings of runs in rounds, refused before a trainer starts."""

import pytest

from riverboat.clients.console.commands import train
from tests.commands import run_command


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["evolution", "--deck", "52"], "--deck: only for value networks; evolution takes NAME=VALUE"),
        (["evolution", "--epochs", "3"], "--epochs: only for value networks"),
        (["evolution", "generations"], "'generations': write NAME=VALUE, like seed=1"),
        (["evolution", "=3"], "'': write NAME=VALUE, like seed=1"),
    ],
)
def test_wrong_settings_are_one_line(words: list[str], line: str) -> None:
    code, text = run_command([train], "train", *words)
    assert code == 2
    assert line in text
    assert len(text.strip().splitlines()) == 1


def test_a_picture_that_cannot_be_drawn_is_refused_before_the_run() -> None:
    for file, line in (("run.txt", "--picture: run.txt must end in .png or .svg"), ("none/run.png", "no folder none")):
        code, text = run_command([train], "train", "evolution", "--picture", file)
        assert (code, line in text) == (2, True)
