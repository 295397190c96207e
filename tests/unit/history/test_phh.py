import warnings
from dataclasses import replace
from decimal import Decimal

import pokerkit
import pytest
from hypothesis import given

from riverboat.cards import parse_cards
from riverboat.errors import IllegalAction, InvalidInput
from riverboat.history.hand import History, Show, outcome, replay
from riverboat.history.phh import UnreadHand, line_of_event, read_each, read_phh, write_hand, write_phh
from riverboat.history.phh_games import code_of
from riverboat.rules.betting import CALL, CHANCE, FOLD
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.variant import LEDUC, fixed_limit, no_limit, pot_limit
from tests.unit.history.hands import histories

HAND = """\
# A comment
variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 500, 2000]
actions = [
  'd dh p1 AhAd',
  'd dh p2 ????',  # "unknown"
  'd dh p3 7c7d',
  'p3 cbr 300 # she smiles',
  '# a pause',
  "p1 cc",
  'p2 f',
  'd db 2c3d9h',
  'p1 f',
]
hand = 'first'
players = ['Ann', 'Bob', 'Cy']
finishing_stacks = [700, 400, 2400]
"""


def one(text: str) -> History:
    (history,) = read_phh(text)
    return history


def test_every_field_is_read() -> None:
    history = one(HAND)
    assert history.stacks == (1000, 500, 2000)
    assert history.holdings == (parse_cards("AhAd"), None, parse_cards("7c7d"))
    board = BoardDealt(parse_cards("2c3d9h"))
    assert history.events == (Move(2, 300), Move(0, CALL), Move(1, FOLD), board, Move(0, FOLD))
    assert (history.label, history.names, history.line) == ("first", ("Ann", "Bob", "Cy"), 1)
    assert history.variant == replace(no_limit(50, 100), free_folds=True)
    assert outcome(history).stacks == history.finishing_stacks


@given(histories())
def test_what_is_written_is_read_back(history: History) -> None:
    free = replace(history, variant=replace(history.variant, free_folds=True))
    assert one(write_hand(history)) == free
    assert list(read_phh(write_phh([history, free]))) == [free, free]


@given(histories(step=1))
def test_odd_chips_survive_as_well(history: History) -> None:
    assert outcome(one(write_hand(history))).stacks == history.finishing_stacks


@given(histories())
def test_pokerkit_reads_the_same_stacks(history: History) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        *_, state = pokerkit.HandHistory.loads(write_hand(history))
    assert tuple(state.stacks) == history.finishing_stacks


def test_unknown_fields_come_back() -> None:
    entries = "venue = 'The \"Boat\"'\ntime = 08:15:00\nday = 1\n_rake = {cap = 1.50, free = true}\nodds = [inf, 2.5]\n"
    history = one(HAND + entries)
    assert history.extra["_rake"] == {"cap": Decimal("1.50"), "free": True}
    assert one(write_hand(history)) == history
    strange = replace(history, extra={"a key": 'quo"te\x7f\n', "list": [{"x": 1}], "ünï": "é's"})
    assert one(write_hand(strange)) == strange


def test_tables_below_a_hand_are_its_own() -> None:
    text = write_phh([one(HAND)]) + "[1._more]\nkey = 1\n"
    assert one(text).extra == {"_more": {"key": 1}}


def test_fractions_make_chips_smaller() -> None:
    cents = HAND.replace("[50, 100, 0]", "[0.50, 1, 0]").replace("min_bet = 100", "min_bet = 1")
    cents = cents.replace("cbr 300", "cbr 3.25").replace("[1000, 500, 2000]", "[10, 5.00, 20]")
    history = one(cents.replace("[700, 400, 2400]", "[6.75, 4, 24.25]"))
    assert history.decimals == 2
    assert history.stacks == (1000, 500, 2000)
    assert history.variant.blinds == (50, 100)
    assert outcome(history).stacks == history.finishing_stacks == (675, 400, 2425)
    assert one(write_hand(history)) == history
    whole = one(HAND.replace("[700, 400, 2400]", "[700.0, 400.0, 2400.0]"))
    assert whole == one(HAND)


def test_with_two_players_blinds_begin_with_the_button() -> None:
    text = HAND.replace("[0, 0, 0]", "[0, 0]").replace("[50, 100, 0]", "[50, 100]")
    text = text.replace("[1000, 500, 2000]", "[1000, 500]").replace("[700, 400, 2400]", "[1050, 450]")
    start, _, end = text.partition("actions = [")
    history = one(start + "actions = ['p2 f'" + end[end.index("]") :].replace("['Ann', 'Bob', 'Cy']", "['Ann', 'Bob']"))
    assert outcome(history).stacks == history.finishing_stacks


