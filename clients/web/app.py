"""The page as an ASGI application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from riverboat.clients.web.agent_pages import AgentPages
from riverboat.clients.web.experiment.plan import ExperimentPlan
from riverboat.clients.web.experiment.routes import ExperimentRoutes
from riverboat.clients.web.failures import EXPECTED, answer_failure
from riverboat.clients.web.fields import fields_of
from riverboat.clients.web.gateway import Gateway, WebOptions
from riverboat.clients.web.links import Links
from riverboat.clients.web.lobby import Lobby
from riverboat.clients.web.runs import RunRoutes
from riverboat.clients.web.security.guard import Guard, GuardRules
from riverboat.clients.web.study.routes import StudyRoutes
from riverboat.clients.web.table_routes import TableRoutes

STATIC = Path(__file__).parent / "static"
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_PAGES = (
    "/", "/table/{id}", "/watch/{id}", "/tournament/{id}", "/replay", "/replay/{id}/{hand}", "/study", "/agents",
    "/runs", "/experiment", "/experiment/results",
)  # fmt: skip


class _Files(StaticFiles):
    """Files that a browser revalidates on each load, so that old and new versions never mix."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file that a browser may cache but must revalidate."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def application(links: Links, options: WebOptions, experiment: ExperimentPlan | None = None) -> ASGIApp:
    """Return the page; streams are opened when the server's event loop runs."""
    page = _Page(links, options, experiment)
    starlette = Starlette(routes=page.fixed_routes(), lifespan=page.lifespan)
    for kind in EXPECTED:
        starlette.add_exception_handler(kind, answer_failure)
    return Guard(starlette, _rules(options))


class _Page:
    """The routes; those that need streams come when the event loop runs."""

    def __init__(self, links: Links, options: WebOptions, experiment: ExperimentPlan | None) -> None:
        self._links, self._options, self._experiment = links, options, experiment
        self._gateway: Gateway | None = None

    def fixed_routes(self) -> list[BaseRoute]:
        """Return the routes of files, and of the session."""
        return [
            *(Route(path, _shell) for path in _PAGES),
            Route("/api/session", self.session),
            Route("/api/login", self.log_in, methods=["POST"]),
            Mount("/static", _Files(directory=STATIC)),
        ]

    @asynccontextmanager
    async def lifespan(self, starlette: Starlette) -> AsyncIterator[None]:
        """Open the streams and add the routes that use them; close them at the end."""
        gateway = self._gateway = Gateway(self._links, self._options)
        if self._experiment:  # and nothing else: participants have no help, and learn nothing about agents
            parts: list[Any] = [ExperimentRoutes(gateway, self._experiment)]
        else:
            parts = [Lobby, TableRoutes, StudyRoutes, AgentPages, RunRoutes]
            parts = [part(gateway) for part in parts]
        routes: list[BaseRoute] = [route for part in parts for route in part.routes()]
        starlette.router.routes.extend(routes)
        try:
            yield
        finally:
            await gateway.close()

    async def session(self, request: Request) -> JSONResponse:
        """Answer with the browser's session; begin one if it has none."""
        gateway = self._running()
        session, headers = gateway.sessions.of(request), dict[str, str]()
        if session is None:
            session, cookie = gateway.sessions.begin()
            headers["set-cookie"] = gateway.sessions.cookie_header(cookie)
        seats = [{"place": seat.place, "name": seat.name, "is_tournament": seat.is_tournament}
                 for seat in session.seats.values()]  # fmt: skip
        known: dict[str, Any] = {"csrf": session.csrf, "admitted": session.is_admitted, "seats": seats}
        known |= {"experiment": self._experiment is not None, "researcher": session.is_researcher}
        return JSONResponse(known, headers=headers)

    async def log_in(self, request: Request) -> JSONResponse:
        """Admit a browser that gives the password."""
        fields = await fields_of(request)
        self._running().log_in(request, fields.text("password"))
        return JSONResponse({})

    def _running(self) -> Gateway:
        if self._gateway is None:
            raise RuntimeError("the event loop has not begun")
        return self._gateway


async def _shell(_: Request) -> FileResponse:
    """Answer with the one page, whose script draws what its address says."""
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


def _rules(options: WebOptions) -> GuardRules:
    scheme = "https" if options.is_encrypted else "http"
    hosts = LOOPBACK_NAMES | options.names if options.host in LOOPBACK_NAMES or options.names else frozenset[str]()
    return GuardRules(hosts=frozenset(hosts), scheme=scheme)
