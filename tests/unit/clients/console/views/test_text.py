"""Cards in text: signs of suits where a terminal can show them, letters elsewhere."""

from collections.abc import Iterator

import pytest

from riverboat.cards import parse_cards
from riverboat.clients.console.settings import speaks_utf8
from riverboat.clients.console.views import text
from riverboat.clients.console.views.text import cards_text, cards_words, has_suit_signs


@pytest.fixture(autouse=True)
def _anew() -> Iterator[None]:
    has_suit_signs.cache_clear()
    yield
    has_suit_signs.cache_clear()


class Terminal:
    """A standard output that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_pipe_has_letters() -> None:
    assert cards_words("AhTd") == "Ah Td"


def test_a_terminal_with_utf_8_has_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setattr(text, "speaks_utf8", lambda: True)
    assert cards_words("AhTd2cKs") == "A♥ T♦ 2♣ K♠"
    shown = cards_text("AhTd")
    assert (shown.plain, [str(span.style) for span in shown.spans]) == ("A♥ T♦", ["red", "blue"])
    assert parse_cards(cards_words("AhTd")) == parse_cards("AhTd"), "what is copied from the screen can be typed"


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LANG": "en_GB.UTF-8"}, True),
        ({"LANG": "C.UTF-8"}, True),
        ({"LANG": "C"}, False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),  # as Python leaves it
        ({"LANG": "C", "LC_CTYPE": "de_DE.utf8"}, True),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "C"}, False),
        ({}, False),
    ],
)
def test_the_locale_says_what_a_terminal_can_show(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: bool
) -> None:
    for name in ("LANG", "LC_ALL", "LC_CTYPE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert speaks_utf8() is expected
