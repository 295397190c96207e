"""Requests of the study page: solve, walk, lock, save, load, and review hands of files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from riverboat.cards import format_cards, parse_cards
from riverboat.clients.console.hands.files import decisions_in, holding_in
from riverboat.clients.console.study.node_locks import read_locks
from riverboat.clients.console.study.solutions import SolveOptions, Stop, part_done
from riverboat.clients.console.study.spot_files import SpotText, StudySpot, read_spot
from riverboat.clients.console.study.steps import read_path
from riverboat.clients.remote.resolver import loaded_state
from riverboat.clients.web.failures import ApiError
from riverboat.clients.web.fields import Fields
from riverboat.clients.web.gateway import Gateway
from riverboat.clients.web.play.advice import reviewed_hand
from riverboat.clients.web.security.sessions import BrowserSession
from riverboat.clients.web.study.node_documents import cost_document, node_document
from riverboat.clients.web.study.range_text import range_text
from riverboat.clients.web.table_routes import accepted, stream_answers
from riverboat.contracts.resolver import EQUITY, Solved
from riverboat.history.phh import read_phh
from riverboat.holdings import check_holding
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.variant import MOST_CHIPS
from riverboat.streets import STREET_NUMBERS

_LONGEST_RANGE = 4_000
_MOST_LOCKS, _LONGEST_LOCK = 40, 500
_MOST_SOLUTIONS = 8  # of one browser: the oldest is released
_MOST_SECONDS = 600.0
_LONGEST_HAND = 20_000
Tell = Callable[[float], None]


class StudyRoutes:
    """Requests about spots and their solutions."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway, self._calls = gateway, gateway.calls

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            WebSocketRoute("/ws/study/solve", self.solve),
            WebSocketRoute("/ws/study/review", self.review),
            Route("/api/study/{handle}/node", self.node),
            Route("/api/study/{handle}/file", self.file),
            Route("/api/study/load", self.load, methods=["POST"]),
        ]

    async def solve(self, socket: WebSocket) -> None:
        """Solve the spot in the first message; send progress, and at last the handle."""
        await accepted(self._gateway, socket, self._solve)

    async def _solve(self, socket: WebSocket, session: BrowserSession) -> None:
        fields = Fields(await socket.receive_json())
        study = _spot_in(fields)
        options, stop = _options_in(fields, study), _stop_in(fields)
        limits = stop.limits(study.public.pot)

        def work(tell: Tell) -> Any:
            link, last = self._gateway.links.resolver(), None
            known = float("nan")
            for step in link.solve(
                study.public, str(study.sizes), study.ranges, limits,
                depth=options.depth, leaf=options.leaf, locks=options.locks,
            ):  # fmt: skip
                last, known = step, _last_known(step, known)
                tell(part_done(step, limits, known, study.public.pot))
                yield {"step": "progress", **cost_document(step, study.public.pot)}
            if last is not None and last.handle:
                self._keep(session, last.handle, study)
                yield {"step": "solved", "handle": last.handle, **cost_document(last, study.public.pot)}

        await stream_answers(self._gateway, socket, work)

    def _keep(self, session: BrowserSession, handle: str, study: StudySpot) -> None:
        session.solutions[handle] = study
        while len(session.solutions) > _MOST_SOLUTIONS:
            oldest = next(iter(session.solutions))
            del session.solutions[oldest]
            self._gateway.links.resolver().release(oldest)

    def _study(self, session: BrowserSession, request: Request) -> tuple[str, StudySpot]:
        handle = request.path_params["handle"]
        study = session.solutions.get(handle)
        if study is None:
            raise ApiError(404, "this solution is gone: solve the spot again, or load it from its file")
        return handle, study

    async def node(self, request: Request) -> JSONResponse:
        """Answer with one node of a solution."""
        handle, study = self._study(self._gateway.admitted(request), request)
        path = request.query_params.get("path", "")[:400]
        steps, public = read_path(path, study.public, study.sizes)
        link = await self._calls.short(self._gateway.links.resolver)
        node = await self._calls.long(link.node, handle, steps)
        return JSONResponse(await self._calls.short(node_document, public, node, path))

    async def file(self, request: Request) -> Response:
        """Answer with a solution as a file."""
        handle, study = self._study(self._gateway.admitted(request), request)
        link = await self._calls.short(self._gateway.links.resolver)
        data = await self._calls.long(lambda: b"".join(link.save(handle)))
        name = f"{format_cards(study.public.board) or 'spot'}.solution"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type="application/octet-stream", headers=headers)

    async def load(self, request: Request) -> JSONResponse:
        """Load a solution from a file; answer with its spot."""
        session, data = self._gateway.changing(request), await request.body()
        return JSONResponse(await self._calls.long(self._loaded, session, data))

    def _loaded(self, session: BrowserSession, data: bytes) -> dict[str, Any]:
        loaded = self._gateway.links.resolver().load(data)
        question, public = loaded.question, loaded_state(loaded)
        study = StudySpot(public, question.ranges.reshape(2, -1), parse_bet_sizes(question.spot.bet_sizes))
        self._keep(session, loaded.solved.handle, study)
        deck = public.variant.deck
        spot = {
            "board": format_cards(public.board),
            "pot": public.pot,
            "stack": min(public.stacks),
            "oop": range_text(study.ranges[0], deck),
            "ip": range_text(study.ranges[1], deck),
            "sizes": question.spot.bet_sizes,
            "deck": deck.name,
        }
        return {"handle": loaded.solved.handle, "spot": spot, **cost_document(loaded.solved, public.pot)}

    async def review(self, socket: WebSocket) -> None:
        """Review the hand in the first message for one of its players."""
        await accepted(self._gateway, socket, self._review)

    async def _review(self, socket: WebSocket, _: BrowserSession) -> None:
        fields = Fields(await socket.receive_json())
        history = next(read_phh(fields.text("phh", most=_LONGEST_HAND)), None)
        if history is None:
            raise ApiError(400, "the text has no hand")
        if len(history.stacks) != 2:
            raise ApiError(409, f"only two-player hands can be reviewed, and this one has {len(history.stacks)}")
        seat = fields.whole("seat", 0, 1)
        typed = fields.text("holding", "", most=10)
        holding = tuple(parse_cards(typed)) if typed else holding_in(history, seat)
        if holding is None:
            raise ApiError(400, f"the cards of {history.name(seat)} are not known: type them, like AhKd")
        check_holding(history.variant.deck, holding)
        decisions, opponent = decisions_in(Path("the hand"), history), history.name(1 - seat)

        def reviewed(tell: Tell) -> Any:
            return reviewed_hand(self._gateway.links.resolver(), decisions, seat, holding, opponent, tell)

        await stream_answers(self._gateway, socket, reviewed)


