"""The installed package: a single one, with everything in the top folders."""

import tomllib
from pathlib import Path

import pytest
from setuptools import find_packages

ROOT = Path(__file__).resolve().parent.parent
LINKED = ("protos", "services", "clients")


def packages() -> set[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return set(find_packages(str(ROOT), include=settings["tool"]["setuptools"]["packages"]["find"]["include"]))


def test_only_riverboat_is_installed() -> None:
    """A user's own folder called `clients` or `services` stays importable."""
    assert {name.partition(".")[0] for name in packages()} == {"riverboat"}


@pytest.mark.parametrize("folder", LINKED)
def test_every_folder_with_code_is_a_package(folder: str) -> None:
    expected = {
        ".".join(("riverboat", *path.parent.relative_to(ROOT).parts)) for path in (ROOT / folder).rglob("__init__.py")
    }
    assert expected
    assert expected <= packages()
    modules = {path.parent for path in (ROOT / folder).rglob("*.py") if path.parent != ROOT / "protos"}
    unmarked = {path for path in modules if not (path / "__init__.py").exists()}
    assert not {path for path in unmarked if "node_modules" not in path.parts}


@pytest.mark.parametrize("folder", LINKED)
def test_links_are_relative(folder: str) -> None:
    """So that a clone, an image or a copy elsewhere has its own."""
    assert (ROOT / "riverboat" / folder).readlink() == Path("..", folder)
