import numpy as np
import pyspiel
import pytest

from riverboat.cards import format_cards, parse_cards
from riverboat.errors import IllegalAction, InvalidInput
from riverboat.history.acpc import read_acpc
from riverboat.history.acpc_messages import (
    AcpcHand,
    answer_text,
    is_version,
    legal_action,
    read_action,
    read_match_state,
)
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import HandState, start_random, start_with_cards
from riverboat.rules.variant import Variant, fixed_limit, no_limit

GAME, LIMIT, STACK = no_limit(50, 100), fixed_limit(10), 20_000
HEADS_UP = "universal_poker(betting={},numPlayers=2,numRounds=4,blind={} {},firstPlayer=2 1 1 1,{}"
THREE = "universal_poker(betting={},numPlayers=3,numRounds=4,blind={} {} 0,firstPlayer=3 1 1 1,{}"
DECK = "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,bettingAbstraction=fullgame"


def dealt(variant: Variant = GAME, cards: str = "AhKd QsQc 2c3d9h5s6d", stack: int = STACK) -> AcpcHand:
    *holdings, board = map(parse_cards, cards.split())
    return AcpcHand(7, start_with_cards(variant, [stack] * len(holdings), holdings, board))


def played(hand: AcpcHand, *texts: str) -> AcpcHand:
    """Play actions in the notation of the protocol."""
    for text in texts:
        hand = hand.play(read_action(text, hand.hand.public))
    return hand


def test_a_no_limit_hand_message_by_message() -> None:
    hand = dealt()
    assert [hand.message(seat) for seat in (0, 1)] == ["MATCHSTATE:0:7::AhKd|", "MATCHSTATE:1:7::|QsQc"]
    hand = played(hand, "c", "r300", "c")
    assert hand.message(1) == "MATCHSTATE:1:7:cr300c/:|QsQc/2c3d9h"
    hand = played(hand, "c", "r600", "c", "c", "c", "r1200", "c")
    assert hand.message(0) == "MATCHSTATE:0:7:cr300c/cr600c/cc/r1200c:AhKd|QsQc/2c3d9h/5s/6d"
    line = "STATE:7:cr300c/cr600c/cc/r1200c:AhKd|QsQc/2c3d9h/5s/6d:-1200|1200:alice|bob"
    assert hand.line(["alice", "bob"]) == line
    (history,) = read_acpc(line, GAME, STACK)
    assert history.finishing_stacks == (18_800, 21_200)


def test_folded_cards_are_never_shown() -> None:
    hand = played(dealt(GAME, "AhKd QsQc 7c7d 2c3d9h5s6d"), "f", "r20000", "c")
    assert hand.message(0) == "MATCHSTATE:0:7:fr20000c///:AhKd|QsQc|/2c3d9h/5s/6d"
    assert hand.message(2) == "MATCHSTATE:2:7:fr20000c///:AhKd|QsQc|7c7d/2c3d9h/5s/6d"
    assert played(dealt(), "f").message(0) == "MATCHSTATE:0:7:f:AhKd|"


def test_raises_in_limit_are_bare() -> None:
    hand = played(dealt(LIMIT, stack=1000), "r", "r", "c", "c", "r", "c")
    assert hand.message(0) == "MATCHSTATE:0:7:rrc/crc/:AhKd|/2c3d9h/5s"


def test_an_agent_reads_its_turn_and_answers() -> None:
    message = "MATCHSTATE:1:30:cr300:|KsKc"
    state = read_match_state(message, GAME, STACK)
    assert (state.number, state.seat, state.is_turn) == (30, 1, True)
    assert state.view.holding == parse_cards("KsKc")
    assert state.view.actions == (CALL, 300)
    assert answer_text(message, state, 900) == message + ":r900"
    assert answer_text(message, state, FOLD) == message + ":f"
    later = "MATCHSTATE:1:30:cr300c/r700:|KsKc/2c3d9h"  # 300 before this street
    assert answer_text(later, read_match_state(later, GAME, STACK), 1000) == later + ":r1300"
    assert not read_match_state("MATCHSTATE:1:30:cr300c/:|KsKc/2c3d9h", GAME, STACK).is_turn


def test_illegal_actions_become_legal_ones() -> None:
    public = read_match_state("MATCHSTATE:0:0:r300:AhKd|", GAME, STACK).public
    for text, action in (("r400", 500), ("r0", 500), ("r99999", 20_000), ("r500", 500), ("f", FOLD), ("c", CALL)):
        assert legal_action(read_action(text, public), public) == action, text
    limped = read_match_state("MATCHSTATE:0:0:c:AhKd|", GAME, STACK).public
    assert legal_action(read_action("f", limped), limped) == CALL
    all_in = read_match_state("MATCHSTATE:0:0:r20000:AhKd|", GAME, STACK).public
    assert legal_action(read_action("r30000", all_in), all_in) == CALL
    flop = read_match_state("MATCHSTATE:0:0:r300c/:AhKd|/2c3d9h", GAME, STACK).public
    assert [legal_action(read_action(text, flop), flop) for text in ("r300", "r299", "r350")] == [100, 100, 100]


