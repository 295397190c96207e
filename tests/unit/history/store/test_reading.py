"""Text to columns: the compiled reader beside the slow one."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.errors import RiverboatError
from riverboat.history.hand import History
from riverboat.history.phh import read_each, write_phh
from riverboat.history.store.columns import HandColumns, empty_columns, join, take
from riverboat.history.store.histories import columns_of
from riverboat.history.store.reading import read_text, split_text
from riverboat.history.store.replaying import NOT_KNOWN
from tests.unit.history.hands import histories
from tests.unit.history.store.columns import rows

GOLDEN = Path(__file__).resolve().parents[3] / "golden"
REAL = (GOLDEN / "real-hands-60.phhs").read_bytes()
PLAIN = """\
[{number}]
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1
starting_stacks = [10, 10, 20]
actions = ['d dh p1 AhKh', 'p3 cbr 3', 'p1 f', 'p2 cc', 'd db 2c3d9h', 'p2 cc', 'p3 cbr 2.50', 'p2 f']
hand = 7{number}
players = ['Ann', 'Bob', 'Cy']
finishing_stacks = [9.50, 7, 23.175]
"""
ONE = PLAIN.format(number=1)


def slowly(text: str) -> tuple[HandColumns, int]:
    """Return the hands by the reader that knows all of TOML, and how many are left out."""
    kept, left_out = [], 0
    for hand in read_each(text):
        try:
            kept.append(columns_of([hand] if isinstance(hand, History) else [][hand.line]))
        except (RiverboatError, IndexError):
            left_out += 1
    return join(kept), left_out


def test_real_hands_are_what_the_slow_reader_makes_of_them() -> None:
    columns, left_out = read_text(REAL)
    assert rows(columns) == rows(slowly(REAL.decode())[0])
    assert (columns.hand_count, left_out) == (60, [])


@pytest.mark.slow
def test_golden_hands_are_what_the_slow_reader_makes_of_them() -> None:
    text = (GOLDEN / "pluribus-5000.phhs").read_bytes()
    columns, left_out = read_text(text)
    assert rows(columns) == rows(slowly(text.decode())[0])
    assert (columns.hand_count, left_out) == (5000, [])


@settings(max_examples=40)
@given(st.lists(histories(), min_size=1, max_size=3))
def test_written_hands_are_read_the_same_way(hands: list[History]) -> None:
    text = write_phh(hands)
    columns, left_out = read_text(text.encode())
    assert (rows(columns), left_out) == (rows(slowly(text)[0]), [])


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_text_is_kept_or_left_out_as_by_the_slow_reader(data: st.DataObject) -> None:
    hand = ONE if data.draw(st.booleans()) else REAL.decode().split("\n\n")[45] + "\n"
    at = data.draw(st.integers(4, len(hand) - 1))
    size = data.draw(st.integers(0, 12))
    new = data.draw(st.sampled_from(["", "'", "[", "]", "9", "0", "-", ".", "#", "\n", "p1", " ", "inf", "As", "\\"]))
    text = hand[:at] + new + hand[at + size :]
    columns, left_out = read_text(text.encode())
    expected, count = slowly(text)
    assert (rows(columns), len(left_out)) == (rows(expected), count)


def test_what_cannot_be_replayed_is_named_by_line_and_left_out() -> None:
    damaged = {
        2: ("'p2 cc', 'd db", "'p2 cc', 'p2 cc', 'd db"),
        3: ("'d db 2c3d9h'", "'d db 2c3d'"),
        4: ("'d db 2c3d9h'", "'d db 2cAh9h'"),
        5: ("23.175", "21"),
        6: (", 'p2 f']", "]"),
        7: ("variant = 'NT'", "variant = 'PO'"),
        8: ("[10, 10, 20]", "[10, 10]"),
    }
    hands = [PLAIN.format(number=number) for number in range(1, 10)]
    text = "".join(hand.replace(*damaged.get(number, ("", ""))) for number, hand in enumerate(hands, start=1))
    columns, left_out = read_text(text.encode(), first_line=101)
    assert columns.number.tolist() == [71, 79]
    assert columns.line.tolist() == [101, 181]
    assert [hand.line for hand in left_out] == [111, 121, 131, 141, 151, 161, 171]
    assert "event 4 (seat 1: call): nobody is to act" in left_out[0].reason
    assert "finishing_stacks: are not what the rules say" in left_out[3].reason
    assert "the hand is not over" in left_out[4].reason
    assert left_out[5].reason.startswith("line 162: variant: 'PO'")


def test_rake_posts_and_unknown_stacks() -> None:
    columns, _ = read_text(ONE.encode())
    assert columns.rake.tolist() == [325]
    assert columns.won.tolist() == [-500, -3000, 3175]
    text = ONE.replace("[0.50, 1, 0]", "[0.50, 1, -1]").replace("[10, 10, 20]", "[10, inf, 20]")
    columns, left_out = read_text(text.encode())
    assert left_out == []
    assert columns.stack.tolist() == [10_000, -1, 20_000]
    assert columns.games[0].variant.posts == (0, 0, 1000)


def test_a_winner_who_is_not_known() -> None:
    text = ONE.replace("'p2 f']", "'p2 cc', 'd db 4c', 'p2 cc', 'p3 cc', 'd db 5c', 'p2 cc', 'p3 cc']")
    columns, left_out = read_text(text.encode())
    assert (columns.won.tolist(), left_out) == ([NOT_KNOWN] * 3, [])


@pytest.mark.parametrize(
    "text",
    [
        ONE.partition("\n")[2],  # one hand without a header
        "# a comment\n\n" + ONE,
        ONE.replace("\n", "\r\n"),
        ONE.replace("'p1 f', ", "'p1 f',\n  "),  # a list on several lines
        ONE.replace("'Cy'", '"C\\u00fd"').replace("'Ann'", "'Änn'"),
        ONE.replace("cbr 3'", "cbr 3 # she smiles'"),
        ONE + "[1._more]\nkey = 1\n",
        ONE.replace("players = ['Ann', 'Bob', 'Cy']\n", ""),
        ONE.replace("hand = 71", "hand = 'final'"),
        ONE + "_pot_cap = 100\n",
        ONE.replace("'NT'", "'NS'").replace("2c3d9h", "6c7d9h"),
    ],
)
def test_other_forms_of_text_are_read(text: str) -> None:
    columns, left_out = read_text(text.encode())
    assert left_out == []
    assert rows(columns) == rows(slowly(text)[0])


def test_bytes_that_are_no_text_cost_one_hand() -> None:
    text = ONE.encode() + ONE.replace("[1]", "[2]").encode().replace(b"Bob", b"B\xffb") + b"[3]\n" + ONE.encode()[4:]
    columns, left_out = read_text(text)
    assert (columns.hand_count, [hand.reason for hand in left_out]) == (2, ["not UTF-8 text"])


@given(st.integers(1, 5000), st.integers(1, 5000))
def test_a_text_is_split_between_hands(size: int, block: int) -> None:
    blocks = (REAL[at : at + block] for at in range(0, len(REAL), block))
    parts = list(split_text(blocks, size))
    assert b"".join(parts) == REAL
    assert all(part.startswith(b"[") for part in parts)
    assert all(len(part) >= size for part in parts[:-1])


def test_taking_and_joining() -> None:
    columns, _ = read_text(REAL)
    halves = [take(columns, columns.number.argsort()[:0] + 0)]
    assert rows(join(halves)) == rows(empty_columns())
    even, odd = (take(columns, columns.line.nonzero()[0][start::2]) for start in (0, 1))
    both = join([even, odd])
    order = both.line.argsort()
    assert rows(take(both, order)) == rows(columns)
