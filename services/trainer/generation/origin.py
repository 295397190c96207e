"""The origin of samples: a hash of the code, and one of the network that supplied values for their labels.

A shard is reused only if both are the same. The code is the syntax trees of everything that sampling, solving and
packing a job import: comments, docstrings and formatting do not count, nor do files that samples do not depend on.
Versions of libraries are left out; requirements/constraints.txt pins them.
"""

import ast
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from riverboat.compiled.kernels import source_files

_ROOTS = ("jobs.py", "network_labels.py")  # the work on a job, and labels through a network
_LEFT_OUT = ("errors.py",)  # imported by everything; no number in a sample depends on it
_REDUNDANT = ("ctx", "kind", "type_comment")  # fields of syntax trees that follow from others, or change nothing
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Origin:
    """The code and the network that made samples."""

    code: str
    network: str = ""  # SHA-256 of its file; empty if the labels are exact


@cache
def code_hash() -> str:
    """Return the hash of the code that makes samples, as it was at the first call.

    Call this at the start of a process: files may change while it runs, but not the code that it runs.
    """
    roots = [Path(__file__).with_name(name) for name in _ROOTS]
    return hash_of_files([file for root in roots for file in source_files(root)])


def hash_of_files(files: list[Path]) -> str:
    """Return a hash of the files' names and syntax trees; their folders do not count."""
    parts = {(file.name, syntax_text(file.read_text(encoding="utf-8"))) for file in files if file.name not in _LEFT_OUT}
    digest = hashlib.sha256()
    for name, text in sorted(parts):
        digest.update(f"{name} {len(text)} {text}".encode())
    return digest.hexdigest()[:_DIGITS]


def syntax_text(source: str) -> str:
    """Return the syntax tree of a source file as text, without docstrings; the same in Python 3.11, 3.12 and 3.13."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        match node:
            case ast.Module(body=body) | ast.ClassDef(body=body) | ast.FunctionDef(body=body):
                if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
                    del body[0]
    return _text(tree)


def _text(node: Any) -> str:
    if isinstance(node, list):
        return "[" + ",".join(map(_text, node)) + "]"
    if not isinstance(node, ast.AST):
        return repr(node)
    # Newer versions of Python add empty fields to all nodes, and empty strings to f-strings. Both are left out.
    if isinstance(node, ast.JoinedStr):
        node.values = [part for part in node.values if not (isinstance(part, ast.Constant) and part.value == "")]
    fields = [(name, value) for name, value in ast.iter_fields(node) if value is not None and value != []]
    inner = ",".join(f"{name}={_text(value)}" for name, value in fields if name not in _REDUNDANT)
    return f"{type(node).__name__}({inner})"
