import numpy as np
import pytest

from riverboat.cards import DECKS
from riverboat.clients.web.study.range_text import range_text
from riverboat.ranges import parse_range


@pytest.mark.parametrize("text", ["random", "QQ+,AKs:0.5,T9s", "AhKd:0.25,22", "AhKd"])
@pytest.mark.parametrize("deck", ["52", "36"])
def test_a_range_reads_back(text: str, deck: str) -> None:
    weights = parse_range(text.replace("22", "66"), DECKS[deck])
    again = parse_range(range_text(weights, DECKS[deck]), DECKS[deck])
    assert np.abs(again - weights).max() < 1e-3


def test_a_whole_class_is_one_item() -> None:
    deck = DECKS["52"]
    assert range_text(parse_range("AKs", deck), deck) == "AKs"
    assert range_text(parse_range("AhKd:0.25", deck), deck) == "AhKd:0.25"
