"""Our own source files, for tests of the whole tree."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINKED = ("protos", "services", "clients")  # folders that are imported as riverboat.protos and so on


def sources(*folders: str) -> list[Path]:
    """Return our own Python files below some folders, without generated code and without links."""
    files = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    linked = [ROOT / "riverboat" / name for name in LINKED]
    return sorted(
        path for path in files if "_pb2" not in path.name and not any(path.is_relative_to(link) for link in linked)
    )


@cache
def tree(path: Path) -> ast.Module:
    """Return a file's syntax tree."""
    return ast.parse(path.read_text())


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Return the full names of all modules that a file imports, at any depth."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{place(path)}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def top(name: str) -> str:
    return name.partition(".")[0]


def place(path: Path) -> str:
    return str(path.relative_to(ROOT))


def calls_in(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield what a file calls, as written, with the keywords it gives."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), {word.arg: ast.unparse(word.value) for word in node.keywords if word.arg}
