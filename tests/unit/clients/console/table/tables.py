"""Tables for tests, played to the states that the tests need."""

from collections.abc import Sequence
from dataclasses import replace
from unittest import mock

from riverboat.clients.remote.tables import TablesClient
from riverboat.rpc.convert.tables import encode_update, encode_view
from riverboat.rpc.convert.tables_client import decode_update, decode_view
from riverboat.rules.variant import Variant, no_limit
from riverboat.tables.config import TableConfig
from riverboat.tables.events import Created, HandStarted, JournalEvent
from riverboat.tables.table import Table, hash_of
from riverboat.tables.view import PublicUpdate, TableView, update_of, view_of

CONFIG = TableConfig(name="a table", variant=no_limit(50, 100), chair_count=6, buy_in=10_000)
SEED = bytes(range(32))


def apply(table: Table, events: Sequence[JournalEvent]) -> None:
    """Apply events and their consequences."""
    pending = list(events)
    while pending:
        for event in pending:
            table.apply(event)
        pending = table.tidy()


def table_of(*names: str, variant: Variant | None = None, buy_in: int = 10_000, agents_only: bool = False) -> Table:
    """Return a table with players."""
    config = replace(CONFIG, variant=variant or CONFIG.variant, buy_in=buy_in, agents_only=agents_only)
    config = replace(config, chair_count=max(2, min(config.chair_count, config.variant.most_players), len(names)))
    table = Table("3f2a91c0d4e5", Created(config, hash_of("dealer"), "ab" * 32))
    for name in names:
        apply(table, table.join(name, None, name, hash_of(name), agents_only))
    return table


def deal(table: Table, seed: bytes = SEED) -> Table:
    """Begin a hand whose cards come from a seed: a deal v1, as in old journals."""
    chairs = table.next_chairs
    stacks = tuple(table.player(chair).stack for chair in chairs)
    apply(table, [HandStarted(hand_number=table.hand_count + 1, chairs=chairs, stacks=stacks, seed=seed.hex())])
    return table


def play(table: Table, *actions: int) -> Table:
    """Take actions for the acting player: -1 folds, 0 calls, any other number is the total to raise to."""
    for action in actions:
        assert table.hand
        chair = table.actor
        assert chair is not None
        request = f"{table.hand.number}-{table.hand.action_count}"
        apply(table, table.act(chair, request, table.hand.number, table.hand.action_count, action))
    return table


def view(table: Table, chair: int, time_left_ms: int = 24_000) -> TableView:
    """Return a chair's view, converted to a message and back."""
    return decode_view(encode_view(view_of(table, chair, time_left_ms)))


def update(table: Table, first: int = 0, dealer: bool = False) -> PublicUpdate:
    """Return a spectator's update, converted to a message and back."""
    return decode_update(encode_update(update_of(table, first, table.log.end, dealer, 0)))


def typed(stub: object) -> TablesClient:
    """Return a client whose calls go to `stub` instead of a server."""
    client = TablesClient(mock.Mock(), "127.0.0.1:50052")
    client._stub = stub
    return client
