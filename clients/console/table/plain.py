"""Text from strangers, made harmless: names and messages may hold anything."""

import unicodedata

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