def test_cards_that_are_shown_are_known() -> None:
    text = HAND.replace("'p1 f',", "'p1 cc', 'p3 cc', 'd db Ts', 'p1 cc', 'p3 cc', 'd db Jh', 'p1 cc', 'p3 cc',")
    text = text.replace("dh p1 AhAd", "dh p1 ????").replace("'p3 cc',\n]", "'p3 cc', 'p1 sm AhAd', 'p3 sm']")
    history = one(text)
    assert history.holdings[0] == parse_cards("AhAd")
    assert history.events[-2:] == (Show(0, parse_cards("AhAd")), Show(2))
    assert outcome(history).stacks == (1400, 400, 1700)
    hidden = one(text.replace("p1 sm AhAd", "p1 sm Ah??"))
    assert hidden.holdings[0] is None


def test_short_deck_with_a_blind_of_the_button() -> None:
    text = HAND.replace("'NT'", "'NS'").replace("[50, 100, 0]", "[0, 0, 100]").replace("[0, 0, 0]", "[100, 100, 100]")
    start, _, end = text.partition("actions = [")
    history = one(start + "actions = ['p1 cc', 'p2 cc', 'p3 cc'" + end[end.index("]") :])
    assert outcome(history).state.pot == 600
    assert outcome(history).state.street == 0
    assert one(write_hand(history)) == history


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("'NT'", "'PO'", "line 2: variant: 'PO' is not supported"),
        ("'NT'", "3", "line 2: variant: '3' is not supported"),
        ("variant = 'NT'", "", "line 1: variant: is missing"),
        ("status = true", "status = 1", "line 3: ante_trimming_status: must be true or false"),
        ("[0, 0, 0]", "[0, 0]", "line 4: antes: must have one entry for each of the 3"),
        ("[0, 0, 0]", "[0, 100, 0]", "line 4: antes: antes that differ from seat to seat need"),
        ("[50, 100, 0]", "[50, -inf, 0]", "line 5: blinds_or_straddles: -Infinity chips"),
        ("[50, 100, 0]", "[50, 100, 70]", "line 5: blinds_or_straddles: dead blinds"),
        ("[50, 100, 0]", "50", "line 5: blinds_or_straddles: must be a list"),
        ("min_bet = 100", "", "line 1: min_bet: is missing; NT needs it"),
        ("min_bet = 100", "min_bet = 0", "line 6: min_bet: 0 chips are not possible"),
        ("min_bet = 100", "min_bet = 'x'", "line 6: min_bet: 'x' is not a number of chips"),
        ("min_bet = 100", "min_bet = 100\nbring_in = 5", "line 7: bring_in: bring-ins are not supported"),
        ("[1000, 500, 2000]", "[1000, -inf, 2000]", "line 7: starting_stacks: -Infinity chips"),
        ("[1000, 500, 2000]", "[1000, nan, 2000]", "line 7: starting_stacks: NaN chips"),
        ("[1000, 500, 2000]", "[1000, 0, 2000]", "line 7: starting_stacks: 0 chips"),
        ("[1000, 500, 2000]", "[1000, 0.00001, 2000]", "line 1: amounts with 5 decimals"),
        ("[1000, 500, 2000]", "[1000, 1e999999, 2000]", "line 7: starting_stacks: 1E"),
        ("[1000, 500, 2000]", "[]", "line 5: blinds_or_straddles: must have"),
        ("'d dh p2 ????'", "'d dh p9 ????'", r"line 10: actions\[1\]: 'p9' is not a player"),
        ("'d dh p3 7c7d'", "'d dh p3 7c7x'", r"line 11: actions\[2\]: '7x' is not a card"),
        ("'d dh p3 7c7d'", "'d dh p3 7c7d7h'", r"line 11: actions\[2\]: .*holds 2 cards, not 3"),
        ("'d dh p3 7c7d'", "'d dh p3 AhKd'", "line 8: actions: holdings: Ah appears twice"),
        ("cbr 300 # she", "cbr # she", r"line 12: actions\[3\]: 'p3 cbr # she smiles' is not an action"),
        ("cbr 300 # she", "cbr x # she", r"line 12: actions\[3\]: 'x' is not a number of chips"),
        ("cbr 300 # she", "cbr 0 # she", r"line 12: actions\[3\]: 0 chips are not possible"),
        ("cbr 300 # she", f"cbr {10**19} # she", r"line 12: actions\[3\]: 1\d* chips are not possible"),
        ('"p1 cc"', '"p1 pb"', r"line 14: actions\[5\]: 'p1 pb': bring-ins and draws"),
        ("'p2 f'", "7", r"line \d+: actions\[6\]: must be a text"),
        ("'p2 f'", "'p2 jumps'", r"line 15: actions\[6\]: 'p2 jumps' is not an action"),
        ("'d db 2c3d9h'", "'d db ??????'", r"line 16: actions\[7\]"),
        ("hand = 'first'", "hand = [1]", "line 19: hand: must be a number or a text"),
        ("'Ann', 'Bob'", "'Ann', 3", "line 20: players: names must be texts"),
        ("'Ann', 'Bob'", "'Ann'", "line 20: players: must have one entry"),
        ("[700, 400, 2400]", "[700, 400]", "line 21: finishing_stacks: must have one entry"),
        ("[700, 400, 2400]", "[700, -1, 2400]", "line 21: finishing_stacks: -1 chips"),
        ("hand = 'first'", "hand 'first'", "line 19: Expected '=' after a key"),
        ("'p1 f',\n]", "'p1 f',\n", "line 19: Invalid value"),
        ("hand = 'first'", "hand = " + "[" * 100_000, "line 1: lists are nested too deeply"),
        ("hand = 'first'", "hand = " + "9" * 5000, "line 21: Exceeds"),
    ],
)
def test_malformed_hands_are_named_by_line(old: str, new: str, message: str) -> None:
    assert old in HAND
    text = HAND.replace(old, new)
    with pytest.raises(InvalidInput, match=f"^{message}"):
        one(text)


