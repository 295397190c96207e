"""The --help of commands, and what the parser refuses, in our words."""

import re
import shlex

import pytest
import typer
from typer.testing import CliRunner

from riverboat.clients.console.app import app
from riverboat.clients.console.help_pages import ranges_in_words
from tests.launching.launch import run_module

COMMANDS = list(getattr(typer.main.get_command(app), "commands", {}))


def help_of(name: str) -> str:
    return CliRunner().invoke(app, [name, "--help"], prog_name="riverboat", terminal_width=78).output


@pytest.mark.parametrize("name", COMMANDS)
def test_arguments_have_no_types_and_ranges_are_words(name: str) -> None:
    text = help_of(name)
    assert not re.search(r"[<>{}]", text)
    usage = text.splitlines()[0].split()[3:]
    assert all(re.fullmatch(r"\[?[A-Z]+\]?(\.\.\.)?", word) for word in usage), usage


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_can_be_copied(name: str) -> None:
    section = re.search(r"^Examples?:\n((?:  .*\n)+)", help_of(name), re.MULTILINE)
    assert section, "a command needs an example"
    for example in section[1].replace("\\\n", "").splitlines():
        words = shlex.split(example)
        assert words[:2] == ["riverboat", name]
        command = getattr(typer.main.get_command(app), "commands", {})[name]
        command.make_context(name, words[2:])  # raises if it does not parse


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Hands.  [default: 5; 1<=x<=1000]", "Hands.  [default: 5; 1 to 1,000]"),
        ("Seats.  [2<=x<=10]", "Seats.  [2 to 10]"),
        ("Clock.  [0.1<=x<=3600]", "Clock.  [0.1 to 3,600]"),
        ("Seed.  [default: 0; 0<=x<=18446744073709551615]", "Seed.  [default: 0]"),
        ("Seed.  [0<=x<=18446744073709551615]", "Seed."),
        ("Deals.  [x>=2; required]", "Deals.  [at least 2; required]"),
        ("Epochs.  [x>=1; required]", "Epochs.  [required]"),
    ],
)
def test_ranges_in_words(text: str, shown: str) -> None:
    assert ranges_in_words(text) == shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["replay"], "FILE is missing; see riverboat replay --help"),
        (["deal", "--player", "3"], "no option is called --player; did you mean --players?"),
        (["deal", "-x"], "no option is called -x; see riverboat deal --help"),
        (["doctor", "a", "b"], "too many arguments: a b; see riverboat doctor --help"),
        (["deal", "--players", "x"], "--players: must be a whole number"),
        (["deal", "--players", "-1"], "--players: must be at least 0"),
        (["watch", "--pace", "61"], "--pace: must be at most 60"),
        (["deal", "--seed"], "--seed: needs a value"),
        (["status", "--folder", __file__], f"--folder: '{__file__}' is a file, not a folder"),
        (["play", "--limit", "half"], "--limit: 'half' must be one of 'no', 'pot', 'fixed'"),
    ],
)
def test_what_the_parser_refuses_is_said_in_our_words(words: list[str], message: str) -> None:
    completed = run_module("riverboat.clients.console.app", *words)
    assert completed.returncode == 2
    assert completed.stderr == f"riverboat: {message}\n"
