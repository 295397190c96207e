"""Our own source files, for tests of the whole tree."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_IMPORTERS = ("import_module", "__import__")
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
    return tuple(imports_in(tree(path)))


def imports_in(module: ast.Module) -> Iterator[str]:
    """Yield the full names of what a syntax tree imports, also by importlib with a name in quotes."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"from {'.' * node.level}{node.module or ''}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(_IMPORTERS) and node.args:
            yield _first_words(node.args[0])


def _first_words(name: ast.expr) -> str:
    """Return a name in quotes; of one with parts to fill in, the text before them; otherwise no module's name."""
    first = name.values[0] if isinstance(name, ast.JoinedStr) and name.values else name
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        return first.value.rstrip(".")
    return f"import_module({ast.unparse(name)})"


def aliases_in(module: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each module that is imported under another name, and that name."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from ((alias.name, alias.asname) for alias in node.names if alias.asname)


def top(name: str) -> str:
    return name.partition(".")[0]


def place(path: Path) -> str:
    return str(path.relative_to(ROOT))


def calls_in(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield what a file calls, as written, with the keywords it gives."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), {word.arg: ast.unparse(word.value) for word in node.keywords if word.arg}
