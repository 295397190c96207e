"""Logs: entries are found by number, packed or not, within a common limit of hands."""

from hypothesis import given
from hypothesis import strategies as st

from riverboat.marks import Mark
from riverboat.tables.entries import (
    BoardOpened,
    ChipsBought,
    Entry,
    HandBegan,
    HandFinished,
    HoldingShown,
    MarkedMove,
    PlayerJoined,
    PlayerLeft,
    SeatMoved,
    TableClosed,
)
from riverboat.tables.log import Log, Shelf

small = st.integers(0, 9)
numbers = st.lists(small, max_size=3).map(tuple)
marks = st.builds(MarkedMove, small, small, st.sampled_from(Mark), st.text(max_size=3))
others: st.SearchStrategy[Entry] = st.one_of(
    st.builds(PlayerJoined, small, st.text(max_size=3), small),
    st.builds(PlayerLeft, small),
    st.builds(ChipsBought, small, small),
    st.builds(SeatMoved, small, small, st.booleans()),
    st.builds(BoardOpened, numbers),
    st.builds(HoldingShown, small, numbers),
    st.builds(HandFinished, numbers, st.text(max_size=3)),
    st.builds(HandFinished, numbers, st.text(max_size=3), st.lists(marks, max_size=3).map(tuple)),
    st.just(TableClosed()),
)
hands = st.lists(st.lists(others, max_size=4), max_size=12)


def began(number: int) -> HandBegan:
    return HandBegan(number, (0, 1), (5, 5), ("ann", "bob"), "c")


def fill(log: Log, before: list[Entry], all_hands: list[list[Entry]]) -> list[Entry]:
    """Add these entries; return all of them in one list."""
    entries = list(before)
    for number, rest in enumerate(all_hands, start=1):
        entries += [began(number), *rest]
    for entry in entries:
        log.append(entry)
    return entries


@given(before=st.lists(others, max_size=3), all_hands=hands, most=st.integers(1, 8), ends=st.tuples(small, small))
def test_a_log_is_a_list_without_its_beginning(
    before: list[Entry], all_hands: list[list[Entry]], most: int, ends: tuple[int, int]
) -> None:
    log = Log(Shelf(most))
    entries = fill(log, before, all_hands)
    assert log.end == len(entries)
    assert log.since(0) == entries[log.first :]
    begin, end = 3 * ends[0], 3 * ends[1]
    assert log.between(begin, end) == entries[max(begin, log.first) : end]
    begins = [place for place, entry in enumerate(entries) if isinstance(entry, HandBegan)]
    for number in range(log.first_hand, len(all_hands) + 1):
        assert log.hand(number) == begins[number - 1]
    assert log.hand(len(all_hands) + 1) == log.end
    assert log.kept_hands == len(all_hands) + 1 - log.first_hand
    assert log.kept_hands <= max(most, 2)  # the last two are always kept


def test_the_log_with_most_hands_gives_up_its_oldest() -> None:
    shelf = Shelf(20)
    long, short = Log(shelf), Log(shelf)
    fill(short, [], [[]] * 4)
    fill(long, [], [[]] * 16)
    assert (long.kept_hands, short.kept_hands) == (16, 4)
    short.append(began(5))
    assert short.kept_hands == 5
    assert 2 < long.kept_hands < 16


def test_a_log_that_is_gone_leaves_room() -> None:
    shelf = Shelf(20)
    gone, log = Log(shelf), Log(shelf)
    fill(gone, [], [[]] * 15)
    shelf.remove(gone)
    fill(log, [], [[]] * 20)
    assert log.kept_hands == 20
