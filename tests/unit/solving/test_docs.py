"""The tour of docs/resolving.md runs, and prints what it says."""

from pathlib import Path

import pytest

from tests.processes import ROOT
from tests.unit.clients.bots.test_docs import blocks, run_example

TOUR = (ROOT / "docs" / "resolving.md").read_text()


@pytest.mark.parametrize(("code", "output"), [pytest.param(*block, id=str(i)) for i, block in enumerate(blocks(TOUR))])
def test_the_tour(tmp_path: Path, code: str, output: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_example(tmp_path, code)
    assert capsys.readouterr().out == output
