"""Slumbot's HTTP interface: one request at a time after a pause, and retries while the server has trouble."""

import errno
import json
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from riverboat.clients.slumbot.answers import HandAnswer, read_answer
from riverboat.errors import InvalidInput, RiverboatError, Unavailable

_MOST_BYTES = 65_536  # of an answer
_TIMEOUT_SECONDS = 60.0
_MOST_ATTEMPTS = 8
_FIRST_WAIT, _LONGEST_WAIT, _LONGEST_WISH = 1.0, 60.0, 300.0  # seconds between attempts; the last if a server asks
_BUSY = (429, 503)  # the server has not carried out the request
_TROUBLE = (500, 502, 504)  # the server may have carried it out

_NOBODY = (ConnectionRefusedError, socket.gaierror)
_NO_WAY = (errno.ENETUNREACH, errno.EHOSTUNREACH)

Sleep = Callable[[float], None]
Notify = Callable[[str], None]


class SlumbotRefused(RiverboatError):
    """The server refused a request, and says why."""


class AnswerLost(RiverboatError):
    """A request was sent, and it is unknown whether the server carried it out."""


class SlumbotInterface:
    """Requests to a server that speaks Slumbot's interface. `tell` is called with each failure; `sleep` waits."""

    def __init__(self, url: str, pause_seconds: float, tell: Notify, sleep: Sleep = time.sleep) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidInput("url", f"{url[:60]!r} is not an address; one looks like https://slumbot.com/api")
        self._url, self._pause, self._tell, self._sleep = url.rstrip("/"), pause_seconds, tell, sleep
        self._rng = np.random.default_rng()
        self._headers = {
            "Content-Type": "application/json",
            "User-Agent": f"riverboat/{version('riverboat')} (one request at a time)",
        }

    def log_in(self, user: str, password: str) -> str:
        """Return a token for a session under a user's name."""
        document = self._patiently("login", {"username": user, "password": password})
        token = document.get("token")
        if not isinstance(token, str) or not token:
            raise InvalidInput("token", "the server sent none after logging in")
        return token

    def new_hand(self, token: str) -> HandAnswer:
        """Begin a hand; without a token also a session. After a lost answer try again: nothing has been decided."""
        return read_answer(self._patiently("new_hand", {"token": token} if token else {}))

    def act(self, token: str, move: str) -> HandAnswer:
        """Play a move; raise AnswerLost if it is unknown whether the server played it."""
        return read_answer(self._patiently("act", {"token": token, "incr": move}, repeats=False))

    def _patiently(self, path: str, body: Mapping[str, str], repeats: bool = True) -> Mapping[str, Any]:
        """Post until there is an answer; `repeats` says whether a request may be carried out twice."""
        wish, error = self._pause, ""
        for attempt in range(_MOST_ATTEMPTS):
            seconds = max(wish, self._wait(attempt)) if attempt else self._pause
            if attempt:
                self._tell(f"{error}; next attempt in {seconds:.0f} s")
            self._sleep(seconds)
            try:
                return self._post(path, body)
            except _Busy as busy:
                wish, error = busy.seconds, str(busy)
            except AnswerLost as lost:
                if not repeats:
                    raise
                wish, error = self._pause, str(lost)
        raise Unavailable(f"{self._url} did not answer {_MOST_ATTEMPTS} times: {error}")

    def _wait(self, attempt: int) -> float:
        return float(min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** (attempt - 1)) * self._rng.uniform(0.5, 1.0))

    def _post(self, path: str, body: Mapping[str, str]) -> Mapping[str, Any]:
        request = urllib.request.Request(  # noqa: S310  # http or https: see the constructor
            f"{self._url}/{path}", json.dumps(body).encode(), self._headers, method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310
                content = answer.read(_MOST_BYTES + 1)
        except urllib.error.HTTPError as error:
            with error:
                raise _http_error(error) from None
        except urllib.error.URLError as error:
            raise _connection_error(error.reason) from None
        except OSError as error:  # while it was answering
            raise AnswerLost(str(error) or type(error).__name__) from None
        return _document(content)


def _connection_error(reason: object) -> RiverboatError:
    if isinstance(reason, ssl.SSLCertVerificationError):
        return SlumbotRefused(f"the server's certificate cannot be trusted: {reason.verify_message}")
    nothing_sent = isinstance(reason, _NOBODY) or (isinstance(reason, OSError) and reason.errno in _NO_WAY)
    return _Busy(str(reason), 0.0) if nothing_sent else AnswerLost(str(reason))


class _Busy(RiverboatError):
    """The server did not carry out the request but may do so later; it may ask for a wait in seconds."""

    def __init__(self, reason: str, seconds: float) -> None:
        super().__init__(reason)
        self.seconds = seconds


def _http_error(error: urllib.error.HTTPError) -> RiverboatError:
    reason = f"HTTP {error.code} {error.reason}"
    if error.code in _BUSY:
        wish = error.headers.get("Retry-After") or ""
        return _Busy(reason, min(_LONGEST_WISH, float(wish)) if wish.isdecimal() and len(wish) < 10 else 0.0)
    if error.code in _TROUBLE:
        return AnswerLost(reason)
    try:
        document = json.loads(error.read(_MOST_BYTES))
        said = str(document.get("error_msg") or "") if isinstance(document, dict) else ""
    except (ValueError, OSError):
        said = ""
    return SlumbotRefused(f"the server refuses: {said[:200] or reason}")


def _document(content: bytes) -> Mapping[str, Any]:
    """Return the object in an answer; raise if it is anything else, or a refusal."""
    if len(content) > _MOST_BYTES:
        raise InvalidInput("", f"the server's answer has more than {_MOST_BYTES:,} bytes")
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise InvalidInput("", f"the server's answer is not a JSON object: {content[:40]!r}")
    if document.get("error_msg"):
        raise SlumbotRefused(f"the server refuses: {str(document['error_msg'])[:200]}")
    return document
