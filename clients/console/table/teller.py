"""A teller: tells each event of a player's hands once, including events that no view showed."""

from collections.abc import Sequence

import grpc

from riverboat.clients.console.table.display import Display
from riverboat.clients.console.table.story import Narrator
from riverboat.clients.console.table.winnings import Winnings
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.tables.entries import NumberedEntry
from riverboat.tables.view import TableInfo, TableView


class Teller:
    """Tells a display what is new in views, and keeps the player's winnings."""

    def __init__(self, link: GameManagerClient, info: TableInfo, chair: int, display: Display) -> None:
        self._link, self._table_id, self._display = link, info.table_id, display
        variant = info.config.variant
        self._narrator = Narrator(variant, {seated.chair: seated.name for seated in info.chairs})
        self.winnings = Winnings(chair, variant.big_blind)
        self._hand = 0  # the number of the last hand that was seen
        self._told = -1  # the number of the last event that was told

    def see(self, view: TableView) -> None:
        """Take a new view."""
        if self._hand and view.hand_number > self._hand:
            self._catch_up(view.hand_number)
        self._hand = view.hand_number
        if view.public:
            self._narrator.variant = view.public.variant
        self._tell(view.events)

    def finish(self) -> None:
        """Tell how a hand ended that the player left in the middle: there are no more views."""
        if self._hand in self.winnings.begun and self._hand not in self.winnings.results:
            self._catch_up(self._hand + 1)

    def _tell(self, events: Sequence[NumberedEntry]) -> None:
        self.winnings.note(events)
        new = [event for event in events if event.number > self._told]
        if new:
            self._told = new[-1].number
            self._display.tell(self._narrator.tell(new))

    def _catch_up(self, until: int) -> None:
        """Tell how the hands before this one ended: quick opponents leave no time to see it."""
        try:
            for hand in self._link.tables.hands(self._table_id, first=self._hand, until=until):
                self._narrator.variant = hand.variant
                self._tell(hand.events)
        except grpc.RpcError:
            self._display.say("the server did not say how the last hand ended")
