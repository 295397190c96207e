"""The tournaments' contract with values instead of messages; errors are grpc.RpcError."""

import uuid
from collections.abc import Iterator
from typing import Any

import grpc

from riverboat.clients.remote.refusals import readable
from riverboat.contracts.tournaments import CreatedTournament, TournamentPlan
from riverboat.protos.gamemanager.v1 import tournaments_pb2 as pb
from riverboat.protos.gamemanager.v1.tournaments_pb2_grpc import TournamentsStub
from riverboat.rpc.convert import tournaments as convert
from riverboat.tournaments.report import TournamentInfo, TournamentReport

_CALL_SECONDS = 10


class TournamentsClient:
    """A client of one game manager's tournaments."""

    def __init__(self, channel: grpc.Channel, address: str) -> None:
        self._address = address
        self._stub: Any = TournamentsStub(channel)

    def create(self, plan: TournamentPlan) -> CreatedTournament:
        """Open registration for a tournament."""
        answer = self._stub.CreateTournament(convert.encode_plan(plan))
        with self._readable():
            return convert.decode_created(answer)

    def register(self, *, tournament_id: str, name: str) -> str:
        """Enter a player who takes part in the shuffle; return the token."""
        request = pb.RegisterRequest(
            tournament_id=tournament_id, name=name, request_id=uuid.uuid4().hex, contributes=True
        )
        return str(self._stub.Register(request, timeout=_CALL_SECONDS).token)

    def list_tournaments(self, *, include_over: bool = False) -> tuple[TournamentInfo, ...]:
        """Return the tournaments, without those that are over unless `include_over`; none of an older server."""
        try:
            answer = self._stub.ListTournaments(pb.ListTournamentsRequest(include_over=include_over))
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.UNIMPLEMENTED:
                raise
            return ()
        with self._readable():
            return convert.decode_tournaments(answer)

    def info(self, tournament_id: str) -> TournamentInfo:
        """Return a tournament from outside; NOT_FOUND if there is none."""
        answer = self._stub.ListTournaments(pb.ListTournamentsRequest(tournament_id=tournament_id))
        with self._readable():
            return convert.decode_tournaments(answer)[0]

    def watch(self, tournament_id: str, *, from_number: int = 0) -> Iterator[TournamentReport]:
        """Yield the standings of a tournament whenever they change, with all news, until the tournament has ended."""
        request = pb.WatchTournamentRequest(tournament_id=tournament_id, from_number=from_number)
        for answer in self._stub.WatchTournament(request):
            with self._readable():
                report = convert.decode_report(answer)
            yield report

    def cancel(self, *, tournament_id: str, dealer_token: str, timeout: float = _CALL_SECONDS) -> None:
        """End a tournament without a result, after the hands that are being played."""
        request = pb.CancelTournamentRequest(tournament_id=tournament_id, dealer_token=dealer_token)
        self._stub.CancelTournament(request, timeout=timeout)

    def _readable(self) -> Any:
        return readable("game manager", self._address)
