"""Logs: entries are found by number, packed or not, within a common limit of hands."""

from hypothesis import given
from hypothesis import strategies as st

from riverboat.marks import Mark
from riverboat.tables import entries
from riverboat.tables.log import Log, Shelf

small = st.integers(0, 9)
numbers = st.lists(small, max_size=3).map(tuple)
marks = st.builds(entries.MarkedMove, small, small, st.sampled_from(Mark), st.text(max_size=3))
others: st.SearchStrategy[entries.Entry] = st.one_of(
    st.builds(entries.PlayerJoined, small, st.text(max_size=3), small),
    st.builds(entries.PlayerLeft, small),
    st.builds(entries.ChipsBought, small, small),
    st.builds(entries.SeatMoved, small, small, st.booleans()),
    st.builds(entries.BoardOpened, numbers),
    st.builds(entries.HoldingShown, small, numbers),
    st.builds(entries.HandFinished, numbers, st.text(max_size=3)),
    st.builds(entries.HandFinished, numbers, st.text(max_size=3), st.lists(marks, max_size=3).map(tuple)),
    st.just(entries.TableClosed()),
)
hands = st.lists(st.lists(others, max_size=4), max_size=12)


def began(number: int) -> entries.HandBegan:
    return entries.HandBegan(hand_number=number, chairs=(0, 1), stacks=(5, 5), names=("ann", "bob"), commitment="c")


def fill(log: Log, before: list[entries.Entry], all_hands: list[list[entries.Entry]]) -> list[entries.Entry]:
    """Add these entries; return all of them in one list."""
    written = list(before)
    for number, rest in enumerate(all_hands, start=1):
        written += [began(number), *rest]
    for entry in written:
        log.append(entry)
    return written


@given(before=st.lists(others, max_size=3), all_hands=hands, most=st.integers(1, 8), ends=st.tuples(small, small))
def test_a_log_is_a_list_without_its_beginning(
    before: list[entries.Entry], all_hands: list[list[entries.Entry]], most: int, ends: tuple[int, int]
) -> None:
    log = Log(Shelf(most))
    written = fill(log, before, all_hands)
    assert log.end == len(written)
    assert log.since(0) == written[log.first :]
    begin, end = 3 * ends[0], 3 * ends[1]
    assert log.between(begin, end) == written[max(begin, log.first) : end]
    begins = [place for place, entry in enumerate(written) if isinstance(entry, entries.HandBegan)]
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
