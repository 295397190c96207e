"""Deals of a duplicate match: the seed is revealed and checked when every side has played the deal."""

import pytest

from riverboat.clients.bots.fairness import Fairness
from riverboat.dealing import witness
from riverboat.dealing.witness import DealFinding, Severity
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.tables import encode_records
from riverboat.rpc.convert.tables_client import read_record
from riverboat.tables.records import hand_records
from riverboat.tables.table import Table
from riverboat.tables.view import view_of
from tests.unit.dealing.sitting import drawing
from tests.unit.tables.test_sides import act, play, sides, start

OTHER = "ab" * 32
SEALED = "the server alone shuffled; its seed was secret when the hand ended"


class Ahead:
    """An agent at the side that plays first."""

    def __init__(self, deal_count: int, misses_ends: bool = False) -> None:
        self.first, self.second = sides(deal_count)
        self.findings: list[DealFinding] = []
        self.agent = Fairness(self.findings.append, drawing(1), may_be_match=True)
        for _ in range(deal_count):
            start(self.first)
            self.see()
            while self.first.actor is not None:
                act(self.first, 0)
            if not misses_ends:
                self.see()

    def see(self) -> None:
        self.agent.see(view_of(self.first, 0, 0))

    def records(self, deal_count: int) -> list[pb.HandRecord]:
        """Return the public records when the other side has played this many deals."""
        for _ in range(deal_count):
            play(self.second)
        return records_of(self.first)

    @property
    def problems(self) -> list[str]:
        return [finding.text for finding in self.findings if finding.level == Severity.PROBLEM]


def records_of(table: Table) -> list[pb.HandRecord]:
    return list(encode_records(hand_records(table, 1, 100)).hands)


@pytest.mark.parametrize("misses_ends", [False, True])
def test_a_seed_is_checked_when_it_comes(misses_ends: bool) -> None:
    ahead = Ahead(5, misses_ends)
    sealed = ahead.agent.witness.sealed
    assert sealed == ([1, 2, 3, 4] if misses_ends else [1, 2, 3, 4, 5])
    assert {finding.text for finding in ahead.findings} == {SEALED}
    for record in ahead.records(3):
        ahead.agent.see_record(read_record(record))
    assert ahead.agent.witness.sealed == sealed[3:]
    assert not ahead.problems


@pytest.mark.parametrize("misses_ends", [False, True])
def test_a_false_seed_is_noticed_when_it_comes(misses_ends: bool) -> None:
    ahead = Ahead(5, misses_ends)
    for record in ahead.records(3):
        record.events[-1].hand_ended.seed = OTHER
        ahead.agent.see_record(read_record(record))
    assert ahead.problems.count("the seed is not the one that was committed to") == 3


def test_a_record_that_was_replaced_with_its_commitment_is_noticed() -> None:
    """The record is consistent: only the agent's memory of the hand reveals the fraud."""
    ahead = Ahead(2)
    first, second = ahead.records(2)
    second.hand_number = 1
    ahead.agent.see_record(read_record(second))
    assert first.events[0].hand_started.commitment != second.events[0].hand_started.commitment
    assert "the seed is not the one that was committed to" in ahead.problems


def test_hands_without_seeds_are_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witness, "_SEALED_HANDS", 3)
    assert Ahead(6).agent.witness.sealed == [4, 5, 6]
