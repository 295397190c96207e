"""A bot in a duplicate match looks up seeds that were still secret when their hands ended."""

from types import SimpleNamespace
from typing import Any

import grpc

from riverboat.clients.bots.seat import Seat
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.tables import encode_records, encode_view
from riverboat.tables.records import hand_records
from riverboat.tables.view import view_of
from tests.unit.dealing.test_sealed import OTHER, Ahead

HANDS = 20


async def looked_up(is_false: bool) -> tuple[Ahead, int]:
    """A bot whose side was ahead when the other side has caught up, and how often it has asked."""
    ahead, requests = Ahead(HANDS), list[pb.ListHandsRequest]()

    async def list_hands(request: pb.ListHandsRequest, **_: float) -> pb.ListHandsResponse:
        requests.append(request)
        records = encode_records(hand_records(ahead.first, request.first_hand, request.hand_count))
        for record in records.hands:
            if is_false:
                record.events[-1].hand_ended.seed = OTHER
        return records

    async with grpc.aio.insecure_channel("127.0.0.1:1") as channel:
        player: Any = None
        seat = Seat(channel, "token", player, "ann", ahead.agent)
        seat._stub = SimpleNamespace(ListHands=list_hands)
        view = encode_view(view_of(ahead.first, 0, 0))
        view.status = pb.TABLE_STATUS_PLAYING
        await seat._check_deal(None, view)
        assert len(ahead.agent.witness.sealed) == HANDS, "nothing is public yet"
        ahead.records(HANDS)
        await seat._check_deal(None, view)
        assert len(requests) == 1, "not with every view"
        view.status = pb.TABLE_STATUS_CLOSED
        await seat._check_deal(None, view)
    return ahead, len(requests)


async def test_seeds_are_looked_up() -> None:
    ahead, request_count = await looked_up(is_false=False)
    assert request_count == 2
    assert not ahead.agent.witness.sealed
    assert not ahead.problems


async def test_false_seeds_are_problems() -> None:
    ahead, _ = await looked_up(is_false=True)
    assert ahead.problems.count("the seed is not the one that was committed to") == HANDS
