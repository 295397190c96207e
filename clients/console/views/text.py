"""Text on a terminal: strangers' text made harmless, chips, cards, and lines that fit."""

import sys
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from riverboat.clients.console.settings import speaks_utf8
from riverboat.marks import Mark

_SUIT_STYLES = {"c": "green", "d": "blue", "h": "red", "s": "default"}
_SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def plain(text: str, width: int | None = None) -> str:
    """Return printable characters only, on one line, at most `width` columns wide."""
    kept = "".join(map(_kept, unicodedata.normalize("NFC", text)))
    if width is None or cell_len(kept) <= width:
        return kept
    return set_cell_size(kept, max(0, width - 1)).rstrip() + "…"


def _kept(char: str) -> str:
    """Return the character; a question mark for one that moves the cursor, reverses the line or combines."""
    return char if char.isprintable() and not unicodedata.category(char).startswith("M") else "?"


def chips_text(chips: int, sign: bool = False) -> str:
    """Return chips as people read them."""
    return f"{chips:+,}" if sign else f"{chips:,}"


@lru_cache(maxsize=1)
def has_suit_signs() -> bool:
    """Return whether standard output is a terminal that can show ♠; pipes and other terminals get letters."""
    return sys.stdout.isatty() and speaks_utf8()


def card_word(card: str) -> str:
    """Return a card like "Ah", with the sign of its suit where the terminal has one."""
    signs = _SUIT_SIGNS if has_suit_signs() else {}
    return card[:-1] + signs.get(card[-1:], card[-1:])


def cards_words(cards: str) -> str:
    """Return "Ah Kd" for "AhKd"."""
    return " ".join(card_word(cards[i : i + 2]) for i in range(0, len(cards), 2))


def cards_text(cards: str) -> Text:
    """Return cards with spaces between them, coloured by suit on a terminal."""
    text, known = Text(), plain(cards)
    for i in range(0, len(known), 2):
        card = known[i : i + 2]
        text.append(" " if text else "").append(card_word(card), style=_SUIT_STYLES.get(card[-1], ""))
    return text


def wrapped(parts: Iterable[str], width: int) -> list[str]:
    """Return parts in a row; lines break between parts, and inside one only if it is longer than a line."""
    lines = [""]
    for part in parts:
        for piece in [part] if cell_len(part) <= width else part.split():
            longer = f"{lines[-1]} {piece}" if lines[-1] else piece
            if cell_len(longer) <= width:
                lines[-1] = longer
            elif lines[-1]:
                lines.append(plain(piece, width))
            else:
                lines[-1] = plain(piece, width)
    return lines


def mark_words(mark: Mark) -> str:
    """Return how a decision was made that was not made as intended: "a fallback"."""
    return "cut short by a deadline" if mark is Mark.PARTIAL else "a fallback"
