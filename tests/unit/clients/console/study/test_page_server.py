"""A page that is served: the nodes that it lacks come from the resolver, and only to this machine."""

import json
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from riverboat.cards import DECKS, parse_cards
from riverboat.clients.console.study.page import Page, html_page
from riverboat.clients.console.study.page_nodes import page_node
from riverboat.clients.console.study.page_server import PageServer
from riverboat.contracts.resolver import NodeAnswer
from riverboat.spots.spot import street_start
from tests.unit.clients.console.study.test_page import answer, document

BOARD = "Td9d6hQc2s"
PUBLIC = street_start(parse_cards(BOARD), 100, 400)


def node_at(path: tuple[Any, ...]) -> NodeAnswer:
    actions = (0, 50, 100, 400) if len(path) < 2 else ()
    return answer(DECKS["52"], BOARD, len(path) % 2, actions, len(path))


@pytest.fixture
def server() -> Any:
    asked = list[tuple[Any, ...]]()

    def ask(handle: str, path: tuple[Any, ...] = ()) -> NodeAnswer:
        asked.append(path)
        return node_at(path)

    link: Any = SimpleNamespace(node=ask)
    root = page_node(PUBLIC, None, PUBLIC, node_at(()))
    page = Page("t", DECKS["52"], ("a", "b"), (), (root,))
    spot: Any = SimpleNamespace(public=PUBLIC)
    made = PageServer(link, "handle", spot, page)
    yield made
    made._server.server_close()


def test_the_page_may_ask_its_own_server_and_nobody_else(server: PageServer) -> None:
    status, kind, body = server.answer("/")
    assert (status, kind) == (HTTPStatus.OK, "text/html; charset=utf-8")
    text = body.decode()
    assert "default-src 'none'; connect-src 'self';" in text
    assert "fetch(" in text
    assert document(text)["live"] is True
    assert server.address.startswith("http://127.0.0.1:")


def test_a_page_in_a_file_asks_nobody() -> None:
    page = Page("t", DECKS["52"], ("a", "b"), (), (page_node(PUBLIC, None, PUBLIC, node_at(())),))
    text = html_page(page)
    assert "connect-src" not in text
    assert "fetch(" not in text
    assert document(text)["live"] is False


def test_a_node_is_named_by_the_choices_that_lead_to_it(server: PageServer) -> None:
    status, kind, body = server.answer("/node?path=1")
    assert (status, kind) == (HTTPStatus.OK, "application/json")
    node = json.loads(body)
    assert node["words"] == "bets 50"
    assert len(node["choices"]) == 4
    assert node["children"] == [None] * 4
    assert np.isfinite(node["ev_low"])


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/else", HTTPStatus.NOT_FOUND),
        ("/node?path=x", HTTPStatus.BAD_REQUEST),
        ("/node", HTTPStatus.BAD_REQUEST),
        ("/node?path=9", HTTPStatus.NOT_FOUND),
        ("/node?path=-1", HTTPStatus.BAD_REQUEST),
        (f"/node?path={'.'.join(['0'] * 300)}", HTTPStatus.BAD_REQUEST),
    ],
)
def test_what_it_does_not_answer(server: PageServer, target: str, status: HTTPStatus) -> None:
    assert server.answer(target)[0] is status
