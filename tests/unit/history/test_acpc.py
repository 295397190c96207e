import warnings
from dataclasses import replace

import pokerkit
import pytest
from hypothesis import given

from riverboat.cards import parse_cards
from riverboat.errors import InvalidInput
from riverboat.history.acpc import read_acpc, write_acpc
from riverboat.history.hand import History, Show, outcome
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.variant import fixed_limit, no_limit
from tests.unit.history.hands import FINE, histories

GAME = no_limit(50, 100)
LINE = "STATE:4:cr300c/cr900c/cc/r2000f:AhKd|QsQc/2c3d9h/5s/6d:900|-900:alice|bob"


def one(line: str) -> History:
    (history,) = read_acpc(line, GAME, 20_000)
    return history


def test_raises_count_from_the_start_of_the_hand() -> None:
    history = one(LINE)
    # The button, seat 1, acts first before the flop and last after it.
    raises = [event for event in history.events if isinstance(event, Move) and event.action > CALL]
    assert raises == [Move(0, 300), Move(1, 600), Move(0, 1100)]
    assert history.events[3] == BoardDealt(parse_cards("2c3d9h"))
    assert history.events[-1] == Move(1, FOLD)
    assert (history.label, history.names, history.line) == (4, ("alice", "bob"), 1)
    assert outcome(history).stacks == history.finishing_stacks == (20_900, 19_100)
    assert write_acpc([history]) == LINE + "\n"


def test_with_two_players_the_first_has_the_big_blind() -> None:
    history = one("STATE:0:f:AhKd|QsQc:50|-50:alice|bob")
    assert history.events == (Move(1, FOLD),)
    assert outcome(history).stacks == history.finishing_stacks


def test_with_three_players_the_first_has_the_small_blind() -> None:
    history = one("STATE:0:r20000fc///:AhKd|QsQc|KhKc/2c3d9h/5s/6d:-50|-20000|20050:a|b|c")
    assert [event.seat for event in history.events if isinstance(event, Move)] == [2, 0, 1]
    assert outcome(history).stacks == history.finishing_stacks == (19_950, 0, 40_050)


def test_raises_of_limit_games_are_bare() -> None:
    line = "STATE:0:rrc/rc/cc/cc:AhKd|QsQc/2c3d9h/5s/6d:-40|40:alice|bob"
    (history,) = read_acpc(line, fixed_limit(10), 1000)
    assert history.events[:2] == (Move(1, 20), Move(0, 30))
    assert outcome(history).stacks == history.finishing_stacks
    assert write_acpc([history]) == line + "\n"


def test_other_lines_are_skipped_and_hands_know_theirs() -> None:
    log = f"# name/game/hands/seed alice\n#--t_response 10\n\n{LINE}\n{LINE}\nSCORE:100|-100:alice|bob\n"
    assert [history.line for history in read_acpc(log, GAME, [20_000, 20_000])] == [4, 5]


def test_cards_may_be_hidden_and_values_be_halves() -> None:
    hidden = one(LINE.replace("QsQc", ""))
    assert hidden.holdings[1] is None
    assert write_acpc([hidden]) == LINE.replace("QsQc", "") + "\n"
    assert one(LINE.replace("900|-900", "900.5|-900.5")).finishing_stacks is None
    assert one(LINE.replace("900|-900", "900.000000|-900.000000")).finishing_stacks == (20_900, 19_100)


@given(histories(("NT", "FT"), step=1, most_players=3))
def test_what_is_written_is_read_back(history: History) -> None:
    named = replace(history, names=("a", "b", "c")[: len(history.stacks)], label=3)
    (read,) = read_acpc(write_acpc([named]), history.variant, history.stacks)
    played = tuple(event for event in history.events if not isinstance(event, Show))
    assert read == replace(named, events=played)
    assert outcome(read).stacks == history.finishing_stacks


@given(histories(("NT",), most_players=3, plain=True))
def test_pokerkit_reads_the_same_stacks(history: History) -> None:
    game = pokerkit.NoLimitTexasHoldem((), True, 0, (FINE, 2 * FINE), 2 * FINE)
    text = write_acpc([replace(history, names=("a", "b", "c")[: len(history.stacks)])])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (theirs,) = pokerkit.HandHistory.from_acpc_protocol(game, history.stacks[0], text, error_status=True)
        *_, state = theirs
    assert tuple(state.stacks) == history.finishing_stacks


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("STATE:", "STAT:", "'STAT:4:.*' is not a hand"),
        (":alice|bob", "", "is not a hand"),
        ("STATE:4", "STATE:x", "number: 'x' is not the number of a hand"),
        ("alice|bob", "alice|bob|cy", "values: '900|-900' are not numbers of chips for 3 players"),
        ("900|-900", "900|x", "values: '900|x' are not numbers"),
        ("AhKd", "AhK", "cards: 'AhK' is not a list of cards"),
        ("AhKd", "AhKdQd", r"holdings\[0\]"),
        ("AhKd|QsQc", "AhKd|QsAh", "holdings: Ah appears twice"),
        ("AhKd|QsQc", "AhKd", "need as many holdings"),
        ("/2c3d9h/", "/2c3dAh/", "actions: Ah appears twice"),
        ("cr300c", "cz300c", "actions: 'z300c/cr90' is not an action"),
        ("cr300c", "cr150c", r"actions: 'r150' at 2 \(seat 0: raise to 150\): seat 0 cannot raise to 150"),
        ("cr900c", "cr300c", "actions: 'r300' at 9 is not a raise: 300 chips were paid before"),
        ("cr300c", "crc", "actions: the raise at 2 has no size; only limit games leave it out"),
        ("r2000f", "r2000fc", "actions: 'c' at 24: nobody is to act"),
        ("r2000f", "r2000c/", "actions: a street begins, but there are no cards for it"),
        ("/cc/r2000f", "/c", "cards: 6d on the board came after no action"),
        ("cr300c/", "c/", r"actions: '/' at 2 \(board 2c3d9h\): no board cards"),
    ],
)
def test_malformed_lines_are_named(old: str, new: str, message: str) -> None:
    assert old in LINE
    with pytest.raises(InvalidInput, match=f"^line 3: .*{message}"):
        list(read_acpc(f"# log\n{LINE}\n{LINE.replace(old, new, 1)}\n", GAME, 20_000))


def test_logs_without_hands_and_stacks_for_others() -> None:
    with pytest.raises(InvalidInput, match="no hand in this log"):
        list(read_acpc("# nothing\n", GAME, 100))
    with pytest.raises(InvalidInput, match="line 1: names: there are 2, and stacks for 3 players"):
        list(read_acpc(LINE, GAME, (1, 2, 3)))


def test_hands_that_a_log_cannot_hold() -> None:
    history = one(LINE)
    with pytest.raises(InvalidInput, match="cannot be a name"):
        write_acpc([replace(history, names=("a:b", "c"))])
    with pytest.raises(InvalidInput, match="the hand is not over"):
        write_acpc([replace(history, events=history.events[:2], finishing_stacks=None)])
