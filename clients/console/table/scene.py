"""A scene: a table as a player or a spectator sees it, from a view or an update."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from riverboat.cards import format_cards
from riverboat.clients.console.views.text import plain
from riverboat.rules.betting import ACT
from riverboat.rules.legal_actions import LegalActions, legal_actions
from riverboat.rules.state import PublicState
from riverboat.tables.entries import (
    HandBegan,
    HandFinished,
    HoldingShown,
    MarkedMove,
    NumberedEntry,
    PlayerLeft,
    SeatMoved,
)
from riverboat.tables.view import ChairView, PublicUpdate, Status, TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What there is to show; all of it was in a view or an update."""

    table_id: str
    status: Status
    chairs: Sequence[ChairView]
    hand_number: int
    state: PublicState | None
    events: Sequence[NumberedEntry]  # of this hand, HandBegan first; none if its beginning is not known
    names: Sequence[str]  # by seat
    holdings: Mapping[int, str]  # by seat
    table_name: str = ""
    chair: int = -1  # whose view it is
    legal: LegalActions | None = None  # if that chair is to act
    time_left_ms: int = 0
    seats: Sequence[int] = field(default=())  # which chair has each seat
    is_withheld: bool = False  # the current hand, because other tables still have to play its deal

    @property
    def seat(self) -> int:
        """The seat of the player whose view it is; -1 for none."""
        return self.seats.index(self.chair) if self.chair in self.seats else -1

    @property
    def has_acted(self) -> bool:
        """Whether the player whose view it is has acted in this hand."""
        return any(isinstance(entry, SeatMoved) and entry.seat == self.seat for _, entry in self.events)

    @property
    def payoffs(self) -> Sequence[int] | None:
        """Chips won or lost by seat, if the hand is over."""
        return self._end.payoffs if self._end else None

    @property
    def marks(self) -> Sequence[MarkedMove]:
        """Decisions that were not made as intended, if the hand is over."""
        return self._end.marks if self._end else ()

    @property
    def _end(self) -> HandFinished | None:
        return next((entry for _, entry in self.events if isinstance(entry, HandFinished)), None)

    @property
    def left(self) -> set[int]:
        """Chairs whose players have left since the hand began; others may sit there now."""
        return {entry.chair for _, entry in self.events if isinstance(entry, PlayerLeft)}

    @property
    def actor(self) -> int:
        """The seat that is to act; -1 for nobody."""
        actor = self.state.actor if self.state and self.state.phase == ACT else None
        return -1 if actor is None else actor

    def name_of(self, seat: int) -> str:
        """Return the name of the player in a seat."""
        return plain(self.names[seat]) if seat < len(self.names) else f"seat {seat}"


def scene_of_view(view: TableView) -> Scene:
    """Return the scene of a player's view."""
    holdings = _shown(view.events)
    if view.holding and view.seat is not None:
        holdings[view.seat] = format_cards(view.holding)
    return Scene(
        table_id=view.table_id,
        status=view.status,
        chairs=view.chairs,
        hand_number=view.hand_number,
        state=view.public,
        events=view.events,
        names=_names(view.events),
        holdings=holdings,
        chair=view.chair,
        legal=legal_actions(view.public) if view.is_your_turn and view.public else None,
        time_left_ms=view.time_left_ms,
        seats=_seats(view.events),
    )


def scene_of_update(update: PublicUpdate, events: Sequence[NumberedEntry]) -> Scene:
    """Return the scene of a spectator's update; `events` are all of the hand so far, with the update's."""
    holdings = _shown(events)
    withheld = bool(update.info.config.side_count) and update.public is None
    holdings |= {seat: format_cards(cards) for seat, cards in enumerate(update.holdings) if cards}
    return Scene(
        table_id=update.info.table_id,
        status=update.info.status,
        chairs=update.info.chairs,
        hand_number=_begun(events).hand_number if withheld and events else update.info.hand_count,
        state=update.public,
        events=events,
        names=_names(events),
        holdings=holdings,
        table_name=update.info.config.name,
        time_left_ms=update.time_left_ms,
        seats=_seats(events),
        is_withheld=withheld,
    )


def _shown(events: Sequence[NumberedEntry]) -> dict[int, str]:
    return {entry.seat: format_cards(entry.cards) for _, entry in events if isinstance(entry, HoldingShown)}


def _begun(events: Sequence[NumberedEntry]) -> HandBegan:
    first = events[0].entry
    if not isinstance(first, HandBegan):
        raise ValueError("the first event of a hand must be HandBegan")
    return first


def _seats(events: Sequence[NumberedEntry]) -> Sequence[int]:
    return _begun(events).chairs if events else ()


def _names(events: Sequence[NumberedEntry]) -> Sequence[str]:
    return _begun(events).names if events else ()
