"""Slumbot's answers, checked: nothing that a server sends is trusted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from riverboat.cards import parse_cards
from riverboat.errors import InvalidInput, in_field
from riverboat.history.slumbot import STACK

_LONGEST_ACTION, _LONGEST_TOKEN = 500, 200  # characters
_MOST_CARDS = {"hole_cards": 2, "bot_hole_cards": 2, "board": 5}


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAnswer:
    """A hand as the server describes it to us."""

    token: str  # of the session; "" if the answer has none
    action: str  # the betting so far
    seat: int  # ours: 0 has the big blind
    holding: tuple[int, ...]
    board: tuple[int, ...]
    bot_holding: tuple[int, ...] | None  # None before the end of the hand
    winnings: int | None  # chips that we won; None before the end of the hand
    baseline: int | None  # what the server's own player would have won in our place; None if it does not say

    @property
    def is_over(self) -> bool:
        """Whether the hand has a result."""
        return self.winnings is not None


def read_answer(document: Mapping[str, Any]) -> HandAnswer:
    """Return an answer; an error names the field that is wrong."""
    holding, bot_holding = _cards(document, "hole_cards"), _cards(document, "bot_hole_cards")
    seat = _integer(document, "client_pos", 1)
    if len(holding) != 2:
        raise InvalidInput("hole_cards", f"must be two cards, not {len(holding)}")
    if seat not in (0, 1):
        raise InvalidInput("client_pos", f"must be 0 or 1, not {seat}")
    return HandAnswer(
        token=_text(document, "token", _LONGEST_TOKEN),
        action=_text(document, "action", _LONGEST_ACTION),
        seat=seat,
        holding=holding,
        board=_cards(document, "board"),
        bot_holding=bot_holding or None,
        winnings=_integer(document, "winnings", STACK),
        baseline=_integer(document, "baseline_winnings", STACK),
    )


def _text(document: Mapping[str, Any], name: str, longest: int) -> str:
    value = document.get(name) or ""
    if not isinstance(value, str) or len(value) > longest:
        raise InvalidInput(name, f"must be a text of at most {longest} characters")
    return value


def _integer(document: Mapping[str, Any], name: str, most: int) -> int | None:
    value = document.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > most:
        raise InvalidInput(name, f"must be a number from {-most:,} to {most:,}, not {str(value)[:20]!r}")
    return value


def _cards(document: Mapping[str, Any], name: str) -> tuple[int, ...]:
    value = document.get(name) or []
    if not isinstance(value, list) or len(value) > _MOST_CARDS[name] or not all(isinstance(x, str) for x in value):
        raise InvalidInput(name, f"must be a list of at most {_MOST_CARDS[name]} cards")
    with in_field(name):
        return parse_cards("".join(value))
