"""A spectator's updates: from where the hand began, through restarts of the server."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import grpc

from riverboat.clients.console.hands.records import hands_of
from riverboat.clients.console.table.display import Display
from riverboat.clients.console.table.inbox import ConnectionLost, Ended, Inbox, Update
from riverboat.clients.console.table.scene import Scene, scene_of_update
from riverboat.clients.console.table.story import Narrator, Sentence
from riverboat.clients.console.views.text import cards_words
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import LOST, Refused
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.actions import decode_action
from riverboat.rpc.convert.state_manager import decode_state, decode_variant
from riverboat.rules.state import View

_PATIENCE_SECONDS = 60
_AGAIN_SECONDS = 0.5


def first_event(link: GameManagerClient, info: pb.TableInfo) -> int:
    """Return the number of the event that began the last hand, or of the first one after the hand before it."""
    if info.hand_count == 0:
        return 0
    hands = list(hands_of(link, info.table_id, max(1, info.hand_count - 1), info.hand_count + 1))
    if not hands:
        return 0
    last = hands[-1]
    return last.events[0].number if last.hand_number == info.hand_count else last.events[-1].number + 1


def public_view(link: GameManagerClient, info: pb.TableInfo) -> tuple[View, tuple[str, ...]]:
    """Return what everybody may know of the current hand, as a view without cards, and names by seat."""
    request = pb.WatchRequest(table_id=info.table_id, from_number=first_event(link, info))
    stream = link.tables.Watch(request)
    update = next(iter(stream))
    stream.cancel()
    starts = [place for place, event in enumerate(update.events) if event.HasField("hand_started")]
    if not starts or not update.HasField("state"):
        raise Refused(f"no hand has begun at table {info.table_id}")
    events = update.events[starts[-1] :]
    actions = tuple(decode_action(event.moved.action) for event in events if event.HasField("moved"))
    public = decode_state(update.state)
    view = View(-1 if public.actor is None else public.actor, public, (), actions)
    return view, tuple(events[0].hand_started.names)


def follow_updates(
    link: GameManagerClient, info: pb.TableInfo, dealer_token: str, inbox: Inbox, room: int
) -> Callable[[], None]:
    """Put updates of a table into the inbox, at most `room` ahead; call the returned function after each."""
    places = threading.Semaphore(room)

    def read() -> None:
        try:
            for update in _updates(link, info.table_id, first_event(link, info), dealer_token, inbox):
                inbox.put(Update(update, time.monotonic()))
                places.acquire()  # a slow reader gets larger updates later, and loses nothing
            inbox.put(Ended())
        except grpc.RpcError as error:
            inbox.put(Ended(error))
        except ValueError:  # the channel was closed: the command is ending
            return

    threading.Thread(target=read, daemon=True).start()
    return places.release


def _updates(
    link: GameManagerClient, table_id: str, first: int, dealer_token: str, inbox: Inbox
) -> Iterator[pb.WatchResponse]:
    """Yield updates without gaps; the connection may be lost for a while."""
    lost_since: float | None = None
    last: pb.WatchResponse | None = None
    while True:
        request = pb.WatchRequest(table_id=table_id, from_number=first, dealer_token=dealer_token)
        try:
            for update in link.tables.Watch(request):
                lost_since = None
                if update.events:
                    first = update.events[-1].number + 1
                if update.events or last is None or (update.table, update.waits_for) != (last.table, last.waits_for):
                    yield update  # otherwise only the next deal changed, which nobody sees
                last = update
            return
        except grpc.RpcError as error:
            now = time.monotonic()
            lost_since = lost_since or now
            if error.code() not in LOST or now > lost_since + _PATIENCE_SECONDS:
                raise
            inbox.put(ConnectionLost())
        time.sleep(_AGAIN_SECONDS)


class Watcher:
    """Follows a table, and shows it on a display."""

    def __init__(self, info: pb.TableInfo, display: Display) -> None:
        self._display = display
        names = {chair.chair: chair.name for chair in info.chairs}
        self._narrator = Narrator(decode_variant(info.config.variant), names)
        self._hand: list[pb.TableEvent] = []

    def take(self, update: Update, is_live: bool) -> None:
        """Show an update; unless it is live, without its clock, which has run on since."""
        message = update.message
        for event in message.events:
            if event.HasField("hand_started"):
                self._hand = []
            if self._hand or event.HasField("hand_started"):
                self._hand.append(event)
        scene = scene_of_update(message, list(self._hand))
        told = self._narrator.tell(message.events)
        if message.holdings and self._hand:
            told = _with_holdings(told, self._hand[0].number, scene)
        self._display.tell(told)
        gone = round(1000 * (time.monotonic() - update.since))
        self._display.show(replace(scene, time_left_ms=max(0, scene.time_left_ms - gone) if is_live else 0))


def _with_holdings(told: Sequence[Sentence], number: int, scene: Scene) -> list[Sentence]:
    """Return sentences with all holdings after the one that begins the hand, if it is among them."""
    before = [sentence for sentence in told if sentence.number <= number]
    if not before or before[-1].number != number:
        return list(told)
    holds = [f"{scene.name_of(seat)} holds {cards_words(cards)}" for seat, cards in sorted(scene.holdings.items())]
    return [*before, *(Sentence(number, "holding", text) for text in holds), *told[len(before) :]]
