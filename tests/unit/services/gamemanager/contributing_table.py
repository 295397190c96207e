"""A table whose players contribute to the shuffle when a test says so."""

from dataclasses import replace
from typing import Any

from riverboat.contracts.tables import Decision
from riverboat.dealing.memory import Contribution
from riverboat.dealing.mix import seat_commitment
from riverboat.rules.betting import CALL
from riverboat.services.gamemanager.live_table import LiveTable
from riverboat.services.gamemanager.manager import Manager
from riverboat.tables.view import Status, TableView
from tests.unit.services.gamemanager.fakes import Memory, until
from tests.unit.services.gamemanager.test_outages import CONFIG

LONG = replace(CONFIG, clock_ms=60_000, chair_count=3)
SECRETS = {name: f"{i + 1:064x}" for i, name in enumerate("abc")}


class Table:
    """A table with players who contribute when a test says so."""

    def __init__(self, manager: Manager, journal: Memory, table_id: str, tokens: dict[str, str] | None = None) -> None:
        self.manager, self.journal, self.id = manager, journal, table_id
        self.tokens: dict[str, str] = tokens or {}

    def events(self, kind: type[Any]) -> list[Any]:
        """Return the events of one kind in the journal."""
        return [event for _, _, changes in self.journal.changes for event in changes if isinstance(event, kind)]

    async def sit(self, names: str, contributes: bool) -> None:
        for name in names:
            _, self.tokens[name] = await self.manager.join(self.id, name, None, name * 16, contributes)

    def view(self, name: str) -> TableView:
        return self.manager.view(self.tokens[name])

    async def commit(self, name: str, secret: str = "") -> None:
        coming = self.view(name).coming
        assert coming
        commitment = seat_commitment(coming.commitment, self.view(name).chair, secret or SECRETS[name])
        await self.send(name, commitment=commitment)

    async def line_up(self, names: str) -> None:
        """Have all players commit, and wait for the lineup."""
        for name in names:
            await self.commit(name)
        await until(lambda: self.lineup)

    async def reveal(self, name: str) -> None:
        await self.send(name, secret=SECRETS[name])

    async def send(self, name: str, hand_number: int = 0, attempt: int = 0, **kind: str) -> None:
        coming = self.view(name).coming
        assert coming
        offer = coming.offer
        contribution = Contribution(hand_number or offer.hand_number, attempt or offer.attempt, **kind)
        await self.manager.contribute(self.tokens[name], contribution)

    async def end_commitments(self) -> None:
        """End the time for commitments."""
        live = self.live
        async with live.lock:
            await live._line_up()

    async def end_secrets(self) -> None:
        """End the time for secrets."""
        live = self.live
        async with live.lock:
            await live._void_deal()

    async def play_on(self, names: str) -> None:
        """Let these players call until the hand is over."""
        number = self.hand_number
        while self.manager.info(self.id).status == Status.PLAYING and self.hand_number == number:
            for name in names:
                view = self.view(name)
                if view.is_your_turn:
                    decision = Decision(
                        request_id=f"{name} {view.hand_number} {view.action_number}",
                        hand_number=view.hand_number,
                        action_number=view.action_number,
                        action=CALL,
                    )
                    await self.manager.act(self.tokens[name], decision)

    @property
    def hand_number(self) -> int:
        return self.manager.info(self.id).hand_count

    @property
    def live(self) -> LiveTable:
        return self.manager.tables.table(self.id)

    @property
    def lineup(self) -> Any:
        deal = self.live.table.next_deal
        return deal.lineup if deal else None


async def table_of(manager: Manager, journal: Memory, names: str, contributes: bool = True, **config: Any) -> Table:
    """Open a table with these players."""
    info, _ = await manager.create(replace(LONG, **config), "a client")
    table = Table(manager, journal, info.table_id)
    await table.sit(names, contributes)
    return table
