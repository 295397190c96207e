"""How long answers took: kept in a file, whatever is in it."""

from pathlib import Path

import pytest

from riverboat.clients.console.table.durations import Durations, seconds_words


def test_they_are_kept_and_follow_what_is_new(tmp_path: Path) -> None:
    path = tmp_path / "new" / "durations.json"
    durations = Durations(path)
    assert durations.expected("a") is None
    durations.note("a", 10)
    durations.note("a", 20)
    assert Durations(path).expected("a") == 15


@pytest.mark.parametrize("text", ["", "[]", '{"a": "x"}', '{"a": -1}', '{"a": null}', "\x00"])
def test_a_file_that_says_nothing_is_no_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "durations.json"
    path.write_text(text)
    durations = Durations(path)
    assert durations.expected("a") is None
    durations.note("a", 1)
    assert Durations(path).expected("a") == 1


def test_without_a_place_for_the_file_they_are_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    durations = Durations(tmp_path / "file" / "durations.json")
    durations.note("a", 3)
    assert durations.expected("a") == 3


def test_words() -> None:
    assert [seconds_words(x) for x in (0.3, 4.4, 17, 46, 130)] == [
        "a second or two", "about 4 s", "about 15 s", "about 45 s", "about 2 min",
    ]  # fmt: skip
