"""The guard in front of everything: hosts, origins, sizes, rates, and the headers of every answer."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from riverboat.clients.web.security.limits import Buckets, Rate

CSRF_HEADER = "x-riverboat-csrf"
_SAFE = ("GET", "HEAD")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
}
REQUESTS = Rate(burst=300, per_second=60)
_FORBIDDEN, _TOO_MANY, _TOO_LARGE = 403, 429, 413


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardRules:
    """The limits and names that a request must match to pass the guard."""

    hosts: frozenset[str]  # names by which the page may be called, without port; none: any
    scheme: str = "http"
    requests: Rate = REQUESTS  # of one address
    largest: int = 64 * 1024  # bytes of a body
    largest_file: int = 32 * 1024 * 1024
    file_paths: tuple[str, ...] = field(default=("/api/replays", "/api/study/load"))


class Guard:
    """An ASGI application in front of another one."""

    def __init__(self, app: ASGIApp, rules: GuardRules) -> None:
        self._app, self._rules = app, rules
        self._requests = Buckets(rules.requests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, self._bounded(scope, receive), _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
        else:
            await _refuse(_with_headers(send), *refusal)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._rules.hosts and _name_of(host) not in self._rules.hosts:
            return _FORBIDDEN, "the page is not known by this name"
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if changes and headers.get("origin") != f"{self._rules.scheme}://{host}":
            return _FORBIDDEN, "the request comes from another page"
        client = scope["client"][0] if scope.get("client") else ""
        if scope.get("path", "").startswith(("/api/", "/ws/")) and not self._requests.take(client):
            return _TOO_MANY, "too many requests; wait a moment"
        if int(headers.get("content-length") or 0) > self._most(scope):
            return _TOO_LARGE, f"at most {self._most(scope):,} bytes"
        return None

    def _most(self, scope: Scope) -> int:
        is_file = scope.get("path", "") in self._rules.file_paths
        return self._rules.largest_file if is_file else self._rules.largest

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        """Return the same messages, until a body without a length is too large."""
        left = self._most(scope)

        async def receive_some() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            return {"type": "http.disconnect"} if left < 0 else message

        return receive_some if scope["type"] == "http" else receive


def _name_of(host: str) -> str:
    """Return a host without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).strip("[]").lower()


def _with_headers(send: Send) -> Send:
    async def send_more(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            for name, text in HEADERS.items():
                headers[name] = text
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return send_more


async def _refuse(send: Send, status: int, reason: str) -> None:
    body = json.dumps({"error": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
