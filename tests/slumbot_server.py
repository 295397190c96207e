"""A local server that speaks Slumbot's interface and plays by the rules core, with faults on demand."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from riverboat.arena.bots import CallBot
from riverboat.cards import format_cards
from riverboat.history.slumbot import GAME, STACK, write_move
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import HandState, start_random
from tests.unit.arena.bots import RandomBot

NAMED = "named"  # the token of a user
Answer = tuple[int, dict[str, str], bytes]  # status, headers, body
Fault = Callable[[Callable[[], Answer]], Answer | None]  # is given what would answer; None drops the connection


def busy(_: Callable[[], Answer]) -> Answer:
    """Refuse for now, without following the request."""
    return 503, {"Retry-After": "7"}, b"later"


def lost(answer: Callable[[], Answer]) -> None:
    """Follow the request, and drop the connection instead of answering."""
    answer()


def broken(answer: Callable[[], Answer]) -> Answer:
    """Follow the request, and say that something went wrong."""
    answer()
    return 500, {}, b"oops"


def body(content: bytes, status: int = 200) -> Fault:
    """Return a fault that answers with these bytes, whatever was asked."""
    return lambda _: (status, {}, content)


@dataclass(slots=True)
class Hand:
    """A hand under way: the client's seat is `seat`."""

    hand: HandState
    seat: int
    action: str = ""


@dataclass(slots=True)
class SlumbotServer:
    """What the server knows; `faults` are taken by the next requests, one each, None for a proper answer."""

    rng: np.random.Generator
    has_baseline: bool = True
    is_wrong: bool = False  # whether it says other winnings than the rules
    faults: list[Fault | None] = field(default_factory=list)
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    hands: dict[str, Hand] = field(default_factory=dict)  # by token
    hand_count: int = 0
    won: list[int] = field(default_factory=list)  # by the client, in finished hands
    under_way: int = 0
    most_under_way: int = 0  # requests at the same time
    url: str = ""
    next_session: str = "token-0"

    def follow(self, path: str, asked: dict[str, Any]) -> Answer:
        """Return the answer to a request."""
        try:
            return 200, {}, json.dumps(self._follow(path, asked)).encode()
        except (KeyError, ValueError) as error:
            return 400, {}, json.dumps({"error_msg": str(error)}).encode()

    def _follow(self, path: str, asked: dict[str, Any]) -> dict[str, Any]:
        if path == "/api/login":
            if asked != {"username": "me", "password": "secret"}:
                raise ValueError("Login failed")
            return {"token": NAMED}
        token = asked.get("token") or self.next_session
        if path == "/api/new_hand":
            if "token" in asked and token not in (NAMED, *self.hands):
                raise ValueError("Could not find session")
            self.hand_count += 1
            game = Hand(start_random(GAME, (STACK, STACK), self.rng), self.hand_count % 2)
            self.hands[token] = game
        else:
            game = self.hands[token]
            self._play(game, self._read(game, asked["incr"]))
        while game.hand.public.actor == 1 - game.seat:
            self._play(game, self._bot_action(game))
        return {**self._describe(game, asked), **({"token": token} if path == "/api/new_hand" else {})}

    def _read(self, game: Hand, incr: str) -> int:
        public = game.hand.public
        action = {"k": CALL, "c": CALL, "f": FOLD}.get(incr)
        if action is None:
            action = int(incr.removeprefix("b"))
        if public.actor != game.seat or not public.can_play(action) or write_move(public, action) != incr:
            raise ValueError(f"Illegal action {incr}")
        return action

    def _bot_action(self, game: Hand) -> int:
        return RandomBot(self.rng).act(game.hand.view(1 - game.seat))

    def _play(self, game: Hand, action: int) -> None:
        public = game.hand.public
        after = game.hand.play(action)
        # The real server has been seen to leave slashes out after an all-in is called.
        streets = after.public.street - public.street
        game.action += write_move(public, action) + "/" * (streets if streets == 1 or self.rng.random() < 0.5 else 0)
        game.hand = after

    def _describe(self, game: Hand, asked: dict[str, Any]) -> dict[str, Any]:
        hand = game.hand
        cards = {seat: _cards(hand.holdings[seat]) for seat in (0, 1)}
        answer: dict[str, Any] = {
            "old_action": game.action,
            "action": game.action,
            "client_pos": game.seat,
            "hole_cards": cards[game.seat],
            "board": _cards(hand.public.board),
        }
        if hand.is_over:
            won = hand.payoffs()[game.seat]
            self.won.append(won)
            answer |= {"winnings": won + 50 * self.is_wrong, "won_pot": 0, "bot_hole_cards": cards[1 - game.seat]}
            if self.has_baseline:
                answer["baseline_winnings"] = self._baseline(hand, game.seat)
        return answer

    def _baseline(self, played: HandState, seat: int) -> int:
        """Return what a player that always calls wins with the same cards against another one."""
        hand = start_random(GAME, (STACK, STACK), np.random.default_rng(0))
        hand = HandState(hand.public, played.holdings, played.whole_board)
        while not hand.is_over:
            hand = hand.play(CallBot(self.rng).act(hand.view(hand.public.actor or 0)))
        return hand.payoffs()[seat]


def _cards(cards: tuple[int, ...]) -> list[str]:
    text = format_cards(cards)
    return [text[i : i + 2] for i in range(0, len(text), 2)]


@contextmanager
def slumbot_server(**options: Any) -> Iterator[SlumbotServer]:
    """Serve on a free port of this machine until the block ends."""
    state = SlumbotServer(np.random.default_rng(11), **options)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            state.under_way += 1
            state.most_under_way = max(state.most_under_way, state.under_way)
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                state.requests.append((self.path, asked))
                fault = state.faults.pop(0) if state.faults else None
                answer = (
                    state.follow(self.path, asked) if fault is None else fault(lambda: state.follow(self.path, asked))
                )
            state.under_way -= 1
            if answer is None:
                return  # closes the connection
            status, headers, content = answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}/api"
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
