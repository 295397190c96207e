"""A spectator's side of a table: events from now on, or from where the hand began, through restarts of the server."""

import time
from collections.abc import Iterator, Sequence

import grpc

from clients.console.game_link import LOST, GameLink
from clients.console.table.faces import Face
from clients.console.table.plain import cards_words
from clients.console.table.records import hands_of
from clients.console.table.scene import Scene, scene_of_update
from clients.console.table.story import Narrator, Told
from protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.state_manager import decode_variant

_PATIENCE_SECONDS = 60
_AGAIN_SECONDS = 0.5


def first_event(link: GameLink, info: pb.TableInfo) -> int:
    """The number of the event with which the last hand began, or the first after the hand before it."""
    if info.hand_count == 0:
        return 0
    hands = list(hands_of(link, info.table_id, max(1, info.hand_count - 1), info.hand_count + 1))
    if not hands:
        return 0
    last = hands[-1]
    return last.events[0].number if last.hand_number == info.hand_count else last.events[-1].number + 1


def updates(link: GameLink, table_id: str, first: int, dealer_token: str) -> Iterator[pb.WatchResponse]:
    """What happens, without gaps; the connection may be lost for a while."""
    lost_since: float | None = None
    while True:
        request = pb.WatchRequest(table_id=table_id, from_number=first, dealer_token=dealer_token)
        try:
            for update in link.tables.Watch(request):
                lost_since = None
                if update.events:
                    first = update.events[-1].number + 1
                yield update
            return
        except grpc.RpcError as error:
            now = time.monotonic()
            lost_since = lost_since or now
            if error.code() not in LOST or now > lost_since + _PATIENCE_SECONDS:
                raise
        time.sleep(_AGAIN_SECONDS)


class Watcher:
    """Follows a table, and shows it to a face."""

    def __init__(self, info: pb.TableInfo, face: Face) -> None:
        self._face = face
        self._names = {chair.chair: chair.name for chair in info.chairs}
        self._narrator = Narrator(decode_variant(info.config.variant), self._names)
        self._hand: list[pb.TableEvent] = []
        self._hand_names: dict[int, str] = {}

    def take(self, update: pb.WatchResponse) -> Scene:
        """Show an update; the table as it is now."""
        for event in update.events:
            if event.HasField("joined"):
                self._names[event.joined.chair] = event.joined.name
            if event.HasField("hand_started"):
                self._hand, self._hand_names = [], dict(self._names)
            if self._hand or event.HasField("hand_started"):
                self._hand.append(event)
        scene = scene_of_update(update, self._hand, self._hand_names)
        told = self._narrator.tell(update.events)
        if update.holdings and self._hand:
            told = _with_holdings(told, self._hand[0].number, scene)
        self._face.tell(told)
        self._face.show(scene)
        return scene


def _with_holdings(told: Sequence[Told], number: int, scene: Scene) -> list[Told]:
    """What the dealer sees, after the sentences of the event with which the hand began, if they are among these."""
    before = [one for one in told if one.number <= number]
    if not before or before[-1].number != number:
        return list(told)
    holds = [f"{scene.name_of(seat)} holds {cards_words(cards)}" for seat, cards in sorted(scene.holdings.items())]
    return [*before, *(Told(number, "act", text) for text in holds), *told[len(before) :]]
