"""Cached machine code is never older than its sources."""

import subprocess
import sys
from pathlib import Path

import riverboat.compiled.kernels

ROOT = Path(riverboat.compiled.kernels.__file__).parent


_KERNEL = """
from riverboat.compiled.kernels import kernel
from riverboat.{imported} import value as inner

@kernel
def value() -> int:
    return inner()
"""

_CONSTANT = """
from riverboat.compiled.kernels import kernel

@kernel
def value() -> int:
    return {answer}
"""

_CLASS = """
from typing import NamedTuple
from riverboat.compiled.kernels import kernel

class {name}(NamedTuple):
    left: int
    right: int

@kernel
def add(pair):
    return pair.left + pair.right

print(add({name}(40, 2)))
"""


def test_a_change_in_an_imported_file_is_noticed(tmp_path: Path) -> None:
    """With numba alone this prints 1 both times: its cache checks the kernel's own file only."""
    package = tmp_path / "riverboat"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "compiled").mkdir()
    (package / "compiled" / "__init__.py").touch()
    (package / "compiled" / "kernels.py").write_text((ROOT / "kernels.py").read_text())
    (package / "a.py").write_text(_KERNEL.format(imported="b"))
    (package / "b.py").write_text(_KERNEL.format(imported="c"))
    for answer in ("1", "2"):
        (package / "c.py").write_text(_CONSTANT.format(answer=answer))
        process = subprocess.run(
            [sys.executable, "-c", "import riverboat.a; print(riverboat.a.value())"],
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert process.stdout.strip() == answer
    assert list(package.glob("__pycache__/*.nbc")), "nothing was cached at all"


def test_without_a_place_for_a_cache_kernels_still_work(tmp_path: Path) -> None:
    """A read-only installation and no home: every process compiles for itself."""
    program = """
import riverboat.compiled.kernels
from numba.core import caching
caching.FunctionCache._impl_class._locator_classes = []
@riverboat.compiled.kernels.kernel
def f(x):
    return x + 1
print(f(1))
"""
    process = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT.parent, check=True
    )
    assert process.stdout.strip() == "2"


def test_a_cache_that_names_a_class_which_is_gone_is_not_read(tmp_path: Path) -> None:
    """Signatures in a cache name the classes of arguments, and numba reads them before it compares stamps."""
    for name in ("Pair", "Two"):
        (tmp_path / "pairs.py").write_text(_CLASS.format(name=name))
        command = [sys.executable, "-c", "import pairs"]
        process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (process.returncode, process.stdout.strip()) == (0, "42"), process.stderr
    assert list(tmp_path.glob("__pycache__/pairs.add*.nbc")), "nothing was cached at all"
