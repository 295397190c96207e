import stat
from pathlib import Path

from starlette.requests import HTTPConnection

from riverboat.clients.web.security.sessions import COOKIE, BrowserSession, HeldSeat, Sessions


def connection(cookie: str = "") -> HTTPConnection:
    headers = [(b"cookie", f"{COOKIE}={cookie}".encode())] if cookie else []
    return HTTPConnection({"type": "http", "headers": headers})


def test_a_browser_is_known_by_its_cookie_only() -> None:
    sessions = Sessions()
    session, cookie = sessions.begin()
    assert sessions.of(connection(cookie)) is session
    assert sessions.of(connection()) is None
    assert sessions.of(connection(cookie[:-1])) is None
    assert sessions.of(connection(session.key)) is None  # what is kept does not let anybody in


def test_cookies_cannot_be_read_by_scripts_or_sent_by_other_sites() -> None:
    sessions = Sessions(secure=True)
    _, cookie = sessions.begin()
    header = sessions.cookie_header(cookie)
    assert {"HttpOnly", "SameSite=Strict", "Secure"} <= set(header.split("; "))
    assert "Secure" not in Sessions().cookie_header(cookie)
    assert len(cookie) > 40


def test_seats_survive_a_restart_in_a_file_of_the_owner(tmp_path: Path) -> None:
    file = tmp_path / "sessions.json"
    sessions = Sessions(file)
    session, cookie = sessions.begin()
    session.sit(HeldSeat(place="t1", token="t1.secret", name="Ann"))
    sessions.begin()  # holds nothing
    sessions.save()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert cookie not in file.read_text()
    again = Sessions(file).of(connection(cookie))
    assert again is not None
    assert again.seats == session.seats
    assert again.csrf == session.csrf


def test_a_session_keeps_only_its_newest_seats() -> None:
    session = BrowserSession("key", "csrf")
    for number in range(50):
        session.sit(HeldSeat(place=f"t{number}", token="", name=""))
    assert len(session.seats) == 40
    assert "t49" in session.seats
    assert "t0" not in session.seats


def test_a_password_keeps_new_sessions_out() -> None:
    session, _ = Sessions(is_open=False).begin()
    assert not session.is_admitted


def test_tokens_are_not_printed() -> None:
    session = BrowserSession("key", "csrf")
    session.sit(HeldSeat(place="t1", token="t1.secret", name="Ann"))
    session.deal("t1", "t1.dealer")
    assert "secret" not in repr(session)
    assert "t1.dealer" not in repr(session)
