"""One way to compile: `@kernel` turns a function into machine code that runs without the GIL.

Compiled code is cached on disk. Numba alone invalidates a cached kernel when the kernel's own file
changes, but not when a file that it imports changes, and then runs old code. Here the stamp of a
cached kernel covers every riverboat file that the kernel's file imports, directly or not.
"""

import ast
import hashlib
import importlib.util
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import time_ns
from types import ModuleType
from typing import Any, TypeVar, cast

import numba
from numba.core.caching import IndexDataCacheFile

_PACKAGE = "riverboat"
F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile `function` on first call: no GIL, no Python objects, cached on disk where possible."""
    return _compile(function, fastmath=False)


def summing_kernel(function: F) -> F:
    """Compile like `kernel`, for long sums: the compiler may regroup them, so that they use vector registers."""
    return _compile(function, fastmath={"reassoc", "contract", "nsz"})


def inlined(function: F) -> F:
    """Compile `function` into each of its callers, which saves passing arrays around."""
    return cast(F, numba.njit(nogil=True, error_model="numpy", forceinline=True)(function))


def _compile(function: F, fastmath: bool | set[str]) -> F:
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", fastmath=fastmath)(function)
    try:
        dispatcher.enable_caching()
    except RuntimeError:
        return cast(F, dispatcher)  # nowhere to write a cache: compile in every process
    cache_file = dispatcher._cache._cache_file
    cache_file.__class__ = _StampedCacheFile
    cache_file.follow(Path(function.__code__.co_filename))
    return cast(F, dispatcher)


class _StampedCacheFile(IndexDataCacheFile):
    """A kernel's cache on disk. The stamp is computed when the kernel is first looked up, not on import.

    If a source file has changed since it was imported, the process neither reads nor writes machine code on disk: it
    would save old code under a new stamp.
    """

    source_path: Path
    _imported_ns: int
    _own_stamp: Any = None

    def follow(self, source_path: Path) -> None:
        """Stamp with the file at `source_path` and what it imports, as they are now."""
        self.source_path, self._imported_ns = source_path, time_ns()

    @property
    def _source_stamp(self) -> Any:
        return self._own_stamp, source_stamp(self.source_path)

    @_source_stamp.setter
    def _source_stamp(self, stamp: Any) -> None:
        self._own_stamp = stamp

    def _load_index(self) -> Any:
        """Return what the cache has; nothing if it was written by code that had classes which are gone now."""
        try:
            return super()._load_index()  # type: ignore[no-untyped-call]
        except (AttributeError, ImportError):  # signatures name classes, and are read before stamps are compared
            return {}

    def load(self, key: Any) -> Any:
        """Return the machine code for a signature; None if there is none for these sources."""
        return None if self._sources_changed() else super().load(key)  # type: ignore[no-untyped-call]

    def save(self, key: Any, data: Any) -> None:
        """Write the machine code for a signature, unless sources have changed since they were imported."""
        if not self._sources_changed():
            super().save(key, data)  # type: ignore[no-untyped-call]

    def _sources_changed(self) -> bool:
        return any(file.stat().st_mtime_ns > self._imported_ns for file in source_files(self.source_path))


def source_stamp(path: Path) -> str:
    """Return a hash of the file at `path` and of every riverboat file that it imports, directly or not."""
    digest = hashlib.sha256()
    for file in source_files(path):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def source_files(path: Path) -> list[Path]:
    """Return the file at `path` and every riverboat file that it imports, directly or not, sorted."""
    seen: set[Path] = set()
    waiting = [path.resolve()]
    while waiting:
        file = waiting.pop()
        if file not in seen:
            seen.add(file)
            waiting.extend(_imported_files(file))
    return sorted(seen)


@cache
def _imported_files(path: Path) -> tuple[Path, ...]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.append(node.module)
            names.extend(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
    return tuple(file for name in names if name.partition(".")[0] == _PACKAGE for file in _file_of(name))


def _file_of(module: str) -> tuple[Path, ...]:
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        return ()  # the name of a function or constant, not of a module
    return (Path(spec.origin).resolve(),) if spec and spec.origin else ()


def cache_folder(compiled: Any) -> Path | None:
    """Return the folder with the machine code of a kernel; None if there is nowhere to write it."""
    path = getattr(getattr(compiled, "_cache", None), "cache_path", None)
    return Path(path) if path else None


def kernels_in(module: ModuleType) -> list[Any]:
    """Return a module's kernels that can be cached."""
    return [value for value in vars(module).values() if cache_folder(value)]


def must_compile(module: ModuleType) -> bool:
    """Return whether a process that uses a module's kernels has to compile them first."""
    return not any(map(is_compiled, kernels_in(module)))


def is_compiled(compiled: Any) -> bool:
    """Return whether current machine code of a kernel is on disk."""
    return cache_folder(compiled) is not None and bool(compiled._cache._cache_file._load_index())
