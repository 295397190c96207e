"""A teller: tells each event of a player's hands once, including events that no view showed."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import grpc

from riverboat.clients.console.table.display import Display
from riverboat.clients.console.table.story import Narrator
from riverboat.clients.console.table.winnings import Winnings
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.history.hand import History
from riverboat.tables.entries import Entry, HandBegan, HandFinished, NumberedEntry
from riverboat.tables.records import history_of
from riverboat.tables.view import TableInfo, TableView


class Teller:
    """Tells a display what is new in views, keeps the player's winnings, and hands each finished hand to `keep`."""

    def __init__(
        self,
        link: GameManagerClient,
        info: TableInfo,
        chair: int,
        display: Display,
        keep: Callable[[History], None] = lambda _: None,
    ) -> None:
        self._link, self._table_id, self._display = link, info.table_id, display
        variant = info.config.variant
        self._narrator = Narrator(variant, {seated.chair: seated.name for seated in info.chairs})
        self.winnings = Winnings(chair, variant.big_blind)
        self._chair, self._keep = chair, keep
        self._holdings: dict[int, tuple[int, ...]] = {}  # the player's own, of hands that are not over
        self._hand = 0  # the number of the last hand that was seen
        self._told = -1  # the number of the last event that was told

    def see(self, view: TableView) -> None:
        """Take a new view."""
        if self._hand and view.hand_number > self._hand:
            self._catch_up(view.hand_number)
        self._hand = view.hand_number
        if view.holding:
            self._holdings[view.hand_number] = view.holding
        if view.public:
            self._narrator.variant = view.public.variant
        self._tell(view.events)

    def finish(self) -> None:
        """Tell the end of a hand that the player left in the middle, because no more views come."""
        if self._hand in self.winnings.begun and self._hand not in self.winnings.results:
            self._catch_up(self._hand + 1)

    def _tell(self, events: Sequence[NumberedEntry]) -> None:
        self.winnings.note(events)
        new = [event for event in events if event.number > self._told]
        if new:
            self._told = new[-1].number
            self._display.tell(self._narrator.tell(new))
            if any(isinstance(event.entry, HandFinished) for event in new):
                self._finish_hand([event.entry for event in events])

    def _finish_hand(self, entries: Sequence[Entry]) -> None:
        """Hand on a finished hand, with the player's own cards."""
        begun = entries[0]
        if not isinstance(begun, HandBegan):
            return
        end = next(place for place, entry in enumerate(entries) if isinstance(entry, HandFinished))
        variant = self._narrator.variant
        history = history_of(self._table_id, variant, begun.hand_number, entries[: end + 1])
        own = self._holdings.pop(begun.hand_number, None)
        if history is None:
            return
        if own and self._chair in begun.chairs:
            seat = begun.chairs.index(self._chair)
            holdings = (*history.holdings[:seat], own, *history.holdings[seat + 1 :])
            history = replace(history, holdings=holdings)
        self._keep(history)

    def _catch_up(self, until: int) -> None:
        """Tell how the hands before this one ended: quick opponents leave no time to see it."""
        try:
            for hand in self._link.tables.hands(self._table_id, first=self._hand, until=until):
                self._narrator.variant = hand.variant
                self._tell(hand.events)
        except grpc.RpcError:
            self._display.say("the server did not say how the last hand ended")
