"""Examples for Node, installed from their package.json alone."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.processes import ROOT

NEEDS_NODE = pytest.mark.skipif(
    not (shutil.which("node") and shutil.which("npm")), reason="Node is not installed on this machine"
)
# npm's errors when it cannot reach the registry, which is not a fault of the examples.
NO_REGISTRY = ("SELF_SIGNED_CERT", "ENOTFOUND", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EAI_AGAIN")


def install_example(name: str, folder: Path) -> None:
    """Copy clients/examples/<name> into a folder, and install its packages."""
    source = ROOT / "clients" / "examples" / name
    shutil.copytree(source, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules"))
    words = ["npm", "ci", "--prefix", str(folder), "--no-audit", "--no-fund", "--ignore-scripts"]
    completed = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    if completed.returncode and any(reason in completed.stderr for reason in NO_REGISTRY):
        pytest.skip(f"npm cannot reach its registry: {completed.stderr.splitlines()[0]}")
    assert completed.returncode == 0, completed.stderr
