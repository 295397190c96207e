"""A scene: a table as somebody sees it, from a player's view or a spectator's update."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from riverboat.clients.console.views.text import plain
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb


@dataclass(frozen=True, slots=True)
class Scene:
    """What there is to show; all of it was in a message."""

    table_id: str
    status: pb.TableStatus.ValueType
    chairs: Sequence[pb.Chair]
    hand_number: int
    state: rules_pb.State | None
    events: Sequence[pb.TableEvent]  # of this hand, HandStarted first; none if its beginning is not known
    names: Sequence[str]  # by seat
    holdings: Mapping[int, str]  # by seat
    table_name: str = ""
    chair: int = -1  # whose view it is
    legal: rules_pb.LegalActionsResponse | None = None  # if that chair is to act
    time_left_ms: int = 0
    seats: Sequence[int] = field(default=())  # which chair has each seat
    is_withheld: bool = False  # the current hand, because other tables still have to play its deal

    @property
    def seat(self) -> int:
        """The seat of the player whose view it is; -1 for none."""
        return self.seats.index(self.chair) if self.chair in self.seats else -1

    @property
    def payoffs(self) -> Sequence[int] | None:
        """Chips won or lost by seat, if the hand is over."""
        ended = [event.hand_ended for event in self.events if event.WhichOneof("kind") == "hand_ended"]
        return list(ended[0].payoffs) if ended else None

    @property
    def marks(self) -> Sequence[pb.MarkedDecision]:
        """Decisions that were not made as intended, if the hand is over."""
        return [mark for event in self.events if event.HasField("hand_ended") for mark in event.hand_ended.marks]

    @property
    def left(self) -> set[int]:
        """Chairs whose players have left since the hand began; others may sit there now."""
        return {event.left.chair for event in self.events if event.WhichOneof("kind") == "left"}

    @property
    def actor(self) -> int:
        """The seat that is to act; -1 for nobody."""
        return self.state.actor if self.state and self.state.phase == rules_pb.PHASE_ACT else -1

    def name_of(self, seat: int) -> str:
        """Return the name of the player in a seat."""
        return plain(self.names[seat]) if seat < len(self.names) else f"seat {seat}"


def scene_of_view(view: pb.View) -> Scene:
    """Return the scene of a player's view."""
    holdings = _shown(view.events)
    if view.holding and view.seat >= 0:
        holdings[view.seat] = view.holding
    return Scene(
        view.table_id,
        view.status,
        view.chairs,
        view.hand_number,
        view.state if view.HasField("state") else None,
        view.events,
        _names(view.events),
        holdings,
        chair=view.chair,
        legal=view.legal if view.is_your_turn else None,
        time_left_ms=view.time_left_ms,
        seats=_seats(view.events),
    )


def scene_of_update(update: pb.WatchResponse, events: Sequence[pb.TableEvent]) -> Scene:
    """Return the scene of a spectator's update; `events` are all of the hand so far, with the update's."""
    holdings = _shown(events)
    withheld = update.table.config.HasField("match_side") and not update.HasField("state")
    holdings |= {seat: cards for seat, cards in enumerate(update.holdings) if cards}
    return Scene(
        update.table.table_id,
        update.table.status,
        update.table.chairs,
        events[0].hand_started.hand_number if withheld and events else update.table.hand_count,
        update.state if update.HasField("state") else None,
        events,
        _names(events),
        holdings,
        table_name=update.table.config.name,
        time_left_ms=update.time_left_ms,
        seats=_seats(events),
        is_withheld=withheld,
    )


def _shown(events: Sequence[pb.TableEvent]) -> dict[int, str]:
    return {event.shown.seat: event.shown.cards for event in events if event.WhichOneof("kind") == "shown"}


def _seats(events: Sequence[pb.TableEvent]) -> list[int]:
    return list(events[0].hand_started.chairs) if events else []


def _names(events: Sequence[pb.TableEvent]) -> list[str]:
    return list(events[0].hand_started.names) if events else []
