"""Requests of participants and of the researcher."""

import hmac
import json
from contextlib import suppress
from typing import Any

import grpc
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from riverboat.clients.web.experiment.archive import Archive, Participant, code_words
from riverboat.clients.web.experiment.plan import ExperimentPlan
from riverboat.clients.web.experiment.questions import (
    EXPERIENCES,
    LONGEST_ANSWER,
    OPEN_QUESTIONS,
    QUESTIONS,
)
from riverboat.clients.web.experiment.results import answers_csv, hands_csv, records_of, results_document
from riverboat.clients.web.experiment.seats import ParticipantSeats
from riverboat.clients.web.failures import ApiError
from riverboat.clients.web.fields import fields_of
from riverboat.clients.web.gateway import Gateway
from riverboat.clients.web.play.table_socket import TableSocket
from riverboat.clients.web.security.limits import Buckets, Rate
from riverboat.clients.web.security.sessions import BrowserSession
from riverboat.clients.web.table_routes import accepted

_TRIES = Rate(burst=10, per_second=0.05)  # of codes and keys, from one address
_SIGN_UPS = Rate(burst=30, per_second=0.05)


class ExperimentRoutes:
    """Sign-up, play, questionnaire, results."""

    def __init__(self, gateway: Gateway, plan: ExperimentPlan) -> None:
        self._gateway, self._plan = gateway, plan
        self._archive = Archive(plan.folder)
        self._seats = ParticipantSeats(gateway, self._archive, plan)
        self._tries, self._sign_ups = Buckets(_TRIES), Buckets(_SIGN_UPS)
        gateway.hide(self._seats.tables)

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/api/experiment", self.show),
            Route("/api/experiment/begin", self.begin, methods=["POST"]),
            Route("/api/experiment/return", self.come_back, methods=["POST"]),
            Route("/api/experiment/sit", self.sit, methods=["POST"]),
            Route("/api/experiment/answers", self.answer, methods=["POST"]),
            Route("/api/experiment/delete", self.delete, methods=["POST"]),
            Route("/api/experiment/key", self.unlock, methods=["POST"]),
            Route("/api/experiment/results", self.results),
            Route("/api/experiment/hands.csv", self.hands),
            Route("/api/experiment/participants.csv", self.participants),
            Route("/api/experiment/remove", self.remove, methods=["POST"]),
            WebSocketRoute("/ws/experiment", self.socket),
        ]

    async def show(self, request: Request) -> JSONResponse:
        """Answer with the form and the questionnaire, and with how far the participant is."""
        session = self._gateway.admitted(request)
        document: dict[str, Any] = {
            "name": self._plan.name,
            "hands": self._plan.hand_count,
            "questions_after": self._plan.questions_after,
            "experiences": [{"key": key, "words": words} for key, words in EXPERIENCES],
            "questions": [
                {"key": one.key, "words": one.words, "answers": list(one.answers), "may_not_know": one.may_not_know}
                for one in QUESTIONS
            ],
            "open": [{"key": key, "words": words} for key, words in OPEN_QUESTIONS],
            "me": None,
        }
        if session.participant:
            try:
                own = await self._seats.collect(session.participant)
            except KeyError:
                session.participant = ""
            else:
                answered = bool(self._archive.answers(own.id))
                document["me"] = {"hands": own.hand_count, "answered": answered}
        return JSONResponse(document)

    async def begin(self, request: Request) -> JSONResponse:
        """Enrol a participant who has agreed; answer with the code to come back with, this once."""
        session, fields = self._gateway.changing(request), await fields_of(request)
        experience = fields.choice("experience", [key for key, _ in EXPERIENCES])
        if not fields.flag("agrees") or not fields.flag("earnest"):
            raise ApiError(400, "to take part, tick both boxes")
        if session.participant:
            raise ApiError(409, "you take part already")
        if not self._sign_ups.take(_address(request)):
            raise ApiError(429, "too many people sign up from your network; try again in a minute")
        participant, code = self._archive.enrol(self._plan.agents, experience)
        session.participant = participant.id
        self._gateway.sessions.save()
        return JSONResponse({"code": code_words(code)}, 201)

    async def come_back(self, request: Request) -> JSONResponse:
        """Take up where a participant has left, by the code."""
        session, fields = self._gateway.changing(request), await fields_of(request)
        if not self._tries.take(_address(request)):
            raise ApiError(429, "too many tries; wait a minute")
        participant = self._archive.returning(fields.text("code", most=40))
        if participant is None:
            raise ApiError(404, "nobody has this code; look at it again")
        session.participant = participant.id
        self._gateway.sessions.save()
        return JSONResponse({})

    async def sit(self, request: Request) -> JSONResponse:
        """Seat the participant."""
        session = self._gateway.changing(request)
        await self._seats.take(session, self._participant(session))
        self._gateway.sessions.save()
        return JSONResponse({})

    async def answer(self, request: Request) -> JSONResponse:
        """Keep the questionnaire."""
        session, fields = self._gateway.changing(request), await fields_of(request)
        own = await self._seats.collect(self._participant(session).id)
        if own.hand_count < self._plan.questions_after:
            raise ApiError(409, f"the questions come after {self._plan.questions_after} hands")
        answers: dict[str, str] = {}
        for question in QUESTIONS:
            known = ("1", "2", "3", "4", "5", *(("unknown",) if question.may_not_know else ()))
            answers[question.key] = fields.choice(question.key, known)
        for key, _ in OPEN_QUESTIONS:
            answers[key] = fields.text(key, "", most=LONGEST_ANSWER)
        self._archive.answer(own.id, answers)
        return JSONResponse({})

    async def delete(self, request: Request) -> JSONResponse:
        """Delete everything about the participant who asks."""
        session = self._gateway.changing(request)
        participant = self._participant(session)
        session.participant = ""
        await self._drop(participant)
        session.seats.clear()
        self._gateway.sessions.save()
        return JSONResponse({})

    async def socket(self, socket: WebSocket) -> None:
        """Serve a participant at the table."""
        await accepted(self._gateway, socket, self._play)

    async def _play(self, socket: WebSocket, session: BrowserSession) -> None:
        self._participant(session)
        feed = self._seats.feed(session)
        await TableSocket(socket, feed, None, self._gateway.links, self._gateway.calls, advises=False).run()

    def _participant(self, session: BrowserSession) -> Participant:
        try:
            return self._archive.participant(session.participant)
        except KeyError:
            raise ApiError(403, "sign up first, or come back with your code") from None

    async def _drop(self, participant: Participant) -> None:
        if participant.token:
            with suppress(grpc.RpcError):  # the table may be gone
                leave = self._gateway.links.games.tables.leave
                await self._gateway.calls.short(leave, token=participant.token, give_up=True)
        self._archive.delete(participant.id)

    # The researcher

    async def unlock(self, request: Request) -> JSONResponse:
        """Show the results to a browser that gives the key."""
        session, fields = self._gateway.changing(request), await fields_of(request)
        if not self._tries.take(_address(request)):
            raise ApiError(429, "too many tries; wait a minute")
        if not hmac.compare_digest(fields.text("key").encode(), self._plan.key.encode()):
            raise ApiError(403, "this is not the key")
        session.is_researcher = True
        return JSONResponse({})

    def _researcher(self, connection: HTTPConnection) -> None:
        if not self._gateway.admitted(connection).is_researcher:
            raise ApiError(403, "the key of the results is required")

    async def _collected(self) -> None:
        for participant in self._archive.participants():
            await self._seats.collect(participant.id)

    async def results(self, request: Request) -> JSONResponse:
        """Answer with the results."""
        self._researcher(request)
        await self._collected()
        with_all = request.query_params.get("all") == "1"
        document = await self._gateway.calls.long(
            lambda: results_document(records_of(self._archive), self._plan.agents, with_all)
        )
        return JSONResponse({"name": self._plan.name, **document})

    async def hands(self, request: Request) -> Response:
        """Answer with all hands as CSV."""
        self._researcher(request)
        await self._collected()
        return _file(self._plan.name, "hands", hands_csv(records_of(self._archive)))

    async def participants(self, request: Request) -> Response:
        """Answer with all participants as CSV."""
        self._researcher(request)
        await self._collected()
        return _file(self._plan.name, "participants", answers_csv(records_of(self._archive)))

    async def remove(self, request: Request) -> JSONResponse:
        """Delete everything about a participant, by the number in the results."""
        self._gateway.changing(request)
        self._researcher(request)
        number = json.loads(await request.body()).get("number")
        for participant in self._archive.participants():
            if participant.number == number:
                await self._drop(participant)
                return JSONResponse({})
        raise ApiError(404, "nobody has this number")


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _file(name: str, what: str, text: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}-{what}.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)
