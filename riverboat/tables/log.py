"""The log of a table: its entries that are still in memory, in order."""

import json
from bisect import bisect_right
from dataclasses import fields, replace
from typing import Any, get_args

from riverboat.cards import find_deck
from riverboat.marks import Mark
from riverboat.tables.deals import DealtDeck
from riverboat.tables.entries import BoardOpened, Entry, HandBegan, HandFinished, HoldingShown, MarkedMove
from riverboat.tables.events import dumps

MOST_HANDS = 100_000  # of all tables together, some 100 MB; older ones are only in the journal
_OPEN_CHAPTERS = 2  # the hand being played and the one before, which spectators still read
_KINDS: tuple[type[Any], ...] = get_args(Entry)
_FIELDS = {
    kind: (place, tuple(field.name for field in fields(kind) if field.name != "dealt"))
    for place, kind in enumerate(_KINDS)
}
_WITH_DECK = (HandBegan, BoardOpened, HoldingShown)


class Log:
    """Entries by number, without gaps. They are in chapters: one before the first hand, then one for each hand.

    Older chapters, which are rarely read, are kept as bytes, which take a quarter of the memory.
    """

    def __init__(self, shelf: "Shelf") -> None:
        self._shelf = shelf
        self._starts = [0]  # the number of the first entry of each chapter that is kept
        self._packed: list[bytes] = []
        self._open: list[list[Entry]] = [[]]  # the chapters after those
        self._end = 0
        self._dropped = 0  # chapters
        shelf.add(self)

    @property
    def first(self) -> int:
        """The number of the oldest entry that is kept."""
        return self._starts[0]

    @property
    def first_hand(self) -> int:
        """The number of the oldest hand that is kept, or of the next one."""
        return max(1, self._dropped)

    @property
    def kept_hands(self) -> int:
        """How many hands are kept."""
        return self._dropped + len(self._starts) - self.first_hand

    @property
    def end(self) -> int:
        """The number that the next entry will have."""
        return self._end

    def since(self, number: int) -> list[Entry]:
        """Return all kept entries from `number` on."""
        return self.between(number, self._end)

    def between(self, number: int, end: int) -> list[Entry]:
        """Return the kept entries from `number` up to `end`."""
        number, end = max(number, self.first), min(end, self._end)
        if number >= end:
            return []
        place = bisect_right(self._starts, number) - 1
        begin, entries = self._starts[place], list[Entry]()
        while place < len(self._starts) and self._starts[place] < end:
            entries += self._chapter(place)
            place += 1
        return entries[number - begin : end - begin]

    def hand(self, number: int) -> int:
        """Return the number of the first entry of a hand; after the last hand, the end."""
        place = max(0, number - self._dropped)
        return self._starts[place] if place < len(self._starts) else self._end

    def append(self, entry: Entry) -> None:
        """Add an entry."""
        if isinstance(entry, HandBegan):
            self._starts.append(self._end)
            self._open.append([])
            if len(self._open) > _OPEN_CHAPTERS:
                self._packed.append(_pack(self._open.pop(0)))
        self._open[-1].append(entry)
        self._end += 1
        if isinstance(entry, HandBegan):
            self._shelf.add_hand()

    @property
    def is_droppable(self) -> bool:
        """Whether the log has older chapters that may be dropped."""
        return bool(self._packed)

    def drop_half(self) -> int:
        """Drop the older half of the droppable chapters; return how many hands they had."""
        before, count = self.kept_hands, (len(self._packed) + 1) // 2
        del self._packed[:count], self._starts[:count]
        self._dropped += count
        return before - self.kept_hands

    def _chapter(self, place: int) -> list[Entry]:
        opened = place - len(self._packed)
        return self._open[opened] if opened >= 0 else _unpack(self._packed[place])


class Shelf:
    """The logs of all tables. They share a limit of hands; beyond it, the log with most hands drops its oldest."""

    def __init__(self, most_hands: int = MOST_HANDS) -> None:
        self._most_hands = most_hands
        self._logs: set[Log] = set()
        self._hands = 0

    def add(self, log: Log) -> None:
        """Count a new log."""
        self._logs.add(log)

    def remove(self, log: Log) -> None:
        """Stop counting a log."""
        self._logs.discard(log)
        self._hands -= log.kept_hands

    def add_hand(self) -> None:
        """Count a hand that has begun, and make room for it."""
        self._hands += 1
        while self._hands > self._most_hands:
            fullest = max(self._logs, key=lambda log: log.kept_hands)
            if not fullest.is_droppable:
                return
            self._hands -= fullest.drop_half()


def _pack(entries: list[Entry]) -> bytes:
    """Return entries without the deck of the hand, which comes before them once."""
    dealt = next((entry.dealt for entry in entries if isinstance(entry, HandBegan)), None)
    packed: list[Any] = [[dealt.deck.name, dealt.seed, dealt.mix] if dealt else None]
    for entry in entries:
        kind, names = _FIELDS[type(entry)]
        packed.append([kind, *(getattr(entry, name) for name in names)])
    return dumps(packed).encode()


def _unpack(packed: bytes) -> list[Entry]:
    deck, *entries = json.loads(packed)
    dealt = DealtDeck(find_deck(deck[0]), *deck[1:]) if deck else None
    return [_unpacked(_KINDS[kind], values, dealt) for kind, *values in entries]


def _unpacked(kind: type[Any], values: list[Any], dealt: DealtDeck | None) -> Entry:
    named = dict(zip(_FIELDS[kind][1], map(_as_tuple, values), strict=True))
    entry: Entry = kind(**named, **({"dealt": dealt} if kind in _WITH_DECK else {}))
    return _with_marks(entry)


def _with_marks(entry: Entry) -> Entry:
    """Return an entry whose marks are values again."""
    if not isinstance(entry, HandFinished) or not entry.marks:
        return entry
    marks = (MarkedMove(number, seat, Mark(mark), reason) for number, seat, mark, reason in entry.marks)
    return replace(entry, marks=tuple(marks))


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
