"""Whether this machine is fit: cores, memory, compiled kernels, folders, terminal, docker."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from rich.console import Console

from riverboat.clients.console.doctor.finding import Finding, better, broken, optional, works
from riverboat.clients.console.doctor.packages import EVERYTHING
from riverboat.compiled.kernels import cache_folder, is_compiled
from riverboat.rules import betting
from riverboat.solving import traverse
from riverboat.strength import evaluation

_MEMORY = 2_000_000_000  # bytes: what a resolver may take for spots
_COLUMNS, _LINES = 80, 24
_SIGNS = "━·×…"
_LONGEST_SOCKET = 107  # bytes of a socket's name, which Linux allows
_SOCKET = "/riverboat-12345678/gamemanager.sock"
_DOCKER_SECONDS = 10
_KERNELS = {"cards": evaluation, "rules": betting, "solving": traverse}


def check_cores() -> Finding:
    """How many cores we may use."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if count > 1:
        return works("cores", f"{count}")
    return better("cores", "one: solving and agents take turns", "a machine with two or more is twice as quick")


def check_memory() -> Finding:
    """How much is free."""
    free = _free_memory()
    if free is None:
        return works("memory", "how much is free is not known here")
    if free >= _MEMORY:
        return works("memory", f"{free / 1e9:.1f} GB free")
    mend = "end something, or RIVERBOAT_RESOLVER_MEMORY_MEGABYTES keeps the resolver small"
    return better("memory", f"{free / 1e9:.1f} GB free, and a resolver takes up to {_MEMORY / 1e9:.0f}", mend)


def _free_memory() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
    except (OSError, ValueError, IndexError):
        pass
    return None


def check_kernels() -> Iterator[Finding]:
    """Whether kernels are compiled, and can be kept."""
    kernels = {
        part: [value for value in vars(module).values() if cache_folder(value)] for part, module in _KERNELS.items()
    }
    homeless = [part for part, found in kernels.items() if not found]
    if homeless:
        mend = "set NUMBA_CACHE_DIR to a folder that can be written to"
        yield better("kernels", f"nowhere to keep those for {', '.join(homeless)}: every start compiles them", mend)
    folders = {str(cache_folder(found[0])) for found in kernels.values() if found}
    if folders and not all(os.access(folder, os.W_OK) for folder in folders):
        mend = f"chmod u+w {os.path.commonpath(folders)}, or set NUMBA_CACHE_DIR"
        yield better("kernels", "their folder cannot be written to", mend)
    missing = [part for part, found in kernels.items() if found and not any(map(is_compiled, found))]
    if missing:
        mend = "the first riverboat demo does it, in about a minute"
        yield better("kernels", f"not compiled yet for {', '.join(missing)}", mend)
    if not homeless and not missing:
        yield works("kernels", f"compiled, in {os.path.commonpath(folders)}")


def check_folders() -> Iterator[Finding]:
    """Where sockets, journals and samples go."""
    temporary = tempfile.gettempdir()
    if len((temporary + _SOCKET).encode()) > _LONGEST_SOCKET:
        says = f"the name of {temporary} is too long for sockets"
        yield broken("temporary folder", says, "set TMPDIR to a shorter one", EVERYTHING)
    else:
        yield works("temporary folder", temporary)
    for name, about, finding in (
        (".riverboat", "journal folder", partial(broken, commands=("up",))),
        ("riverboat-data", "folder for training", partial(optional, commands=("train", "runs"))),
    ):
        yield _check_folder(Path(name).absolute(), about, finding)


def _check_folder(folder: Path, about: str, finding: Callable[[str, str, str], Finding]) -> Finding:
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    if existing.is_dir() and os.access(existing, os.W_OK | os.X_OK):
        return works(about, f"{folder} can be written to")
    mend = "go to a folder of yours, or name one with --folder"
    return finding(about, f"{folder} cannot be written to", mend)


def check_terminal(console: Console) -> Finding:
    """Whether tables can be drawn."""
    encoding = sys.stdout.encoding or "ascii"
    if not _has_signs(encoding):
        mend = "export LANG=C.UTF-8 or PYTHONUTF8=1"
        return better("terminal", f"its encoding {encoding} has no signs like ♥: they are question marks", mend)
    if not console.is_terminal:
        return works("terminal", "none: commands print plain lines")
    columns, lines = console.size
    if columns < _COLUMNS or lines < _LINES:
        says = f"{columns} × {lines}, and a table takes {_COLUMNS} × {_LINES}"
        return better("terminal", says, "make its window larger")
    if console.color_system is None:
        return better("terminal", f"{columns} × {lines}, without colours", "unset NO_COLOR, or set TERM=xterm-256color")
    return works("terminal", f"{columns} × {lines}, {console.color_system} colours, {encoding}")


def _has_signs(encoding: str) -> bool:
    try:
        _SIGNS.encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def check_docker() -> Finding:
    """Whether make up can use containers."""
    mend = "nothing to do: make up and riverboat up start processes instead"
    docker = shutil.which("docker")
    if docker is None:
        return better("docker compose", "docker is not installed", mend)
    for words, says in ((["compose", "version"], "this docker has no compose"), (["info"], "docker does not run")):
        try:
            found = subprocess.run([docker, *words], capture_output=True, timeout=_DOCKER_SECONDS, check=False)  # noqa: S603  # it was looked for
        except (OSError, subprocess.TimeoutExpired):
            return better("docker compose", "docker does not answer", mend)
        if found.returncode:
            return better("docker compose", says, mend)
    return works("docker compose", "can be used: make up, or docker compose up")
