"""The history folder: what is kept of a sitting, and what is read back."""

from dataclasses import replace
from pathlib import Path
from unittest import mock

from riverboat.cards import parse_cards
from riverboat.clients.console.commands import hands as hands_command
from riverboat.clients.console.commands import review as review_command
from riverboat.clients.console.hands.history_folder import SittingFile, sitting_paths, sittings
from riverboat.clients.console.hands.session_review import plan_review
from riverboat.clients.console.settings import history_folder
from riverboat.history.hand import History
from riverboat.history.phh import UnreadHand, read_each
from riverboat.tables.records import hand_records, history_of
from tests.commands import run_command
from tests.unit.clients.console.table.tables import SEED, deal, play, table_of

NOON = 1_763_553_600.0


def played(count: int) -> list[History]:
    """Return hands in which the button raises and wins the blinds."""
    table = table_of("Anna", "Bob")
    for number in range(count):
        play(deal(table, SEED[::-1] if number % 2 else SEED), 300, -1)
    histories = []
    for record in hand_records(table, 1, count):
        history = history_of(table.id, record.variant, record.hand_number, record.entries)
        assert history
        histories.append(history)
    return histories


def kept(folder: Path, count: int = 3, table_id: str = "3f2a91c0d4e5", at: float = NOON) -> SittingFile:
    file = SittingFile(folder, table_id, lambda: at)
    for history in played(count):
        file.keep(history, "Anna")
    return file


def test_hands_are_kept_as_phh_and_read_back(tmp_path: Path) -> None:
    file = kept(tmp_path / "hands")
    assert file.count == 3
    assert file.path.stat().st_mode & 0o777 == 0o600
    hands = list(read_each(file.path.read_text()))
    assert [hand.label for hand in hands if isinstance(hand, History)] == [1, 2, 3]
    (sitting,) = sittings(tmp_path / "hands", 10)
    assert (sitting.player, len(sitting.hands), sitting.unread_count) == ("Anna", 3, 0)
    assert sitting.begun.startswith("2025-11-")
    assert [hand.events for hand in sitting.hands] == [hand.events for hand in played(3)]


def test_the_folder_is_named_once_and_a_full_disk_ends_keeping_only(tmp_path: Path) -> None:
    first = kept(tmp_path / "hands")
    assert any(str(tmp_path / "hands") in line for line in first.words())
    assert kept(tmp_path / "hands", at=NOON + 60).words() == []
    assert SittingFile(tmp_path / "none", "t").words() == [], "nothing was played"
    (tmp_path / "file").write_text("")
    broken = kept(tmp_path / "file" / "hands")
    assert broken.count == 0
    assert len(broken.words()) == 1
    assert "hands are not kept" in broken.words()[0]


def test_a_setting_names_the_folder_or_is_off(tmp_path: Path) -> None:
    for text, expected in (("off", None), (str(tmp_path), tmp_path)):
        with mock.patch.dict("os.environ", {"RIVERBOAT_HISTORY": text}):
            assert history_folder() == expected


def test_hands_lists_sittings_the_last_first(tmp_path: Path) -> None:
    kept(tmp_path, 3)
    kept(tmp_path, 1, "later", NOON + 3600)
    assert [path.name[-10:] for path in sitting_paths(tmp_path)] == ["later.phhs", "0d4e5.phhs"]
    with mock.patch.dict("os.environ", {"RIVERBOAT_HISTORY": str(tmp_path)}):
        code, text = run_command([hands_command], "hands")
    assert code == 0
    rows = [line.split() for line in text.splitlines()]
    assert rows[0] == ["begun", "game", "against", "hands", "chips", "bb/100", "file"]
    assert rows[1][4:8] == ["Bob", "1", "+100", "+100"]
    assert rows[2][4:8] == ["Bob", "3", "+100", "+33"]


def test_a_review_without_a_file_and_without_hands_says_what_to_do(tmp_path: Path) -> None:
    with mock.patch.dict("os.environ", {"RIVERBOAT_HISTORY": str(tmp_path)}):
        code, text = run_command([review_command], "review")
    assert code == 2
    assert text == f"no hands in {tmp_path} yet: play some (riverboat play), or name a FILE"


def test_a_plan_names_what_it_leaves_out(tmp_path: Path) -> None:
    hands = list(enumerate(played(2), start=1))
    known = [(number, with_cards(hand)) for number, hand in hands]
    plan = plan_review(tmp_path, known, "Anna")
    assert [(at.number, at.seat, at.turn_count) for at in plan.seats] == [(1, 1, 1), (2, 0, 1)]
    assert plan.left_out == {}
    unread = UnreadHand(1, "", Exception())  # type: ignore[arg-type]
    plan = plan_review(tmp_path, [*hands, (3, unread)], "Anna")
    assert plan.seats == []
    assert plan.left_out == {"have a player whose cards are unknown": 2, "cannot be read": 1}
    assert plan_review(tmp_path, known, "Cid").left_out == {"are not of this player": 2}


def with_cards(hand: History) -> History:
    """Return a hand in which Anna's cards are known, as in the player's own file."""
    seat = hand.names.index("Anna")
    holdings = tuple(parse_cards("AhAd") if place == seat else None for place in range(2))
    return replace(hand, holdings=holdings)
