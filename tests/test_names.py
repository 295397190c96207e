"""Rules for the names of modules, types and locals."""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("riverboat", "services", "clients")
TESTS = ("tests", "benchmarks")
EMPTY_WORDS = {"found", "thing", "things", "it"}  # these names do not say what a local holds

ALIAS = re.compile(r"_?[A-Z]\w*[a-z]\w*")  # constants are all capitals


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


def types_in(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the types that a file defines, each with what it means: the file for a class, the type for an alias."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name, str(path.relative_to(ROOT))
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(target, ast.Name) and ALIAS.fullmatch(target.id) and isinstance(node, ast.Assign):
            yield target.id, ast.unparse(node.value)


def test_a_type_name_means_one_thing() -> None:
    """Classes and aliases, private ones too; the same alias may stand in several files."""
    meanings = defaultdict(set)
    for path in files(*ROOMS, "benchmarks"):
        for name, meaning in types_in(path):
            meanings[name].add(meaning)
    assert not {name: places for name, places in meanings.items() if len(places) > 1}


def names_in(path: Path) -> Iterator[str]:
    """Yield the names that a file's functions bind or use: arguments and locals."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name):
            yield node.id


def test_locals_are_named_by_what_they_hold() -> None:
    empty = {
        str(path.relative_to(ROOT)): words
        for path in files(*ROOMS, *TESTS)
        if (words := EMPTY_WORDS & set(names_in(path)))
    }
    assert not empty


def test_the_code_is_there_to_be_checked() -> None:
    assert len(files(*ROOMS)) > 80