@pytest.mark.parametrize("text", ["", "x", "r", "rr", "r-5", "r 5", "r5x", "r" + "9" * 17, "c ", "F", "r٣"])
def test_texts_that_are_no_action(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"action: .* is not an action; they are f, c and r and the chips"):
        read_action(text, read_match_state("MATCHSTATE:0:0:r300:AhKd|", GAME, STACK).public)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a state of a match"),
        ("STATE:0:30:cr300:AhKd|", "is not a state of a match"),
        ("MATCHSTATE:0:30:cr300:AhKd|:f", "is not a state of a match"),
        ("MATCHSTATE:x:30:cr300:AhKd|", "position: 'x' is not a number"),
        ("MATCHSTATE:2:30:cr300:AhKd|", "position: 2 is not one of 2 players"),
        ("MATCHSTATE:0:-1:cr300:AhKd|", "number: '-1' is not a number"),
        ("MATCHSTATE:0:²:cr300:AhKd|", "number: '²' is not a number"),
        ("MATCHSTATE:1:30:cr300:AhKd|", "cards: position 1 has no cards"),
        ("MATCHSTATE:0:30:cr300:AhK|", "cards: 'AhK' is not a list"),
        ("MATCHSTATE:0:30:cr300c/:AhKd|", "a street begins, but there are no cards for it"),
        ("MATCHSTATE:0:30:cz:AhKd|", "actions: 'z' is not an action"),
    ],
)
def test_malformed_messages_are_named(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_match_state(text, GAME, STACK)
    with pytest.raises(IllegalAction, match="cannot raise to 150"):
        read_match_state("MATCHSTATE:0:30:r150:AhKd|", GAME, STACK)


def test_versions() -> None:
    assert is_version("VERSION:2.0.0")
    assert is_version("VERSION:2.0.3")
    assert not any(map(is_version, ("", "VERSION:1.0.0", "VERSION:2.1.0", "VERSION:2.0", "HELLO", "VERSION:2.0.0 ")))


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("variant", [GAME, LIMIT], ids=["no-limit", "limit"])
@pytest.mark.parametrize("seed", range(6))
def test_open_spiels_acpc_code_writes_the_same_betting(variant: Variant, players: int, seed: int) -> None:
    """open_spiel's universal poker plays by the competition's own C code and prints its states."""
    rng = np.random.default_rng(seed)
    stack = STACK if variant is GAME else 1000
    hand = AcpcHand(0, start_random(variant, [stack] * players, rng))
    theirs = referee(variant, players, stack)
    cards = [card for holding in hand.hand.holdings for card in holding]
    for card in cards:
        theirs.apply_action(card)
    while not hand.hand.is_over:
        action = choose(hand.hand, rng)
        size = len(hand.hand.public.board)
        theirs.apply_action(their_action(hand, action, theirs))
        hand = hand.play(action)
        public = hand.hand.public
        for card in public.board[size:]:
            theirs.apply_action(card)
        line = next(line for line in str(theirs).splitlines() if line.startswith("ACPC State:"))
        _, _, _, betting, shown, *_ = line.split(":")
        assert betting == hand.betting
        assert same_cards(shown, hand)
    assert theirs.is_terminal()
    assert tuple(theirs.returns()) == pytest.approx(hand.hand.payoffs(), abs=1)  # the odd chip of a split pot


def referee(variant: Variant, players: int, stack: int) -> pyspiel.State:
    stacks = " ".join([str(stack)] * players)
    small, big = variant.blinds
    if variant is LIMIT:
        rest = f"raiseSize=10 10 20 20,maxRaises=3 4 4 4,stack={stacks},{DECK})"
    else:
        rest = f"stack={stacks},{DECK})"
    betting = "limit" if variant is LIMIT else "nolimit"
    text = HEADS_UP.format(betting, big, small, rest) if players == 2 else THREE.format(betting, small, big, rest)
    return pyspiel.load_game(text).new_initial_state()


def choose(hand: HandState, rng: np.random.Generator) -> int:
    public = hand.public
    actions = [CALL, CALL, CALL, *([FOLD] if public.to_call else []), *(public.raise_limits or ())]
    if public.raise_limits:
        low, high = public.raise_limits
        actions.append(int(rng.integers(low, min(high, 4 * low) + 1)))
    return int(rng.choice(actions))


def their_action(hand: AcpcHand, action: int, theirs: pyspiel.State) -> int:
    if action == FOLD:
        return 0
    if action == CALL:
        return 1
    if hand.hand.public.variant is LIMIT:
        return 2
    return int(hand.play(action).betting.rstrip("/").rpartition("r")[2])


def same_cards(shown: str, hand: AcpcHand) -> bool:
    """Compare cards as sets: their code sorts those of a street."""
    ours = hand.line([str(seat) for seat in range(len(hand.hand.holdings))]).split(":")[3] if hand.hand.is_over else ""
    if not ours:
        return True
    split = [part for street in shown.split("/") for part in street.split("|")]
    mine = [part for street in ours.split("/") for part in street.split("|")]
    return [set(parse_cards(part)) for part in split[: len(mine)]] == [set(parse_cards(part)) for part in mine]


def test_a_seat_reads_back_what_the_dealer_wrote() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        hand = AcpcHand(seed, start_random(GAME, [STACK] * 3, rng))
        while not hand.hand.is_over:
            seat = hand.hand.public.actor
            assert seat is not None
            state = read_match_state(hand.message(seat), GAME, STACK)
            assert state.public == hand.hand.public
            assert (state.is_turn, state.view.actions) == (True, hand.hand.actions)
            assert format_cards(state.view.holding) == format_cards(hand.hand.holdings[seat])
            hand = hand.play(choose(hand.hand, rng))
