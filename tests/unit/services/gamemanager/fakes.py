"""A journal in memory that can be unavailable, and may write changes that it reports as failed."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence

from riverboat.errors import Unavailable
from riverboat.services.gamemanager.journal import Change, LineEvent

WAIT_SECONDS = 300  # only for what hangs: a busy machine is slow


class Memory:
    """Changes in a list. While it is away, adding fails; a `sly` journal adds the change nevertheless."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.is_away = self.is_sly = False

    async def read(self) -> AsyncIterator[Change]:
        """Yield all changes so far."""
        for change in list(self.changes):
            yield change

    async def append(self, table_id: str, number: int, events: Sequence[LineEvent]) -> None:
        """Add a change, unless the journal is away."""
        if self.is_sly or not self.is_away:
            self.changes.append((table_id, number, list(events)))
        if self.is_away:
            raise Unavailable("the journal cannot be written: its Redis does not answer")

    async def set_aside(self, tables: Collection[str]) -> Mapping[str, str]:
        """Return nothing: memory is never damaged."""
        return {}

    async def close(self) -> None:
        """Do nothing."""


async def until(holds: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not holds():  # noqa: ASYNC110  # nobody announces it
            await asyncio.sleep(0.01)
