"""The matches' contract with values instead of messages; errors are grpc.RpcError."""

from collections.abc import Iterator
from typing import Any

import grpc

from riverboat.contracts.matches import MatchPlan, StartedMatch
from riverboat.protos.gamemanager.v1 import matches_pb2 as pb
from riverboat.protos.gamemanager.v1.matches_pb2_grpc import MatchesStub
from riverboat.rpc.convert import matches as convert
from riverboat.tables.match import MatchScore


class MatchesClient:
    """A client of one game manager's matches."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._stub: Any = MatchesStub(channel)

    def start(self, plan: MatchPlan) -> StartedMatch:
        """Begin a match."""
        return convert.decode_started(self._stub.StartMatch(convert.encode_plan(plan)))

    def watch(self, match_id: str, *, timeout: float | None = None) -> Iterator[MatchScore]:
        """Yield the score of a match whenever it changes, until the match is over."""
        request = pb.WatchMatchRequest(match_id=match_id)
        yield from map(convert.decode_score, self._stub.WatchMatch(request, timeout=timeout))

    def cancel(self, *, match_id: str, dealer_token: str, timeout: float) -> None:
        """End a match after the hands that are being played."""
        self._stub.CancelMatch(pb.CancelMatchRequest(match_id=match_id, dealer_token=dealer_token), timeout=timeout)
