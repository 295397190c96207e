"""Real hands: Pluribus's games end with the same chips by our rules."""

from pathlib import Path

import pytest

from riverboat.history.hand import History, outcome
from riverboat.history.phh import read_phh, write_phh

FILE = Path(__file__).resolve().parents[2] / "golden" / "pluribus-5000.phhs"


@pytest.fixture(scope="module")
def hands() -> list[History]:
    return list(read_phh(FILE.read_text()))


def test_all_hands_replay_to_the_exact_finishing_stacks(hands: list[History]) -> None:
    assert len(hands) == 5000
    assert [hand.label for hand in hands if outcome(hand).stacks != hand.finishing_stacks] == []


def test_a_stack_that_was_changed_is_found(hands: list[History]) -> None:
    text = FILE.read_text().replace("finishing_stacks = [10100, 9900,", "finishing_stacks = [10101, 9899,", 1)
    changed = next(read_phh(text))
    assert changed.finishing_stacks != hands[0].finishing_stacks == outcome(changed).stacks


def test_hands_know_their_lines_and_are_written_as_they_were(hands: list[History]) -> None:
    lines = FILE.read_text().splitlines()
    assert all(lines[hand.line - 1] == f"[{number}]" for number, hand in enumerate(hands, start=1))
    assert list(read_phh(write_phh(hands))) == hands
    whole = [hand for hand in hands if not hand.decimals]
    assert len(whole) == 4994
    assert write_phh(hands[:50]) == "\n".join(lines[:600])
