import numpy as np
import pytest

from riverboat.cards import parse_cards
from riverboat.errors import IllegalAction, InvalidInput
from riverboat.history.hand import outcome, replay
from riverboat.history.slumbot import GAME, STACK, read_slumbot, write_move
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.state import start_random
from tests.unit.history.test_acpc_messages import choose

OURS, THEIRS = parse_cards("Ac9d"), parse_cards("QsQc")
BOARD = parse_cards("2c3d9h5s6d")


def test_a_hand_of_the_interface() -> None:
    history = read_slumbot("b200c/kb400c/kk/b1000f", BOARD, [OURS, None])
    moves = [event for event in history.events if isinstance(event, Move)]
    assert moves[:4] == [Move(1, 200), Move(0, CALL), Move(0, CALL), Move(1, 400)]
    assert moves[-2:] == [Move(0, 1000), Move(1, FOLD)]
    assert outcome(history).stacks == (STACK + 600, STACK - 600)


@pytest.mark.parametrize("slashes", ["", "///"])
def test_an_all_in_with_slashes_or_without(slashes: str) -> None:
    history = read_slumbot(f"b20000c{slashes}", BOARD, [OURS, THEIRS])
    assert [event.cards for event in history.events if isinstance(event, BoardDealt)] == [
        BOARD[:3],
        BOARD[3:4],
        BOARD[4:],
    ]
    assert outcome(history).stacks == (0, 2 * STACK)
    *_, before = replay(read_slumbot(f"b20000c{slashes}", (), [OURS, None]))
    assert before.actor is None


def test_every_random_hand_is_read_as_it_was_played() -> None:
    for seed in range(50):
        rng = np.random.default_rng(seed)
        hand, text = start_random(GAME, (STACK, STACK), rng), ""
        while not hand.is_over:
            public, action = hand.public, choose(hand, rng)
            hand = hand.play(action)
            text += write_move(public, action) + "/" * (hand.public.street - public.street)
            *_, state = replay(read_slumbot(text, hand.public.board, hand.holdings))
            assert state == hand.public
        assert outcome(read_slumbot(text, hand.public.board, hand.holdings)).stacks == tuple(
            STACK + won for won in hand.payoffs()
        )


@pytest.mark.parametrize(
    ("betting", "board", "message"),
    [
        ("x", (), "action: 'x' is not an action; they are k, c, f, b200 and /"),
        ("b", (), "action: 'b' is not an action"),
        ("b٣", (), "is not an action"),
        ("k", (), "action: 'k' where there is a bet to call"),
        ("cc", (), "action: 'c' where there is nothing to call"),
        ("ck/kk/", BOARD[:3] + BOARD[:1], "2c appears twice"),
        ("c", BOARD[:3], "board: 2c3d9h on the board came after no action"),
        ("ck/", (OURS[0], *BOARD[:2]), "Ac appears twice"),
        ("ck/", BOARD[:2], "3 board cards are to be dealt, not 2"),
    ],
)
def test_malformed_hands_are_named(betting: str, board: tuple[int, ...], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_slumbot(betting, board, [OURS, None])


@pytest.mark.parametrize(
    ("betting", "board", "message"),
    [
        ("b150", (), r"action: 'b150' in 'b150': .*cannot raise to 150"),
        ("fc", (), "nobody is to act"),
        ("c/", BOARD[:3], "no board cards are to be dealt now"),
    ],
)
def test_impossible_hands_are_named(betting: str, board: tuple[int, ...], message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        read_slumbot(betting, board, [OURS, None])
