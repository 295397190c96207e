"""The gateway: state that all requests share, and the checks of what a browser's session may do."""

import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from starlette.requests import HTTPConnection, Request
from starlette.websockets import WebSocket

from riverboat.clients.web.failures import ApiError
from riverboat.clients.web.links import Calls, Links, PlayLink
from riverboat.clients.web.play.feeds import Feeds
from riverboat.clients.web.security.guard import CSRF_HEADER
from riverboat.clients.web.security.limits import Buckets, Rate
from riverboat.clients.web.security.sessions import BrowserSession, Sessions

_MOST_SOCKETS = 24  # of one session
_TABLES = Rate(burst=100, per_second=0.5)  # that one address may open
_PASSWORD_TRIES = Rate(burst=10, per_second=0.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebOptions:
    """How the page is served."""

    host: str = "127.0.0.1"
    port: int = 0
    names: frozenset[str] = frozenset()  # more names by which the page may be called
    password: str = field(default="", repr=False)
    certificate: Path | None = None
    key: Path | None = None
    state: Path | None = None  # folder for sessions that survive a restart
    force: bool = False  # serve others without password and TLS

    @property
    def is_encrypted(self) -> bool:
        """Whether the page is served by TLS."""
        return self.certificate is not None


class Gateway:
    """Everything that requests share; made when the event loop runs."""

    def __init__(self, links: Links, options: WebOptions) -> None:
        self.links, self.options, self.calls = links, options, Calls()
        file = options.state / "sessions.json" if options.state else None
        self.sessions = Sessions(file, is_open=not options.password, secure=options.is_encrypted)
        self.play = PlayLink(links.games.address)
        self.feeds = Feeds(links.games, self.play, self.calls, self.sessions.save)
        self._sockets: dict[str, int] = {}  # open ones by session
        self._tries = Buckets(_PASSWORD_TRIES)
        self._openings = Buckets(_TABLES)
        self._hides: list[Callable[[], set[str]]] = []

    def hide(self, tables: Callable[[], set[str]]) -> None:
        """Leave tables out of the lobby."""
        self._hides.append(tables)

    def hidden_tables(self) -> set[str]:
        """Return the tables that the lobby leaves out."""
        return set().union(*(tables() for tables in self._hides))

    def admitted(self, connection: HTTPConnection) -> BrowserSession:
        """Return the session of a browser that may look."""
        session = self.sessions.of(connection)
        if session is None:
            raise ApiError(401, "load the page again: your session is unknown")
        if not session.is_admitted:
            raise ApiError(401, "the password is required")
        return session

    def changing(self, request: Request) -> BrowserSession:
        """Return the session of a browser that may change something: the request comes from our own page."""
        session = self.sessions.of(request)
        if session is None or not hmac.compare_digest(request.headers.get(CSRF_HEADER, ""), session.csrf):
            raise ApiError(403, "load the page again: the request does not come from it")
        return self.admitted(request)

    def opening(self, request: Request) -> BrowserSession:
        """Return the session of a browser that may open a table, a match or a tournament."""
        session = self.changing(request)
        if not self._openings.take(request.client.host if request.client else ""):
            raise ApiError(429, "too many new tables; wait a moment")
        return session

    def log_in(self, request: Request, password: str) -> None:
        """Admit a session that gives the password."""
        session = self.sessions.of(request)
        if session is None or not hmac.compare_digest(request.headers.get(CSRF_HEADER, ""), session.csrf):
            raise ApiError(403, "load the page again: the request does not come from it")
        if not self._tries.take(request.client.host if request.client else ""):
            raise ApiError(429, "too many tries; wait a minute")
        if not hmac.compare_digest(password.encode(), self.options.password.encode()):
            raise ApiError(403, "this is not the password")
        session.is_admitted = True

    def open_socket(self, socket: WebSocket) -> BrowserSession:
        """Count a socket; return its session."""
        session = self.admitted(socket)
        if self._sockets.get(session.key, 0) >= _MOST_SOCKETS:
            raise ApiError(429, "too many open pages")
        self._sockets[session.key] = self._sockets.get(session.key, 0) + 1
        return session

    def close_socket(self, session: BrowserSession) -> None:
        """Count a socket that has closed."""
        self._sockets[session.key] -= 1
        if not self._sockets[session.key]:
            del self._sockets[session.key]

    async def close(self) -> None:
        """End all streams."""
        self.sessions.save()
        await self.feeds.close()
        await self.play.close()
