"""Names of modules, classes and locals."""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("riverboat", "services", "clients")
TESTS = ("tests", "benchmarks")
EMPTY_WORDS = {"found", "thing", "it"}  # these names do not say what a local holds


def files(*places: str) -> list[Path]:
    """Return the Python files in some folders, without generated code."""
    paths = [
        path
        for place in places
        for path in ((ROOT / place).rglob("*.py") if (ROOT / place).is_dir() else [ROOT / place])
    ]
    return sorted(path for path in paths if "_pb2" not in path.name)


def test_no_module_shares_a_name_with_the_standard_library() -> None:
    shared = [path for path in files(*ROOMS) if {path.stem, path.parent.name} & sys.stdlib_module_names]
    assert not shared, shared


def test_a_class_name_means_one_thing() -> None:
    """Private classes may share a name, because no module uses two of them."""
    homes = defaultdict(set)
    for path in files(*ROOMS):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].add(str(path.relative_to(ROOT)))
    assert not {name: paths for name, paths in homes.items() if len(paths) > 1}


def assigned(path: Path) -> Iterator[str]:
    """Yield the names that a file's functions bind: arguments and locals."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def test_locals_are_named_by_what_they_hold() -> None:
    empty = {
        str(path.relative_to(ROOT)): words
        for path in files(*ROOMS, *TESTS)
        if (words := EMPTY_WORDS & set(assigned(path)))
    }
    assert not empty


def test_there_is_something_to_look_at() -> None:
    assert len(files(*ROOMS)) > 80
