"""A bot in a duplicate match looks up seeds that were still secret when their hands ended."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from riverboat.clients.bots.bot_chair import BotChair
from riverboat.tables.entries import HandFinished
from riverboat.tables.records import HandRecord, hand_records
from riverboat.tables.view import Status, view_of
from tests.unit.dealing.test_sealed import OTHER, Ahead

HANDS = 20


def with_false_seed(record: HandRecord) -> HandRecord:
    *before, last = record.entries
    assert isinstance(last, HandFinished)
    return replace(record, entries=(*before, replace(last, seed=OTHER)))


async def looked_up(is_false: bool) -> tuple[Ahead, int]:
    """Return a bot whose side was ahead and has been caught up, and how often it has asked."""
    ahead, requests = Ahead(HANDS), list[int]()

    async def list_hands(table_id: str, first_hand: int, hand_count: int) -> list[HandRecord]:
        requests.append(first_hand)
        records = hand_records(ahead.first, first_hand, hand_count)
        return [with_false_seed(record) for record in records] if is_false else records

    nobody: Any = None
    tables: Any = SimpleNamespace(list_hands=list_hands)
    chair = BotChair(tables, "token", nobody, "ann", ahead.agent)
    view = replace(view_of(ahead.first, 0, 0), status=Status.PLAYING)
    await chair._check_deal(nobody, view)
    assert len(ahead.agent.witness.sealed) == HANDS, "nothing is public yet"
    ahead.records(HANDS)
    await chair._check_deal(nobody, view)
    assert len(requests) == 1, "not with every view"
    await chair._check_deal(nobody, replace(view, status=Status.CLOSED))
    return ahead, len(requests)


async def test_seeds_are_looked_up() -> None:
    ahead, request_count = await looked_up(is_false=False)
    assert request_count == 2
    assert not ahead.agent.witness.sealed
    assert not ahead.problems


async def test_false_seeds_are_problems() -> None:
    ahead, _ = await looked_up(is_false=True)
    assert ahead.problems.count("the seed is not the one that was committed to") == HANDS
