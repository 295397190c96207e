"""An import into a store of hands that is killed in the middle, and goes on."""

import re
import time
from pathlib import Path

import pytest

from tests.launching.launch import run_module, start_module

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "pluribus-5000.phhs"
_HEADER = re.compile(r"^\[(\d+)\]$", re.MULTILINE)
_CONSOLE = "riverboat.clients.console.app"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_killed_import_goes_on_where_it_was(tmp_path: Path) -> None:
    text = GOLDEN.read_text()
    hands, killed, whole = tmp_path / "hands.phhs", tmp_path / "killed", tmp_path / "whole"
    with hands.open("w") as file:
        for copy in range(12):  # four parts
            file.write(_HEADER.sub(rf"[{copy}-\1]", text) + "\n")
    process = start_module(_CONSOLE, "hands", "import", str(hands), "--store", str(killed))
    try:
        while process.poll() is None and not list(killed.glob("*/*.safetensors")):
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    for store in (killed, whole):
        ended = run_module(_CONSOLE, "hands", "import", str(hands), "--store", str(store))
        assert (ended.returncode, ended.stdout.splitlines()[0][:26]) == (0, "hands.phhs: 60,000 hands"[:26])
    assert contents(killed) == contents(whole)
    ended = run_module(_CONSOLE, "players", str(killed), "--min-hands", "1000", "--json")
    assert ended.returncode == 0
    assert '"hands": 60000' in ended.stdout  # Pluribus was in every hand
