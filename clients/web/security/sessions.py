"""Sessions: a browser is known by a cookie that nobody can guess; what it may do stays on this side.

A session keeps the tokens of the chairs that its browser has taken. They never leave the gateway: neither a page nor an
address nor a script in the page ever holds one.
"""

import hashlib
import json
import secrets
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.requests import HTTPConnection

COOKIE = "riverboat"
_KEY_BYTES = 32
_MOST_SESSIONS = 20_000
_MOST_SEATS = 40  # that one session keeps: the oldest are forgotten
_COOKIE_SECONDS = 180 * 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldSeat:
    """A chair, or an entry in a tournament, that a session plays."""

    place: str  # table or tournament
    token: str = field(repr=False)
    name: str
    is_tournament: bool = False


@dataclass(slots=True, eq=False)
class BrowserSession:
    """One browser."""

    key: str  # hash of the cookie
    csrf: str
    seats: dict[str, HeldSeat] = field(default_factory=dict)  # by place
    dealers: dict[str, str] = field(default_factory=dict, repr=False)  # tokens by table
    solutions: dict[str, Any] = field(default_factory=dict)  # studied spots by handle
    participant: str = ""  # of the experiment
    is_admitted: bool = False  # has given the password
    is_researcher: bool = False
    seen: float = 0.0

    def sit(self, seat: HeldSeat) -> None:
        """Keep a seat."""
        self.seats[seat.place] = seat
        while len(self.seats) > _MOST_SEATS:
            del self.seats[next(iter(self.seats))]

    def deal(self, table_id: str, token: str) -> None:
        """Keep the dealer's token of a table."""
        self.dealers[table_id] = token
        while len(self.dealers) > _MOST_SEATS:
            del self.dealers[next(iter(self.dealers))]


class Sessions:
    """All sessions, by cookie; kept in a file of the owner's own if there is one, so that a restart loses no seat."""

    def __init__(self, file: Path | None = None, *, is_open: bool = True, secure: bool = False) -> None:
        """Begin with the sessions in `file`; `is_open` admits everybody, `secure` is for TLS."""
        self._file, self._is_open, self._secure = file, is_open, secure
        self._sessions: dict[str, BrowserSession] = {session.key: session for session in _saved(file)}

    def of(self, connection: HTTPConnection) -> BrowserSession | None:
        """Return the session of a request or socket; None if its cookie is unknown."""
        cookie = connection.cookies.get(COOKIE, "")
        session = self._sessions.get(_hash(cookie)) if cookie else None
        if session:
            session.seen = time.time()
        return session

    def begin(self) -> tuple[BrowserSession, str]:
        """Return a new session and its cookie."""
        cookie = secrets.token_urlsafe(_KEY_BYTES)
        session = BrowserSession(
            _hash(cookie), secrets.token_urlsafe(_KEY_BYTES), is_admitted=self._is_open, seen=time.time()
        )
        self._make_room()
        self._sessions[session.key] = session
        return session, cookie

    def cookie_header(self, cookie: str) -> str:
        """Return the header that gives a browser its cookie: scripts cannot read it, other sites cannot send it."""
        secure = "; Secure" if self._secure else ""
        return f"{COOKIE}={cookie}; Path=/; Max-Age={_COOKIE_SECONDS}; HttpOnly; SameSite=Strict{secure}"

    def save(self) -> None:
        """Write the sessions that hold something to the file."""
        if self._file is None:
            return
        kept = [_plain(session) for session in self._sessions.values() if session.seats or session.participant]
        temporary = self._file.with_suffix(".new")
        temporary.touch(mode=0o600)
        temporary.write_text(json.dumps(kept))
        temporary.replace(self._file)

    def _make_room(self) -> None:
        """Forget the session that was away longest: one without a seat, if there is one."""
        if len(self._sessions) >= _MOST_SESSIONS:
            oldest = min(self._sessions.values(), key=lambda session: (bool(session.seats), session.seen))
            del self._sessions[oldest.key]


def _hash(cookie: str) -> str:
    return hashlib.sha256(cookie.encode()).hexdigest()


def _plain(session: BrowserSession) -> dict[str, Any]:
    seats = [[seat.place, seat.token, seat.name, seat.is_tournament] for seat in session.seats.values()]
    own = {"key": session.key, "csrf": session.csrf, "participant": session.participant, "seen": session.seen}
    return {**own, "admitted": session.is_admitted, "seats": seats, "dealers": session.dealers}


def _saved(file: Path | None) -> Iterator[BrowserSession]:
    if file is None or not file.exists():
        return
    for plain in json.loads(file.read_text()):
        yield _session(plain)


def _session(plain: Mapping[str, Any]) -> BrowserSession:
    seats = [
        HeldSeat(place=place, token=token, name=name, is_tournament=is_tournament)
        for place, token, name, is_tournament in plain["seats"]
    ]
    return BrowserSession(
        plain["key"],
        plain["csrf"],
        seats={seat.place: seat for seat in seats},
        dealers=dict(plain["dealers"]),
        participant=plain["participant"],
        is_admitted=plain["admitted"],
        seen=plain["seen"],
    )
