from typing import Any

import pytest

from riverboat.clients.web.security.guard import HEADERS, Guard, GuardRules
from riverboat.clients.web.security.limits import Rate

HOST = (b"host", b"127.0.0.1:80")
OWN = (b"origin", b"http://127.0.0.1:80")
RULES = GuardRules(hosts=frozenset({"127.0.0.1", "localhost"}))


async def answer(
    rules: GuardRules, headers: list[tuple[bytes, bytes]], method: str = "GET", path: str = "/", kind: str = "http"
) -> list[dict[str, Any]]:
    """Return what a guard sends in front of an application that says 200."""
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"fine"})

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    guard = Guard(app, rules)
    scope = {"type": kind, "method": method, "path": path, "headers": headers, "client": ("1.2.3.4", 5)}
    await guard(scope, receive, send)
    return sent


async def test_every_answer_has_the_headers() -> None:
    start, _ = await answer(RULES, [HOST])
    headers = {name.decode(): text.decode() for name, text in start["headers"]}
    assert start["status"] == 200
    assert HEADERS.items() <= headers.items()
    assert "'unsafe-inline'" not in headers["content-security-policy"]


@pytest.mark.parametrize("host", [b"evil.example", b"127.0.0.1.evil.example:80", b""])
async def test_other_names_are_refused(host: bytes) -> None:
    start, _ = await answer(RULES, [(b"host", host)])
    assert start["status"] == 403


async def test_a_guard_without_names_knows_any() -> None:
    start, _ = await answer(GuardRules(hosts=frozenset()), [(b"host", b"table.example")])
    assert start["status"] == 200


@pytest.mark.parametrize("origin", [None, b"http://evil.example", b"https://127.0.0.1:80", b"null"])
async def test_changes_come_from_our_own_page(origin: bytes | None) -> None:
    headers = [HOST, *([(b"origin", origin)] if origin else [])]
    start, _ = await answer(RULES, headers, method="POST", path="/api/tables")
    assert start["status"] == 403
    start, _ = await answer(RULES, [HOST, OWN], method="POST", path="/api/tables")
    assert start["status"] == 200


async def test_sockets_come_from_our_own_page() -> None:
    (close,) = await answer(RULES, [HOST], path="/ws/tables/x", kind="websocket")
    assert (close["type"], close["code"]) == ("websocket.close", 1008)


async def test_large_bodies_are_refused_before_they_are_read() -> None:
    large = (b"content-length", b"1000000")
    start, _ = await answer(RULES, [HOST, OWN, large], method="POST", path="/api/tables")
    assert start["status"] == 413
    start, _ = await answer(RULES, [HOST, OWN, large], method="POST", path="/api/replays")
    assert start["status"] == 200


async def test_too_many_requests_of_one_address() -> None:
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {}

    guard = Guard(app, GuardRules(hosts=frozenset(), requests=Rate(burst=2, per_second=0)))
    scope = {"type": "http", "method": "GET", "path": "/api/lobby", "headers": [HOST], "client": ("1.2.3.4", 5)}
    for _ in range(3):
        await guard(scope, receive, send)
    assert [message["status"] for message in sent if "status" in message] == [200, 200, 429]
