"""The finished hands of a table: how its players play, and the hands to replay."""

import asyncio
import time
from math import isfinite
from typing import Any

from riverboat.cards import format_cards
from riverboat.clients.remote.tables import TablesClient
from riverboat.clients.web.failures import ApiError
from riverboat.clients.web.links import Calls
from riverboat.clients.web.play.pictures import cards_of
from riverboat.contracts.tables import Unreadable
from riverboat.errors import RiverboatError
from riverboat.history.store.histories import columns_of
from riverboat.opponents.player_statistics import PlayerStatistics, PlayerTally
from riverboat.tables.entries import BoardOpened, HandBegan, HandFinished
from riverboat.tables.records import HandRecord, history_of

_AT_A_TIME = 200
_MOST_PLAYERS = 20
_READ_AGAIN_SECONDS = 0.5  # spectators ask together when a hand ends
_NOT_KEPT = "the server no longer has this hand"


class HandBook:
    """Reads each hand of a table once, for everybody who asks."""

    def __init__(self, tables: TablesClient, table_id: str, calls: Calls) -> None:
        self._tables, self._table_id, self._calls = tables, table_id, calls
        self._tally = PlayerTally()
        self._next = 1
        self._reading = asyncio.Lock()
        self._read_at = float("-inf")

    async def statistics(self) -> dict[str, Any]:
        """Return how the players play, over all hands so far."""
        async with self._reading:
            if time.monotonic() > self._read_at + _READ_AGAIN_SECONDS:
                await self._calls.short(self._read)
                self._read_at = time.monotonic()
        players = [_player(player) for player in self._tally.players()[:_MOST_PLAYERS]]
        return {"type": "statistics", "hands": self._next - 1, "players": players}

    async def hands(self, first: int, count: int) -> list[dict[str, Any]]:
        """Return finished hands in short, from a number on."""
        records = await self._calls.short(
            self._tables.list_hands, table_id=self._table_id, first_hand=max(1, first), hand_count=count
        )
        return [_in_short(record) for record in records if isinstance(record, HandRecord)]

    async def hand(self, number: int) -> HandRecord:
        """Return one finished hand."""
        records = await self._calls.short(
            self._tables.list_hands, table_id=self._table_id, first_hand=number, hand_count=1
        )
        if not records or isinstance(records[0], Unreadable) or records[0].hand_number != number:
            raise ApiError(404, _NOT_KEPT)
        return records[0]

    def _read(self) -> None:
        """Count the hands that are new."""
        while True:
            records = self._tables.list_hands(table_id=self._table_id, first_hand=self._next, hand_count=_AT_A_TIME)
            for record in records:
                self._next = record.hand_number + 1
                if isinstance(record, HandRecord):
                    self._count(record)
            if len(records) < _AT_A_TIME:
                return

    def _count(self, record: HandRecord) -> None:
        history = history_of(self._table_id, record.variant, record.hand_number, record.entries)
        if history is None:
            return
        try:
            self._tally.add(columns_of([history]))
        except RiverboatError:  # a game whose hands cannot be counted
            return


def _player(player: PlayerStatistics) -> dict[str, Any]:
    shares = {
        "vpip": player.vpip,
        "pfr": player.pfr,
        "aggression": player.aggression,
        "showdown": player.went_to_showdown,
        "won_showdown": player.won_at_showdown,
        "rate": player.win_rate,
        "rate_error": player.win_rate_error,
    }
    known = {name: round(value, 4) if isfinite(value) else None for name, value in shares.items()}
    return {"name": player.name, "hands": player.hand_count, **known}


def _in_short(record: HandRecord) -> dict[str, Any]:
    began = next((entry for entry in record.entries if isinstance(entry, HandBegan)), None)
    end = next((entry for entry in record.entries if isinstance(entry, HandFinished)), None)
    board = "".join(format_cards(entry.cards) for entry in record.entries if isinstance(entry, BoardOpened))
    return {
        "hand": record.hand_number,
        "names": list(record.names),
        "chairs": list(began.chairs) if began else [],
        "board": cards_of(board),
        "payoffs": list(end.payoffs) if end else [],
    }
