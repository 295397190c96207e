"""The opponent's bets on each street, and the whole vector."""

import numpy as np
import pytest

from riverboat.cards import parse_cards
from riverboat.errors import InvalidInput
from riverboat.features.bets import opponent_bets, situation_features
from riverboat.rules.betting import CALL
from riverboat.rules.state import HandState, start_with_cards
from riverboat.rules.variant import LEDUC, no_limit

BOARD = parse_cards("2c3c4c5d9h")


def hand(*actions: int) -> HandState:
    state = start_with_cards(no_limit(50, 100), [20_000] * 2, [parse_cards("AcAd"), parse_cards("KcKd")], BOARD)
    for action in actions:
        state = state.play(action)
    return state


@pytest.mark.parametrize(
    ("actions", "of_seat_1", "of_seat_0"),
    [
        ((), (50, 0, 0, 0), (100, 0, 0, 0)),  # seat 1 is the button and has the small blind
        ((CALL, 300), (100, 0, 0, 0), (300, 0, 0, 0)),
        ((CALL, 300, CALL, CALL, 400), (300, 400, 0, 0), (300, 0, 0, 0)),
        ((CALL, CALL, CALL, CALL, 200, 700, CALL, CALL), (100, 0, 700, 0), (100, 0, 700, 0)),
    ],
)
def test_chips_by_street(actions: tuple[int, ...], of_seat_1: tuple[int, ...], of_seat_0: tuple[int, ...]) -> None:
    state = hand(*actions)
    assert opponent_bets(state.view(0)) == of_seat_1
    assert opponent_bets(state.view(1)) == of_seat_0


def test_only_two_players_and_four_streets() -> None:
    three = start_with_cards(
        no_limit(50, 100), [1000] * 3, [parse_cards("AcAd"), parse_cards("KcKd"), parse_cards("QcQd")], BOARD
    )
    leduc = start_with_cards(LEDUC, [100, 100], [parse_cards("Ks"), parse_cards("Qs")], parse_cards("Js"))
    for state in (three, leduc):
        with pytest.raises(InvalidInput, match="two players"):
            opponent_bets(state.view(0))


@pytest.mark.parametrize("count", [31, 21, 11, 1])
def test_bets_come_last(count: int) -> None:
    cards = np.linspace(0, 1, count, dtype=np.float32)
    whole = situation_features(cards, (100, 200, 0, 0))
    assert whole.dtype == np.float32
    assert whole.tolist() == [*cards.tolist(), 100, 200, 0, 0]
    assert situation_features(np.stack([cards, cards]), (100, 200, 0, 0)).shape == (2, count + 4)


@pytest.mark.parametrize("bets", [(), (1, 2, 3), (1, 2, 3, -4)])
def test_four_numbers_of_chips(bets: tuple[int, ...]) -> None:
    with pytest.raises(InvalidInput, match="bets"):
        situation_features(np.ones(1, np.float32), bets)
