"""This machine: cores, memory, compiled kernels, folders, terminal, docker."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from rich.console import Console

from riverboat.clients.console.doctor.diagnosis import Diagnosis, broken, improvable, optional, working
from riverboat.clients.console.doctor.packages import EVERYTHING
from riverboat.compiled.kernels import cache_folder, kernels_in, must_compile
from riverboat.rules import betting
from riverboat.solving import traversal
from riverboat.strength import evaluation

_MEMORY = 2_000_000_000  # bytes that a resolver may take for spots
_COLUMNS, _LINES = 80, 24
_SIGNS = "━·×…"
_LONGEST_SOCKET = 107  # bytes of a socket's path that Linux allows
_SOCKET = "/riverboat-12345678/g.sock"
_DOCKER_SECONDS = 10
_KERNELS = {"cards": evaluation, "rules": betting, "solving": traversal}


def check_cores() -> Diagnosis:
    """Count the cores that we may use."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if count > 1:
        return working("cores", f"{count}")
    return improvable("cores", "1: solving and agents take turns", "use a machine with two or more")


def check_memory() -> Diagnosis:
    """Check the free memory."""
    free = _free_memory()
    if free is None:
        return working("memory", "the amount free is unknown on this system")
    if free >= _MEMORY:
        return working("memory", f"{free / 1e9:.1f} GB free")
    remedy = "close other programs, or limit the resolver with RIVERBOAT_RESOLVER_MEMORY_MEGABYTES"
    return improvable("memory", f"{free / 1e9:.1f} GB free; a resolver takes up to {_MEMORY / 1e9:.0f} GB", remedy)


def _free_memory() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
    except (OSError, ValueError, IndexError):
        pass
    return None


def check_kernels() -> Iterator[Diagnosis]:
    """Check that kernels are compiled, and can be cached."""
    kernels = {part: kernels_in(module) for part, module in _KERNELS.items()}
    uncached = [part for part, cached in kernels.items() if not cached]
    if uncached:
        remedy = "set NUMBA_CACHE_DIR to a writable folder"
        yield improvable("kernels", f"no cache folder for {', '.join(uncached)}: every start compiles them", remedy)
    folders = {str(cache_folder(cached[0])) for cached in kernels.values() if cached}
    if folders and not all(os.access(folder, os.W_OK) for folder in folders):
        remedy = f"chmod u+w {os.path.commonpath(folders)}, or set NUMBA_CACHE_DIR"
        yield improvable("kernels", "their cache folder is not writable", remedy)
    missing = [part for part, module in _KERNELS.items() if part not in uncached and must_compile(module)]
    if missing:
        remedy = "riverboat demo compiles them, in about a minute"
        yield improvable("kernels", f"not compiled yet for {', '.join(missing)}", remedy)
    if not uncached and not missing:
        yield working("kernels", f"compiled, in {os.path.commonpath(folders)}")


def check_folders() -> Iterator[Diagnosis]:
    """Check the folders for sockets, journals and samples."""
    temporary = tempfile.gettempdir()
    if len((temporary + _SOCKET).encode()) > _LONGEST_SOCKET:
        says = f"the path {temporary} is too long for sockets"
        yield broken("temporary folder", says, "set TMPDIR to a shorter path", EVERYTHING)
    else:
        yield working("temporary folder", temporary)
    for name, about, finding in (
        (".riverboat", "journal folder", partial(broken, commands=("up",))),
        ("riverboat-data", "training folder", partial(optional, commands=("train", "runs"))),
    ):
        yield _check_folder(Path(name).absolute(), about, finding)


def _check_folder(folder: Path, about: str, finding: Callable[[str, str, str], Diagnosis]) -> Diagnosis:
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    if existing.is_dir() and os.access(existing, os.W_OK | os.X_OK):
        return working(about, f"{folder} is writable")
    remedy = "run the command in a folder of yours, or name one with --folder"
    return finding(about, f"{folder} is not writable", remedy)


def check_terminal(console: Console) -> Diagnosis:
    """Check that tables can be drawn."""
    encoding = sys.stdout.encoding or "ascii"
    if not _has_signs(encoding):
        remedy = "export LANG=C.UTF-8 or PYTHONUTF8=1"
        return improvable(
            "terminal", f"its encoding {encoding} lacks signs like ━: question marks replace them", remedy
        )
    if not console.is_terminal:
        return working("terminal", "none (commands print plain lines)")
    columns, lines = console.size
    if columns < _COLUMNS or lines < _LINES:
        says = f"{columns} × {lines}; a table needs {_COLUMNS} × {_LINES}"
        return improvable("terminal", says, "enlarge the window")
    if console.color_system is None:
        return improvable("terminal", f"{columns} × {lines}, no colours", "unset NO_COLOR, or set TERM=xterm-256color")
    return working("terminal", f"{columns} × {lines}, {console.color_system} colours, {encoding}")


def _has_signs(encoding: str) -> bool:
    try:
        _SIGNS.encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def check_docker() -> Diagnosis:
    """Check whether make up can use containers."""
    remedy = "not needed: make up and riverboat up start processes instead"
    docker = shutil.which("docker")
    if docker is None:
        return improvable("docker compose", "docker is not installed", remedy)
    for words, says in ((["compose", "version"], "this docker lacks compose"), (["info"], "docker is not running")):
        try:
            result = subprocess.run([docker, *words], capture_output=True, timeout=_DOCKER_SECONDS, check=False)  # noqa: S603  # the path that shutil.which returned
        except (OSError, subprocess.TimeoutExpired):
            return improvable("docker compose", "docker does not answer", remedy)
        if result.returncode:
            return improvable("docker compose", says, remedy)
    return working("docker compose", "available: make up, or docker compose up")
