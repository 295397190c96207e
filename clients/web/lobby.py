"""The lobby: agents, tables, matches and tournaments as they are, and calls that create and join them."""

import uuid
from math import isfinite
from typing import Any

import grpc
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from riverboat.clients.web.agent_words import words_of
from riverboat.clients.web.failures import ApiError
from riverboat.clients.web.fields import Fields, fields_of
from riverboat.clients.web.gateway import Gateway
from riverboat.clients.web.play.new_tables import match_in, table_in, tournament_in
from riverboat.clients.web.play.table_documents import info_document
from riverboat.clients.web.security.sessions import BrowserSession, HeldSeat
from riverboat.clients.web.strengths import STRENGTHS
from riverboat.tables.config import check_player_name
from riverboat.tables.match import MatchScore
from riverboat.tables.view import Status
from riverboat.tournaments.report import TournamentInfo, TournamentReport

_FIRST_ANSWER_SECONDS = 5.0
_MOST_STANDINGS = 100


class Lobby:
    """Requests about tables, matches and tournaments."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway, self._games, self._calls = gateway, gateway.links.games, gateway.calls

    def routes(self) -> list[Route]:
        """Return the routes."""
        routes = [
            Route("/api/lobby", self.show),
            Route("/api/tables", self.create, methods=["POST"]),
            Route("/api/tables/{table_id}/join", self.join, methods=["POST"]),
            Route("/api/tables/{table_id}/close", self.close, methods=["POST"]),
            Route("/api/matches", self.start_match, methods=["POST"]),
            Route("/api/matches/{match_id}", self.match),
            Route("/api/tournaments", self.create_tournament, methods=["POST"]),
            Route("/api/tournaments/{tournament_id}", self.tournament),
            Route("/api/tournaments/{tournament_id}/enter", self.enter, methods=["POST"]),
        ]
        return routes

    async def show(self, request: Request) -> JSONResponse:
        """Answer with everything there is."""
        session = self._gateway.admitted(request)
        listed = await self._calls.short(self._games.tables.list_tables)
        tournaments = await self._calls.short(self._games.tournaments.list_tournaments)
        try:
            agents = await self._calls.short(self._games.agents)
        except grpc.RpcError:
            agents = []
        hidden = self._gateway.hidden_tables()
        tables = [info_document(info) for info in listed.tables if info.table_id not in hidden]
        return JSONResponse(
            {
                "agents": [_agent(name) for name in agents],
                "tables": tables,
                "tournaments": [_tournament(info) for info in tournaments],
                "seats": list(session.seats),
            }
        )

    async def create(self, request: Request) -> JSONResponse:
        """Open a table, and sit down at it unless it is for agents only."""
        session, fields = self._gateway.opening(request), await fields_of(request)
        player = "" if fields.flag("watch") else _player(fields)
        config = table_in(fields, player)
        created = await self._calls.short(self._games.tables.create, config)
        table_id = created.info.table_id
        session.deal(table_id, created.dealer_token)
        if player:
            await self._sit(session, table_id, player)
        return JSONResponse({"table": table_id}, 201)

    async def join(self, request: Request) -> JSONResponse:
        """Take a chair."""
        session, fields = self._gateway.changing(request), await fields_of(request)
        table_id, player = request.path_params["table_id"], _player(fields)
        if table_id not in session.seats:
            await self._sit(session, table_id, player)
        return JSONResponse({"table": table_id})

    async def close(self, request: Request) -> JSONResponse:
        """Close a table that this browser opened."""
        session, table_id = self._gateway.changing(request), request.path_params["table_id"]
        token = session.dealers.get(table_id)
        if token is None:
            raise ApiError(403, "only the browser that opened the table may close it")
        await self._calls.short(self._games.tables.close, table_id=table_id, dealer_token=token, timeout=10)
        return JSONResponse({})

    async def _sit(self, session: BrowserSession, table_id: str, player: str) -> None:
        info = await self._calls.short(self._games.tables.info, table_id)
        if info.status is Status.CLOSED:
            raise ApiError(409, "the table is closed")
        joined = await self._gateway.play.client.join(table_id=table_id, name=player, request_id=uuid.uuid4().hex)
        session.sit(HeldSeat(place=table_id, token=joined.token, name=player))
        self._gateway.sessions.save()

    async def start_match(self, request: Request) -> JSONResponse:
        """Begin a match between agents."""
        session = self._gateway.opening(request)
        started = await self._calls.short(self._games.matches.start, match_in(await fields_of(request)))
        for table_id in started.table_ids:
            session.deal(table_id, started.dealer_token)
        return JSONResponse({"table": started.match_id}, 201)

    async def match(self, request: Request) -> JSONResponse:
        """Answer with the score of a match so far."""
        self._gateway.admitted(request)
        score = await self._calls.short(self._first_score, request.path_params["match_id"])
        return JSONResponse(_score(score))

    def _first_score(self, match_id: str) -> MatchScore:
        stream = self._games.matches.watch(match_id, timeout=_FIRST_ANSWER_SECONDS)
        for score in stream:
            return score
        raise ApiError(404, "there is no such match")

    async def create_tournament(self, request: Request) -> JSONResponse:
        """Open registration for a tournament, and enter unless agents take all places."""
        session, fields = self._gateway.opening(request), await fields_of(request)
        plan = tournament_in(fields)
        is_free = plan.structure.entrant_count > len(plan.agents)
        player = _player(fields) if is_free else ""
        created = await self._calls.short(self._games.tournaments.create, plan)
        tournament_id = created.info.tournament_id
        session.deal(tournament_id, created.dealer_token)
        if player:
            await self._enter(session, tournament_id, player)
        return JSONResponse({"tournament": tournament_id}, 201)

    async def enter(self, request: Request) -> JSONResponse:
        """Enter a tournament."""
        session, fields = self._gateway.changing(request), await fields_of(request)
        tournament_id, player = request.path_params["tournament_id"], _player(fields)
        if tournament_id not in session.seats:
            await self._enter(session, tournament_id, player)
        return JSONResponse({"tournament": tournament_id})

    async def _enter(self, session: BrowserSession, tournament_id: str, player: str) -> None:
        register = self._games.tournaments.register
        token = await self._calls.short(register, tournament_id=tournament_id, name=player)
        session.sit(HeldSeat(place=tournament_id, token=token, name=player, is_tournament=True))
        self._gateway.sessions.save()

    async def tournament(self, request: Request) -> JSONResponse:
        """Answer with how a tournament stands."""
        session, tournament_id = self._gateway.admitted(request), request.path_params["tournament_id"]
        report = await self._calls.short(self._first_report, tournament_id)
        return JSONResponse(_report(report) | {"entered": tournament_id in session.seats})

    def _first_report(self, tournament_id: str) -> TournamentReport:
        for report in self._games.tournaments.watch(tournament_id):
            return report
        raise ApiError(404, "there is no such tournament")


def _player(fields: Fields) -> str:
    name = fields.text("name", most=30)
    check_player_name(name)
    return name


def _agent(name: str) -> dict[str, Any]:
    words, strength = words_of(name), STRENGTHS.get(name)
    known = {"mbb": strength.mbb, "margin": strength.margin} if strength else None
    return {"name": name, "what": words.what, "level": words.level, "players": words.players, "strength": known}


def _score(score: MatchScore) -> dict[str, Any]:
    return {
        "scores": [
            {
                "name": one.bot,
                "mbb": round(one.mbb, 1),
                "margin": round(one.margin, 1) if isfinite(one.margin) else None,
            }
            for one in score.scores
        ],
        "hands": score.hand_count,
        "wanted": score.wanted_count,
        "is_over": score.is_over,
        "waits_for": score.waits_for,
    }


def _tournament(info: TournamentInfo) -> dict[str, Any]:
    blinds = info.blinds
    return {
        "id": info.tournament_id,
        "name": info.name,
        "status": info.status.name.lower(),
        "entrants": info.structure.entrant_count,
        "registered": info.registered_count,
        "left": info.left_count,
        "level": info.level + 1,
        "blinds": [blinds.small_blind, blinds.big_blind, blinds.ante],
        "hands": info.hand_count,
        "tables": list(info.table_ids),
        "agents_only": info.agents_only,
    }


def _report(report: TournamentReport) -> dict[str, Any]:
    standings = [
        {"name": one.name, "is_agent": one.is_agent, "chips": one.chips, "rank": one.rank, "table": one.table_id}
        for one in report.standings[:_MOST_STANDINGS]
    ]
    return {"tournament": _tournament(report.info), "standings": standings, "waits_for": report.waits_for}
