"""The chair that a token holds, at its table."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass

from riverboat.errors import RiverboatError
from riverboat.services.gamemanager.live_table import LiveTable
from riverboat.tables.view import TableView


@dataclass(frozen=True, slots=True)
class HeldChair:
    """A table, and how to find the token's chair there: the player may get up or be moved at any time."""

    live: LiveTable
    find: Callable[[], int]  # raises if the token holds no chair at this table any more

    def holds(self, chair: int) -> bool:
        """Return whether the token still holds a chair."""
        try:
            return self.find() == chair
        except RiverboatError:
            return False

    async def views(self) -> AsyncGenerator[TableView]:
        """Yield what the chair may see, now and after each change, until it is lost or the table is closed."""
        with self.live.attended(self.find()):
            async for view in self._views(self.find()):
                yield view

    async def _views(self, chair: int) -> AsyncIterator[TableView]:
        live, is_last = self.live, False
        while not is_last:
            changed, is_last = live.changed, live.table.is_closed
            view = live.view(chair)
            yield view
            if not is_last:
                await changed.wait()
            if not self.holds(chair):
                table = live.table
                if table.players[chair] is None and table.hand and table.hand.number == view.hand_number:
                    yield live.view(chair)  # how the hand ended after which the player got up
                return
