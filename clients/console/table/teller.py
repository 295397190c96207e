"""What happened in a player's hands, each thing once, also where the player did not see it happen."""

from collections.abc import Sequence

import grpc

from riverboat.clients.console.hands.records import hands_of
from riverboat.clients.console.table.faces import Face
from riverboat.clients.console.table.ledger import Ledger
from riverboat.clients.console.table.story import Narrator
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.state_manager import decode_variant


class Teller:
    """Tells a face what is new in views, and keeps the player's results."""

    def __init__(self, link: GameManagerClient, info: pb.TableInfo, chair: int, face: Face) -> None:
        self._link, self._table_id, self._face = link, info.table_id, face
        variant = decode_variant(info.config.variant)
        self._narrator = Narrator(variant, {one.chair: one.name for one in info.chairs})
        self.ledger = Ledger(chair, variant.big_blind)
        self._hand = 0  # the number of the last hand that was seen
        self._told = -1  # the number of the last event that was told

    def see(self, view: pb.View) -> None:
        """A new view."""
        if self._hand and view.hand_number > self._hand:
            self._catch_up(view.hand_number)
        self._hand = view.hand_number
        self._tell(view.events)

    def finish(self) -> None:
        """There will be no more views: who leaves in the middle of a hand may want to know how it ended."""
        if self._hand in self.ledger.begun and self._hand not in self.ledger.results:
            self._catch_up(self._hand + 1)

    def _tell(self, events: Sequence[pb.TableEvent]) -> None:
        self.ledger.note(events)
        new = [event for event in events if event.number > self._told]
        if new:
            self._told = new[-1].number
            self._face.tell(self._narrator.tell(new))

    def _catch_up(self, until: int) -> None:
        """Tell how hands before this one ended: players and agents who are quick leave no time to see it."""
        try:
            for hand in hands_of(self._link, self._table_id, self._hand, until):
                self._tell(hand.events)
        except grpc.RpcError:
            self._face.say("how the last hand ended could not be found out")
