"""What a player is told about the deals when they leave."""

from typing import Any

import pytest

from riverboat.clients.console.table.fair_deals import FairDeals
from riverboat.dealing.witness import DealFinding, Severity

PROVED = DealFinding(1, Severity.PROVED, "")
ALONE = DealFinding(2, Severity.NOTE, "the server alone shuffled")
FALSE = DealFinding(2, Severity.PROBLEM, "another deck")


@pytest.mark.parametrize(
    ("findings", "dealt", "said"),
    [
        ([], {1}, []),
        ([PROVED], {1}, ["deals: 1 verified"]),
        ([PROVED, ALONE], {1, 2}, ["deals: 1 verified; 1 not proved: the server alone shuffled"]),
        ([PROVED], {1, 3}, ["deals: 1 verified; 1 not checked: you left before the end"]),
        ([PROVED, FALSE], {1, 2, 3}, ["THE DEAL OF HAND 2 IS NOT THE ONE ANNOUNCED: another deck"]),
    ],
)
def test_every_hand_is_accounted_for(findings: list[DealFinding], dealt: set[int], said: list[str]) -> None:
    chair: Any = None  # nothing is sent
    deals = FairDeals(chair, None, lambda _: None)
    for finding in findings:
        deals._note(finding)
    assert deals.summary(dealt) == said
