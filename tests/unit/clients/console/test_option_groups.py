"""A dataclass as a group of options."""

from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from riverboat.clients.console.option_groups import with_option_groups


@dataclass(frozen=True, slots=True)
class Size:
    """Two options."""

    width: Annotated[int, typer.Option("--width", min=1, help="Width in columns.")] = 80
    is_tall: Annotated[bool, typer.Option("--tall", help="Make it tall.")] = False


def draw(name: str, size: Size = Size(), times: int = 1) -> None:  # noqa: B008  # frozen
    """Draw something."""
    print(name, size, times)


def run(*words: str) -> str:
    app = typer.Typer()
    app.command()(with_option_groups(draw))
    return CliRunner().invoke(app, words).output


def test_a_group_is_received_as_one_value() -> None:
    assert run("x", "--width", "5", "--times", "2").strip() == f"x {Size(5)} 2"
    assert run("x", "--tall").strip() == f"x {Size(is_tall=True)} 1"


def test_its_options_are_ordinary_ones() -> None:
    text = run("--help")
    assert text.index("--width") < text.index("--tall") < text.index("--times")
    assert "Width in columns." in text
    assert "Invalid value" in run("x", "--width", "0")
