from dataclasses import replace

import pytest
from hypothesis import given

from riverboat.cards import parse_cards
from riverboat.errors import IllegalAction, InvalidInput
from riverboat.history.hand import History, Show, outcome, replay
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.variant import KUHN, no_limit
from tests.unit.history.hands import histories, record

ACES, KINGS, SEVENS = (parse_cards(text) for text in ("AhAd", "KsKd", "7c7d"))
BOARD = parse_cards("2c3d9hTsJh")
GAME = no_limit(50, 100)


def hand(*actions: int) -> History:
    return record(GAME, [1000, 500, 2000], [ACES, KINGS, SEVENS], BOARD, actions)


def test_a_hand_is_recorded_with_deals_shows_and_stacks() -> None:
    history = hand(CALL, CALL, CALL, CALL, CALL, 100, CALL, FOLD, CALL, 200, CALL, CALL, CALL)
    assert [str(event) for event in history.events] == [
        *("seat 2: call", "seat 0: call", "seat 1: call", "board 2c3d9h"),
        *("seat 0: call", "seat 1: call", "seat 2: raise to 100", "seat 0: call", "seat 1: fold", "board Ts"),
        *("seat 0: call", "seat 2: raise to 200", "seat 0: call", "board Jh", "seat 0: call", "seat 2: call"),
        *("seat 0: show AhAd", "seat 2: show 7c7d"),
    ]
    assert history.finishing_stacks == (1500, 400, 1600)


def test_players_who_are_all_in_show_before_the_rest_of_the_board() -> None:
    history = hand(2000, CALL, CALL)
    assert [type(event) for event in history.events] == [*[Move] * 3, *[Show] * 3, *[BoardDealt] * 3]
    assert history.finishing_stacks == (2500, 0, 1000)


def test_replay_gives_the_start_and_a_state_for_each_event() -> None:
    history = hand(300, FOLD, FOLD)
    states = list(replay(history))
    assert len(states) == 1 + len(history.events)
    assert states[0].pot == 150
    assert states[-1].is_over


@given(histories())
def test_what_was_recorded_replays_to_the_same_stacks(history: History) -> None:
    assert outcome(history).stacks == history.finishing_stacks


def test_a_hand_that_is_not_over_has_no_stacks() -> None:
    result = outcome(hand(CALL, CALL))
    assert result.stacks is None
    assert "seat 1 to act" in result.reason


def test_unknown_cards_at_showdown_are_the_reason() -> None:
    history = hand(2000, CALL, CALL)
    unknown = replace(history, holdings=(ACES, None, SEVENS), names=("Ann", "Bob", "Cy"))
    unknown = replace(unknown, events=tuple(event for event in history.events if not isinstance(event, Show)))
    assert outcome(unknown).stacks is None
    assert "the cards of Bob are not known" in outcome(unknown).reason


def test_unknown_cards_do_not_matter_where_all_others_fold_or_muck() -> None:
    folded = replace(hand(300, FOLD, FOLD), holdings=(None, None, None))
    assert outcome(folded).stacks == (950, 400, 2150)
    mucked = replace(hand(2000, CALL, CALL), holdings=(None, None, SEVENS))
    events = (*mucked.events[:3], Show(0), Show(1), *mucked.events[6:])
    assert outcome(replace(mucked, events=events)).stacks == (0, 0, 3500)


def test_the_best_hand_loses_when_it_is_thrown_away() -> None:
    history = hand(2000, CALL, CALL)
    thrown = replace(history, events=(*history.events, Show(0)))
    assert outcome(thrown).stacks == (0, 1500, 2000)


def test_a_check_by_the_only_player_with_chips_is_let_pass() -> None:
    history = record(GAME, [1000, 50], [ACES, KINGS], BOARD, [])
    asked = replace(history, events=(Move(0, CALL), *history.events))
    assert outcome(asked).stacks == history.finishing_stacks == (1050, 0)
    with pytest.raises(IllegalAction, match=r"event 1 \(seat 1: call\)"):
        outcome(replace(history, events=(Move(1, CALL), *history.events)))


def test_variants_with_one_private_card() -> None:
    king, jack = parse_cards("KsJs")
    history = record(KUHN, [10, 10], [(king,), (jack,)], (), [1, CALL])
    assert history.finishing_stacks == (12, 8)


@pytest.mark.parametrize(
    ("place", "event", "message"),
    [
        (0, Move(2, 150), r"event 1 \(seat 2: raise to 150\): seat 2 cannot raise to 150"),
        (0, Move(1, CALL), r"event 1 \(seat 1: call\): seat 2 is to act"),
        (0, BoardDealt(BOARD[:3]), r"event 1 \(board 2c3d9h\): no board cards"),
        (3, BoardDealt(BOARD[:2]), r"event 4 \(board 2c3d\): 3 board cards"),
        (3, BoardDealt(parse_cards("2c3dAh")), r"event 4 .*: Ah appears twice"),
        (3, Move(0, CALL), "event 4 .*: nobody is to act: 3 board cards come first"),
        (2, Move(7, CALL), "event 3 .*: there is no seat 7"),
        (3, Show(0, KINGS), "event 4 .*: the cards dealt to this seat were AhAd"),
    ],
)
def test_the_event_that_is_not_possible_is_named(place: int, event: Move | BoardDealt | Show, message: str) -> None:
    events = list(hand(CALL, CALL, CALL, CALL).events)
    events[place:] = [event]
    with pytest.raises((IllegalAction, InvalidInput), match=message):
        list(replay(replace(hand(), events=tuple(events))))


def test_a_player_who_folded_cannot_show() -> None:
    history = hand(FOLD)
    with pytest.raises(IllegalAction, match="has folded"):
        outcome(replace(history, events=(*history.events, Show(2))))


def test_holdings_are_checked() -> None:
    with pytest.raises(InvalidInput, match="holdings: Ah appears twice"):
        list(replay(replace(hand(), holdings=(ACES, ACES, None))))
    with pytest.raises(InvalidInput, match=r"holdings\[1\]"):
        list(replay(replace(hand(), holdings=(ACES, ACES[:1], None))))
    with pytest.raises(InvalidInput, match="need as many holdings"):
        list(replay(replace(hand(), holdings=(ACES,))))


def test_actions_beyond_the_end_are_illegal() -> None:
    with pytest.raises(IllegalAction, match="1 actions are left"):
        hand(FOLD, FOLD, CALL)
