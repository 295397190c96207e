"""The generated code matches the contracts, and the contracts keep their style."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / ".venv" / "proto-tools" / "bin"


def test_generated_code_is_current(tmp_path: Path) -> None:
    """`make protos` would change nothing."""
    assert TOOLS.is_dir(), "make installs the generator; run make test, or make protos"
    subprocess.run(
        [TOOLS / "python", ROOT / "protos" / "generate.py", tmp_path],
        env={"PATH": f"{TOOLS}:/usr/bin:/bin"}, cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    fresh = {path.relative_to(tmp_path): path.read_text() for path in tmp_path.rglob("*_pb2*.py*")}
    assert len(fresh) >= 4
    committed = {path.relative_to(ROOT): path.read_text() for path in (ROOT / "protos").rglob("*_pb2*.py*")
                 if "__pycache__" not in path.parts}  # fmt: skip
    assert set(fresh) == set(committed)
    for name, text in fresh.items():
        assert text == committed[name], f"{name} is out of date: run make protos"


@pytest.mark.parametrize("path", sorted((ROOT / "protos").rglob("*.proto")), ids=lambda path: path.name)
def test_every_field_of_bytes_says_what_is_in_it(path: Path) -> None:
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines):
        if line.strip().startswith("bytes "):
            before = lines[number - 1].strip()
            assert before.startswith("//"), f"{path.name}:{number + 1} has no comment"
            block = " ".join(text.strip() for text in lines[max(0, number - 4) : number])
            assert re.search(r"\b(u?int(8|16|32|64)|float(32|64)) \[", block), f"{path.name}:{number + 1} has no layout"
