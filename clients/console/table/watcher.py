"""A spectator's updates: from where the hand began, through restarts of the server."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

import grpc

from riverboat.clients.console.table.display import Display
from riverboat.clients.console.table.inbox import ConnectionLost, Ended, Inbox, Update
from riverboat.clients.console.table.scene import Scene, scene_of_update
from riverboat.clients.console.table.story import Narrator, Sentence
from riverboat.clients.console.views.text import cards_words
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import LOST, Refused
from riverboat.rules.state import View
from riverboat.tables.entries import HandBegan, NumberedEntry, SeatMoved
from riverboat.tables.view import PublicUpdate, TableInfo

_PATIENCE_SECONDS = 60
_AGAIN_SECONDS = 0.5


def first_event(link: GameManagerClient, info: TableInfo) -> int:
    """Return the number of the event that began the last hand, or of the first one after the hand before it."""
    if info.hand_count == 0:
        return 0
    hands = list(link.tables.hands(info.table_id, first=max(1, info.hand_count - 1), until=info.hand_count + 1))
    if not hands:
        return 0
    last = hands[-1]
    return last.events[0].number if last.hand_number == info.hand_count else last.events[-1].number + 1


def public_view(link: GameManagerClient, info: TableInfo) -> tuple[View, tuple[str, ...]]:
    """Return what everybody may know of the current hand, as a view without cards, and names by seat."""
    with closing(link.tables.watch(table_id=info.table_id, from_number=first_event(link, info))) as updates:
        update = next(updates)
    begun = [place for place, entry in enumerate(update.entries) if isinstance(entry, HandBegan)]
    public = update.public
    if not begun or public is None:
        raise Refused(f"no hand has begun at table {info.table_id}")
    first, *later = update.entries[begun[-1] :]
    actions = tuple(entry.action for entry in later if isinstance(entry, SeatMoved))
    view = View(-1 if public.actor is None else public.actor, public, (), actions)
    return view, first.names if isinstance(first, HandBegan) else ()


def follow_updates(
    link: GameManagerClient, info: TableInfo, dealer_token: str, inbox: Inbox, room: int
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
) -> Iterator[PublicUpdate]:
    """Yield updates without gaps; the connection may be lost for a while."""
    lost_since: float | None = None
    last: PublicUpdate | None = None
    while True:
        try:
            for update in link.tables.watch(table_id=table_id, from_number=first, dealer_token=dealer_token):
                lost_since = None
                if update.entries:
                    first = update.first_entry + len(update.entries)
                if update.entries or last is None or (update.info, update.waits_for) != (last.info, last.waits_for):
                    yield update  # otherwise only the coming deal changed, which is not shown
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

    def __init__(self, info: TableInfo, display: Display) -> None:
        self._display = display
        names = {chair.chair: chair.name for chair in info.chairs}
        self._narrator = Narrator(info.config.variant, names)
        self._hand: list[NumberedEntry] = []

    def take(self, update: Update, is_live: bool) -> None:
        """Show an update; unless it is live, without its clock, which has run on since."""
        message = update.message
        for event in message.events:
            if isinstance(event.entry, HandBegan):
                self._hand = []
            if self._hand or isinstance(event.entry, HandBegan):
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
