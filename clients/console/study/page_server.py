"""A page of a solution served on this machine: it shows the nodes nearest to the root at once, the rest on demand."""

import json
from collections.abc import Callable, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import parse_qs, urlsplit

import grpc

from riverboat.clients.console.study.page import Page, html_page, node_document
from riverboat.clients.console.study.page_nodes import page_node
from riverboat.clients.console.study.spot_files import StudySpot
from riverboat.clients.console.study.steps import after
from riverboat.clients.remote.refusals import reason_of
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import Step

_HERE = ("127.0.0.1", "localhost")
_LONGEST_PATH = 200


class PageServer:
    """Serves one page at a free port of this machine, to this machine only."""

    def __init__(self, link: ResolverClient, handle: str, spot: StudySpot, page: Page) -> None:
        self._link, self._handle, self._spot = link, handle, spot
        self._html = html_page(page, is_live=True).encode()
        self._lock = Lock()  # one question at a time: they share the solver
        self._server = ThreadingHTTPServer((_HERE[0], 0), _handler_of(self))
        self._server.daemon_threads = True

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{_HERE[0]}:{self._server.server_port}/"

    def run(self) -> None:
        """Serve until the process is interrupted."""
        try:
            self._server.serve_forever()
        finally:
            self._server.server_close()

    def answer(self, target: str) -> tuple[HTTPStatus, str, bytes]:
        """Return status, content type and body for a path."""
        parts = urlsplit(target)
        if parts.path == "/":
            return HTTPStatus.OK, "text/html; charset=utf-8", self._html
        if parts.path != "/node":
            return _text(HTTPStatus.NOT_FOUND, "no such page")
        words = parse_qs(parts.query).get("path", [""])[0].split(".")
        if not all(word.isdecimal() for word in words) or len(words) > _LONGEST_PATH:
            return _text(HTTPStatus.BAD_REQUEST, "the path must be numbers of choices, like 0.2.1")
        try:
            with self._lock:
                document = self._document([int(word) for word in words])
        except (IndexError, ValueError):
            return _text(HTTPStatus.NOT_FOUND, "no such node")
        except grpc.RpcError as error:
            return _text(HTTPStatus.BAD_GATEWAY, reason_of(error))
        return HTTPStatus.OK, "application/json", json.dumps(document, allow_nan=False).encode()

    def _document(self, choices: Sequence[int]) -> dict[str, object]:
        """Return the node at the end of a path of choices, as the page has its nodes."""
        public, path = self._spot.public, tuple[Step, ...]()
        answer, step = self._link.node(self._handle), None
        for choice in choices:
            before = public
            step = answer.deals[choice] if answer.deals else answer.actions[choice]
            path, public = (*path, step), after(public, step)
            answer = self._link.node(self._handle, path)
        node = page_node(before, step, public, answer) if step is not None else page_node(public, None, public, answer)
        return node_document(self._spot.public.variant.deck, node)


def _text(status: HTTPStatus, words: str) -> tuple[HTTPStatus, str, bytes]:
    return status, "text/plain; charset=utf-8", words.encode()


def _handler_of(server: PageServer) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers GET, for names of this machine only: another page cannot ask through a name of its own."""

        def do_GET(self) -> None:
            host = self.headers.get("Host", "").rpartition(":")[0]
            answer = server.answer(self.path) if host in _HERE else _text(HTTPStatus.FORBIDDEN, "not from there")
            status, kind, body = answer
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep the terminal quiet."""

    return Handler
