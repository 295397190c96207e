"""Views of a table: one chair's, and everybody's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from riverboat.dealing.memory import ComingDeal
from riverboat.dealing.predeck import Opening
from riverboat.marks import DecisionCounts
from riverboat.rules.state import PublicState, View
from riverboat.tables.config import TableConfig
from riverboat.tables.contributions import may_contribute
from riverboat.tables.entries import DealVoided, Entry, HandFinished, NumberedEntry, SeatMoved, numbered
from riverboat.tables.table import Table


class Status(IntEnum):
    """The status of a table."""

    WAITING = 1
    PLAYING = 2
    CLOSED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ChairView:
    """The occupant of a chair."""

    chair: int
    name: str
    stack: int
    is_agent: bool
    is_leaving: bool
    decisions: DecisionCounts  # of hands that are over


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table as a list of tables shows it."""

    table_id: str
    config: TableConfig
    status: Status
    chairs: tuple[ChairView, ...]
    hand_count: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TableView:
    """Everything that one chair may know; see tables.proto."""

    table_id: str
    status: Status
    chairs: tuple[ChairView, ...]
    chair: int
    first_entry: int  # the number of the first of `entries`
    entries: Sequence[Entry]
    hand_number: int = 0  # 0 before the first hand, when all other fields about a hand are empty too
    action_number: int = 0
    seat: int | None = None  # None if the chair is not dealt in
    public: PublicState | None = None
    holding: tuple[int, ...] = ()
    is_your_turn: bool = False
    time_left_ms: int = 0
    waits_for: str = ""  # why the table is stalled; "" while it goes on
    openings: tuple[Opening, ...] = ()  # of the holding; none in a deal v1
    coming: ComingDeal | None = None  # None where deals take no contributions

    @property
    def events(self) -> tuple[NumberedEntry, ...]:
        """The entries with their numbers."""
        return numbered(self.first_entry, self.entries)

    @property
    def place(self) -> tuple[int, int]:
        """The place of the view in play: the hand's number, and how many actions the hand has had."""
        return self.hand_number, self.action_number

    @property
    def turn_place(self) -> tuple[str, int, int]:
        """The table's id, the hand's number, and how many actions the hand has had."""
        return self.table_id, self.hand_number, self.action_number

    def hand_view(self) -> View:
        """Return the hand as the arena shows it to a bot; only for a chair that is dealt in."""
        if self.public is None or self.seat is None:
            raise ValueError("this chair is not dealt in")
        actions = tuple(entry.action for entry in self.entries if isinstance(entry, SeatMoved))
        return View(self.seat, self.public, self.holding, actions, self.time_left_ms / 1000)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PublicUpdate:
    """The entries of a table since an earlier one."""

    info: TableInfo
    first_entry: int
    entries: Sequence[Entry]
    public: PublicState | None
    holdings: tuple[tuple[int, ...], ...]  # by seat; only for the dealer of a table for agents
    time_left_ms: int
    waits_for: str = ""
    coming: ComingDeal | None = None  # without the fields that are for one chair only

    @property
    def events(self) -> tuple[NumberedEntry, ...]:
        """The entries with their numbers."""
        return numbered(self.first_entry, self.entries)


def coming_of(table: Table, chair: int | None = None) -> ComingDeal | None:
    """Return the state of the next deal, as everybody or one chair may know it."""
    deal = table.next_deal
    if deal is None:
        return None
    coming = ComingDeal(offer=deal.offer, commitment=deal.commitment, lineup=deal.lineup)
    if chair is None or table.players[chair] is None:
        return coming
    own, is_revealed = deal.commitments.get(chair, ""), chair in deal.secrets
    may = may_contribute(table, chair)
    return replace(coming, own_commitment=own, is_revealed=is_revealed, may_contribute=may)


def info_of(table: Table) -> TableInfo:
    """Return the table as a list of tables shows it."""
    chairs = tuple(
        ChairView(
            chair=i,
            name=player.name,
            stack=player.stack,
            is_agent=player.is_agent,
            is_leaving=player.is_leaving,
            decisions=table.decisions_of(i),
        )
        for i, player in enumerate(table.players)
        if player
    )
    status = Status.CLOSED if table.is_closed else Status.PLAYING if table.is_in_hand else Status.WAITING
    return TableInfo(table_id=table.id, config=table.config, status=status, chairs=chairs, hand_count=table.hand_count)


def view_of(table: Table, chair: int, time_left_ms: int, waits_for: str = "") -> TableView:
    """Return everything that a chair may see."""
    hand, seat, info = table.hand, table.seat_of(chair), info_of(table)
    first, entries = (hand.first_entry, _entries(table, hand.first_entry, hand.number)) if hand else _last_void(table)
    view = TableView(
        table_id=info.table_id,
        status=info.status,
        chairs=info.chairs,
        chair=chair,
        first_entry=first,
        entries=entries,
        waits_for=waits_for,
        coming=coming_of(table, chair),
    )
    if hand is None:
        return view
    return replace(
        view,
        hand_number=hand.number,
        action_number=hand.action_count,
        seat=seat,
        public=hand.state.public,
        holding=hand.state.holdings[seat] if seat is not None else (),
        is_your_turn=table.actor == chair,
        time_left_ms=time_left_ms if table.actor is not None else 0,
        openings=hand.dealt.holding_openings(seat) if hand.dealt and seat is not None else (),
    )


def _last_void(table: Table) -> tuple[int, list[Entry]]:
    """Return the first number and the entries of a view before the first hand: the last void attempt, if there is one.

    Its chairs must learn that they may not contribute again.
    """
    announced = list(enumerate(table.log.since(0), start=table.log.first))
    void = [(number, entry) for number, entry in announced if isinstance(entry, DealVoided)]
    return (void[-1][0], [void[-1][1]]) if void else (table.log.end, [])


def _entries(table: Table, first: int, hand_number: int) -> list[Entry]:
    """Return the entries of a hand; without its seed until all sides of a match have played its deal."""
    entries = table.log.since(first)
    if hand_number <= table.public_hand_count:
        return entries
    return [replace(entry, seed="") if isinstance(entry, HandFinished) else entry for entry in entries]


def update_of(
    table: Table, first: int, end: int, with_holdings: bool, time_left_ms: int, waits_for: str = ""
) -> PublicUpdate:
    """Return the entries of a table from number `first` up to `end`, with the table's present state.

    A spectator who sees the holdings sees everything. Others see nothing of a hand whose deal other sides have yet to
    play.
    """
    hand = table.hand
    if hand and not with_holdings and hand.number > table.public_hand_count:
        hand, time_left_ms = None, 0
    holdings = hand.state.holdings if hand and with_holdings else ()
    first = max(first, table.log.first)
    return PublicUpdate(
        info=info_of(table),
        first_entry=first,
        entries=table.log.between(first, end),
        public=hand.state.public if hand else None,
        holdings=holdings,
        time_left_ms=time_left_ms if table.actor is not None else 0,
        waits_for=waits_for,
        coming=coming_of(table),
    )
