"""A person with a browser: what they do on the page, and everything that their browser was sent."""

import json
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, WebSocket, expect

_PATIENCE_MS = 90_000  # on a loaded machine
expect.set_options(timeout=_PATIENCE_MS)


class Visitor:
    """One browser context with one page. Errors of the console are problems, and so are failed requests."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        context.set_default_timeout(_PATIENCE_MS)
        context.add_init_script("try { localStorage.setItem('riverboat-pace', '0') } catch {}")
        self.context, self.address = context, address
        self.problems: list[str] = []
        self.frames: list[str] = []  # messages of all sockets
        self.page = self._new_page()

    def _new_page(self) -> Page:
        page = self.context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("websocket", self._follow)
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.type}: {message.text} {message.location}")

    def _follow(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def expect_problems(self, *words: str) -> None:
        """Drop problems that a test has caused on purpose; each must have been seen."""
        for word in words:
            assert any(word in problem for problem in self.problems), (word, self.problems)
        self.problems = [problem for problem in self.problems if not any(word in problem for word in words)]

    def go(self, path: str) -> None:
        """Open an address of the page."""
        self.page.goto(f"{self.address}{path}")

    def crash(self) -> None:
        """End the page without a word, and open an empty one: the cookies stay."""
        self.page.close()
        self.page = self._new_page()

    def sit_down(self, name: str, agent: str = "always-call", seats: int = 2, free: int = 0) -> str:
        """Open a table and wait for the first decision, or for other people; return its id."""
        page = self.page
        page.get_by_label("Your name").first.fill(name)
        page.get_by_label("Seats", exact=True).first.select_option(str(seats))
        page.get_by_label("Opponent").select_option(agent)
        if free:
            page.get_by_text("More: people, stakes, clock").click()
            page.get_by_label("Seats for other people").select_option(str(free))
        page.get_by_role("button", name="Sit down").click()
        page.wait_for_url("**/table/*")
        return page.url.rsplit("/", 1)[1]

    def wait_for_turn(self) -> None:
        """Wait until this person is to act."""
        self.page.wait_for_selector(".act-call")

    def call(self) -> None:
        """Check or call, and wait until the table says so."""
        self.wait_for_turn()
        number = self.page.locator(".log li").count()
        self.page.locator(".act-call").click()
        expect(self.page.locator(".log li")).not_to_have_count(number)

    def tables(self) -> list[dict[str, Any]]:
        """Return all pictures of a table that this browser was sent."""
        messages = (json.loads(frame) for frame in self.frames)
        return [message for message in messages if message["type"] == "table"]

    def close(self) -> None:
        """Leave."""
        self.context.close()