def _spot_in(fields: Fields) -> StudySpot:
    return read_spot(
        SpotText(
            board=fields.text("board", most=20),
            pot=fields.whole("pot", 2, MOST_CHIPS),
            stack=fields.whole("stack", 1, MOST_CHIPS),
            oop=fields.text("oop", most=_LONGEST_RANGE),
            ip=fields.text("ip", most=_LONGEST_RANGE),
            sizes=fields.text("sizes"),
            deck=fields.choice("deck", ("52", "36", "24"), "52"),
        )
    )


def _options_in(fields: Fields, study: StudySpot) -> SolveOptions:
    cut = fields.choice("cut", ("", "turn", "river"), "")
    if cut and STREET_NUMBERS[cut] <= study.public.street:
        raise ApiError(400, f"cut: the {cut} is already dealt")
    depth = (STREET_NUMBERS[cut], 0) if cut else None
    locks = read_locks(fields.texts("locks", _MOST_LOCKS, _LONGEST_LOCK), study)
    return SolveOptions(locks, depth, EQUITY if cut else "", False)


def _stop_in(fields: Fields) -> Stop:
    return Stop(fields.text("target", "0.3%", most=20), None, fields.number("seconds", 1, _MOST_SECONDS, 120.0))


def _last_known(step: Solved, known: float) -> float:
    value = step.cost.exploitability
    return value if value == value else known
