"""Texts of poker sites as columns: read hand by hand, by the same rules as every other history."""

from collections.abc import Iterator

from riverboat.errors import RiverboatError
from riverboat.history.phh import UnreadHand
from riverboat.history.sites.formats import SiteFormat
from riverboat.history.sites.lines import hands_of
from riverboat.history.sites.reading import read_one
from riverboat.history.store.columns import HandColumns, join
from riverboat.history.store.histories import columns_of
from riverboat.history.store.reading import LeftOut


def read_site_text(site: SiteFormat, text: bytes, first_line: int = 1) -> tuple[HandColumns, list[LeftOut]]:
    """Return the hands of a text whose first line is `first_line`, and those that are left out."""
    columns, left_out = list[HandColumns](), list[LeftOut]()
    for place, lines in hands_of(site, text.decode("utf-8", "replace")):
        line = place + first_line - 1
        hand = read_one(site, line, lines)
        try:
            if isinstance(hand, UnreadHand):
                raise hand.error
            columns.append(columns_of([hand]))
        except RiverboatError as error:
            left_out.append(LeftOut(line, str(error)))
    return join(columns), left_out


def split_site_text(site: SiteFormat, chunks: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Yield a text that comes in pieces as pieces of whole hands, each of at least `size` bytes but the last."""
    waiting = b""
    for chunk in chunks:
        waiting += chunk
        while len(waiting) >= 2 * size:
            cut = _hand_after(site, waiting, size)
            if cut is None:
                break
            yield waiting[:cut]
            waiting = waiting[cut:]
    if waiting:
        yield waiting


def _hand_after(site: SiteFormat, text: bytes, start: int) -> int | None:
    """Return where the first hand after `start` begins; None if none does."""
    place = text.find(b"\n", start) + 1
    while place:
        end = text.find(b"\n", place)
        line = text[place : end if end >= 0 else len(text)]
        if site.begins.match(line.decode("utf-8", "replace").strip()):
            return place
        place = end + 1
    return None
