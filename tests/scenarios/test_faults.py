"""A match continues whichever service is killed. With longer outages: python -m tests.faults --seconds 30."""

from pathlib import Path

import pytest

from tests.faults.boat import Boat
from tests.faults.match import check_match, disturbed


@pytest.mark.slow
def test_a_match_goes_on_whatever_is_killed(tmp_path: Path) -> None:
    check_match(disturbed(Boat(tmp_path), tmp_path, 1, lambda text: None))
