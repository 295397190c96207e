"""The first screen and the sections of --help."""

import io
import shlex
import subprocess
import sys

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from riverboat.clients.console.app import app
from riverboat.clients.console.catalogue import GROUPS, LISTED, CommandGroup
from riverboat.clients.console.groups import print_welcome

COMMAND = typer.main.get_command(app)


def command_names() -> list[str]:
    return list(getattr(COMMAND, "commands", {}))


def test_every_command_is_in_one_group() -> None:
    assert sorted(command_names()) == sorted(name for group in GROUPS for name in group.commands)


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.title)
def test_examples_are_commands_with_options_that_exist(group: CommandGroup) -> None:
    name, *words = shlex.split(group.example)
    assert name in group.commands
    command = getattr(COMMAND, "commands", {})[name]
    command.make_context(name, words)  # raises if it does not parse


def test_the_first_screen_fits_a_terminal() -> None:
    text = io.StringIO()
    print_welcome(Console(file=text, width=80, highlight=False))
    lines = text.getvalue().splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    for group in GROUPS:
        assert any(line.startswith(group.title) for line in lines)
        assert any(f"riverboat {group.example}" in line for line in lines)


def test_help_has_a_section_for_each_group_and_all_commands() -> None:
    completed = CliRunner().invoke(app, ["--help"])
    lines = completed.output.splitlines()
    assert [line for line in lines if line in {f"{group.title}:" for group in GROUPS}] == [
        f"{group.title}:" for group in GROUPS
    ]
    assert "More:" not in lines
    for name in command_names():
        assert any(line.split()[:1] == [name] for line in lines), name


@pytest.mark.parametrize("name", command_names())
def test_the_list_of_commands_says_what_their_help_says(name: str) -> None:
    command = getattr(COMMAND, "commands", {})[name]
    assert LISTED[name].summary == command.get_short_help_str(1000)


@pytest.mark.parametrize("words", [["--help"], [], ["--version"]])
def test_a_list_of_commands_loads_none_of_them(words: list[str]) -> None:
    program = """
import sys
from riverboat.clients.console.app import main
try:
    main()
finally:
    print(*(name for name in sys.modules if name == "numba" or ".console.commands." in name), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=True)
    assert done.stdout
    assert done.stderr.split() == []
