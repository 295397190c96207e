"""Records of finished hands: their public events, and the same as a PHH file."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from riverboat.dealing.file_entries import plain_openings
from riverboat.errors import InvalidInput
from riverboat.history.hand import History, HistoryEvent, Show
from riverboat.history.phh import write_hand
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.variant import Variant
from riverboat.tables.entries import (
    BoardOpened,
    Entry,
    HandBegan,
    HandFinished,
    HoldingShown,
    NumberedEntry,
    SeatMoved,
    numbered,
)
from riverboat.tables.hand import with_posts
from riverboat.tables.table import Table

MOST_HANDS = 1_000
_MOST_BYTES = 2_500_000  # of all hands in one answer, roughly; the client asks again for the rest
_ENTRY_BYTES, _OPENING_BYTES = 60, 220


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """A finished hand: its public events, and the same as a PHH file."""

    hand_number: int
    variant: Variant
    names: tuple[str, ...]  # by seat
    first_entry: int
    entries: tuple[Entry, ...]
    phh: str
    table_id: str = ""

    @property
    def events(self) -> tuple[NumberedEntry, ...]:
        """The entries with their numbers."""
        return numbered(self.first_entry, self.entries)


def hand_records(table: Table, first_hand: int, hand_count: int) -> list[HandRecord]:
    """Return up to `hand_count` finished hands, from number `first_hand` on; fewer if they would be a large message."""
    if not 0 <= hand_count <= MOST_HANDS:
        raise InvalidInput("hand_count", f"must be 0 to {MOST_HANDS:,}, not {hand_count}")
    if first_hand < 1:
        raise InvalidInput("first_hand", f"must be at least 1, not {first_hand}")
    over = min(table.hand_count - table.is_in_hand, table.public_hand_count)
    first_hand = max(first_hand, table.log.first_hand)
    records: list[HandRecord] = []
    size = 0
    for number in range(first_hand, min(first_hand + hand_count, over + 1)):
        records.append(_record(table, number))
        size += _size(records[-1])
        if size > _MOST_BYTES:
            break
    return records


def _size(record: HandRecord) -> int:
    """Return the approximate size of a record in a message, in bytes."""
    opened = sum(len(entry.cards) for entry in record.entries if isinstance(entry, BoardOpened | HoldingShown))
    return len(record.phh) + _ENTRY_BYTES * len(record.entries) + _OPENING_BYTES * opened


def _record(table: Table, number: int) -> HandRecord:
    first = table.log.hand(number)
    entries: list[Entry] = []
    for entry in table.log.between(first, table.log.hand(number + 1)):
        entries.append(entry)
        if isinstance(entry, HandFinished):
            break
    began = entries[0]
    names = began.names if isinstance(began, HandBegan) else ()
    variant = with_posts(table.variant_of(number), began.posts if isinstance(began, HandBegan) else ())
    phh = _phh(table.id, variant, number, entries)
    return HandRecord(
        hand_number=number,
        variant=variant,
        names=names,
        first_entry=first,
        entries=tuple(entries),
        phh=phh,
        table_id=table.id,
    )


def _plain_deal(table_id: str, variant: Variant, began: HandBegan, entries: Sequence[Entry]) -> dict[str, Any]:
    """Return the proof of the cards that everybody saw."""
    size = variant.deck.holding_size
    shown = [(size * entry.seat, entry.openings) for entry in entries if isinstance(entry, HoldingShown)]
    board = [(entry.position, entry.openings) for entry in entries if isinstance(entry, BoardOpened)]
    return {
        "table": table_id,
        "attempt": began.attempt,
        "roots": began.roots,
        "chairs": began.chairs,
        "secrets": began.secrets,
        "other_seed": began.other_seed,
        "openings": plain_openings([*shown, *board]),
    }


def _phh(table_id: str, variant: Variant, number: int, entries: Sequence[Entry]) -> str:
    history = history_of(table_id, variant, number, entries)
    return write_hand(history) if history else ""


def history_of(table_id: str, variant: Variant, number: int, entries: Sequence[Entry]) -> History | None:
    """Return what everybody may know of a finished hand; None unless its entries include its start and its end."""
    began, finished = (entries[0], entries[-1]) if entries else (None, None)
    if not isinstance(began, HandBegan) or not isinstance(finished, HandFinished):
        return None
    holdings: list[tuple[int, ...] | None] = [None] * len(began.chairs)
    events: list[HistoryEvent] = []
    for entry in entries:
        match entry:
            case SeatMoved():
                events.append(Move(entry.seat, entry.action))
            case BoardOpened():
                events.append(BoardDealt(entry.cards))
            case HoldingShown():
                holdings[entry.seat] = entry.cards
                events.append(Show(entry.seat, entry.cards))
    stacks = tuple(stack + payoff for stack, payoff in zip(began.stacks, finished.payoffs, strict=True))
    extra: dict[str, Any] = {"commitment": began.commitment, "seed": finished.seed}
    if began.attempt:
        extra["_deal"] = _plain_deal(table_id, variant, began, entries)
    if finished.marks:  # the first move is 1, as for people
        extra["_marks"] = [
            {
                "action": move.action_number + 1,
                "player": f"p{move.seat + 1}",
                "mark": move.mark.name.lower(),
                "reason": move.reason,
            }
            for move in finished.marks
        ]
    return History(
        variant=variant,
        stacks=began.stacks,
        holdings=tuple(holdings),
        events=tuple(events),
        names=began.names,
        finishing_stacks=stacks,
        label=number,
        extra=extra,
    )