def test_lines_are_counted_from_the_top_of_the_file() -> None:
    text = f"[1]\n{HAND}\n[2]\n{HAND}"
    for old, new, line in (
        ("'Bob', ", "", 44),
        ("'p2 f'", "'p2 x'", 39),
        ("min_bet = 100", "", 24),
        ("'NT'", "NT", 26),
    ):
        start, replaced, end = text.rpartition(old)
        assert replaced
        with pytest.raises(InvalidInput, match=f"^line {line}: "):
            list(read_phh(start + new + end))


def test_files_without_hands_or_with_the_same_twice() -> None:
    for text in ("", "# nothing\n\n"):
        with pytest.raises(InvalidInput, match="no hand in this file"):
            list(read_phh(text))
    with pytest.raises(InvalidInput, match=r"line 23: a hand above is already called \[1\]"):
        list(read_phh(f"[1]\n{HAND}[1]\n{HAND}"))


def test_hands_come_one_by_one() -> None:
    hands = read_phh(f"[1]\r\n{HAND}\n[2]\nvariant = 'XX'\n")
    assert next(hands).line == 1
    with pytest.raises(InvalidInput, match=r"^line 24: "):
        next(hands)


def test_antes_are_dead_unless_they_are_trimmed() -> None:
    trimmed = HAND.replace("[0, 0, 0]", "[60, 60, 60]")
    assert one(trimmed).variant.antes == (60,)
    dead = trimmed.replace("status = true", "status = false")
    assert one(dead).variant.antes == (60, 60, 60)
    unsaid = trimmed.replace("ante_trimming_status = true", "")
    assert one(unsaid) == one(dead)
    big_blind = one(dead.replace("[60, 60, 60]", "[0, 100, 0]"))
    assert big_blind.variant.antes == (0, 100, 0)
    assert outcome(big_blind).stacks == (700, 300, 2500)
    for history in (one(trimmed), one(dead), big_blind, one(HAND.replace("status = true", "status = false"))):
        assert one(write_hand(history)) == history


def test_codes() -> None:
    assert code_of(fixed_limit(10)) == "FT"
    assert code_of(replace(no_limit(1, 2), pot_cap=50, all_in=False)) == "NT"  # hands of NT, with less allowed
    for variant in (pot_limit(1, 2), no_limit(1, 2, deck="24"), LEDUC):
        assert code_of(variant) == ""


