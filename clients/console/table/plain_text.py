"""Text from strangers, made harmless: names and messages may hold anything."""

import unicodedata
from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size


def plain(text: str, width: int | None = None) -> str:
    """Printable characters only, one line, at most `width` columns wide."""
    kept = "".join(map(_kept, unicodedata.normalize("NFC", text)))
    if width is None or cell_len(kept) <= width:
        return kept
    return set_cell_size(kept, max(0, width - 1)).rstrip() + "…"


def _kept(char: str) -> str:
    """The character; a question mark for those that move the cursor, turn the line around or pile up on others."""
    return char if char.isprintable() and not unicodedata.category(char).startswith("M") else "?"


def chips_text(chips: int, sign: bool = False) -> str:
    """Chips as people read them."""
    return f"{chips:+,}" if sign else f"{chips:,}"


def cards_words(cards: str) -> str:
    """ "AhKd" as "Ah Kd"."""
    return " ".join(cards[i : i + 2] for i in range(0, len(cards), 2))


def joined(words: list[str]) -> str:
    """ "Ann, Bob and Cid"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def wrapped(parts: Iterable[str], width: int) -> list[str]:
    """Parts in a row; lines break between them, and inside of one only if it is longer than a line."""
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
