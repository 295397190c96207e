"""Records of finished hands, fetched from a game manager in batches."""

from collections.abc import Iterator

from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb

_AT_A_TIME = 200  # a message has room for a few thousand


def hands_of(
    link: GameManagerClient, table_id: str, first: int = 1, until: int | None = None
) -> Iterator[pb.HandRecord]:
    """Yield hands from number `first` up to but not including `until`."""
    while until is None or first < until:
        count = _AT_A_TIME if until is None else min(_AT_A_TIME, until - first)
        request = pb.ListHandsRequest(table_id=table_id, first_hand=first, hand_count=count)
        hands = link.tables.ListHands(request, timeout=60).hands
        if not hands:
            return
        yield from hands
        if hands[-1].hand_number < first:
            return  # a server that lists other hands than those asked for would do so forever
        first = hands[-1].hand_number + 1