def test_negative_blinds_are_posts() -> None:
    history = one(HAND.replace("[50, 100, 0]", "[50, 100, -100]"))
    assert (history.variant.blinds, history.variant.posts) == ((50, 100), (0, 0, 100))
    assert "blinds_or_straddles = [50, 100, -100]" in write_hand(history)
    assert one(write_hand(history)) == history
    assert outcome(history).stacks == history.finishing_stacks
    straddled = one(HAND.replace("[50, 100, 0]", "[50, 0, 100]").replace("'p3 cbr 300 # she smiles',", "'p1 cc',"))
    assert straddled.variant.blinds == (50, 0, 100)
    assert one(write_hand(straddled)) == straddled


def test_posts_are_what_pokerkit_makes_of_them() -> None:
    posted = one(HAND.replace("[50, 100, 0]", "[50, 100, -50]"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        *_, state = pokerkit.HandHistory.loads(write_hand(posted))
    assert tuple(state.stacks) == outcome(posted).stacks == (700, 400, 2400)


def test_an_unknown_stack_is_as_large_as_it_has_to_be() -> None:
    history = one(HAND.replace("[1000, 500, 2000]", "[inf, 500, 2000]"))
    assert history.unknown_stacks == (0,)
    assert one(write_hand(history)) == history
    ends = outcome(history).stacks
    assert ends is not None
    assert (ends[0] - history.stacks[0], ends[1:]) == (-300, (400, 2400))


def test_a_player_with_an_unknown_stack_whose_turn_is_skipped_was_all_in() -> None:
    later = "'d db 2c3d9h', 'p3 cc', 'd db 2d', 'd db 2h', 'p1 sm AhAd', 'p3 sm'"
    text = HAND.replace("'d db 2c3d9h',\n  'p1 f',", later).replace("[1000, 500, 2000]", "[inf, 500, 2000]")
    history = one(text)
    *_, state = replay(history)
    assert (state.stacks[0], state.paid[0], state.is_over) == (0, 300, True)
    ends = outcome(history).stacks
    assert ends is not None
    assert (ends[0] - history.stacks[0], ends[1:]) == (400, (400, 1700))
    broken = one(text.replace("'p3 cc', 'd db 2d'", "'p2 cc', 'd db 2d'"))
    with pytest.raises(IllegalAction):
        outcome(broken)


def test_hands_between_damaged_ones_are_read() -> None:
    damaged = HAND.replace("'p2 f'", "'p2 x'")
    hands = list(read_each(f"[a]\n{damaged}[b]\n{HAND}[b]\n{HAND}[c]\nvariant = [\n[d]\n{HAND}"))
    assert [type(hand) for hand in hands] == [UnreadHand, History, UnreadHand, UnreadHand, History]
    assert [(hand.line, hand.label, str(hand.error)[:9]) for hand in hands if isinstance(hand, UnreadHand)] == [
        (1, "a", "line 16: "),
        (45, "b", "line 45: "),
        (67, "c", "line 68: "),
    ]


def test_a_poster_may_check_where_nobody_could_call_more() -> None:
    text = HAND.replace("[0, 0, 0]", "[0, 0, 0, 0]").replace("[50, 100, 0]", "[50, 100, 0, -100]")
    text = text.replace("[1000, 500, 2000]", "[50, 100, 30, 400]").replace(
        "['Ann', 'Bob', 'Cy']", "['A', 'B', 'C', 'D']"
    )
    start, _, end = text.partition("actions = [")
    end = end[end.index("]") :].replace("finishing_stacks = [700, 400, 2400]\n", "")
    for actions in ("'p3 f', 'p4 cc'", "'p3 cc', 'p4 cc'", "'p3 f'"):
        history = one(f"{start}actions = [{actions}{end}")
        *_, state = replay(history)
        assert (state.phase, state.stacks[3]) == (CHANCE, 300)
    early = one(f"{start}actions = ['p4 cc', 'p3 f'{end}")
    *_, state = replay(early)
    assert state.folded == (False, False, True, False)


def test_an_event_is_found_in_its_file() -> None:
    text = f"[1]\n{HAND}[2]\n{HAND.replace('first', 'second')}"
    first, second = read_phh(text)
    lines = text.splitlines()
    for history, begin in ((first, 0), (second, len(HAND.splitlines()) + 1)):
        for number, words in enumerate(["p3 cbr 300", "p1 cc", "p2 f", "d db 2c3d9h", "p1 f"], start=1):
            line = line_of_event(text, history, number)
            assert words in lines[line - 1], (number, line)
            assert line > begin
        assert line_of_event(text, history, 99) == history.line
