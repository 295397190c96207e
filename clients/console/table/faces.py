"""How a table is shown: as lines in a pipe, as a screen on a terminal."""

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from rich.console import Console
from rich.text import Text

from riverboat.clients.console.table.orders import prompt_for_amount
from riverboat.clients.console.table.plain_text import cards_words, chips_text, plain, wrapped
from riverboat.clients.console.table.scene import Scene
from riverboat.clients.console.table.screen import WIDTH, draw, legal_words, picture
from riverboat.clients.console.table.story import Told

HELP = (
    "f fold, c check or call, r raise or bet: then type what to (300, pot, half, min,",
    "all-in) and Enter, or Esc. h what you hold and how often it wins, ? at your turn",
    "what to do and why (two players), v what the decisions of your last hand lost,",
    "b buy chips between hands, k the keys, q leave after this hand (twice: at once)",
)
_SPECTATOR_KEYS = "space pause   q leave"
_PLAYER_KEYS = "h hint   ? why   v review   k keys   q leave"


class Face(Protocol):
    """Something that shows a table."""

    def tell(self, told: Sequence[Told]) -> None:
        """Things that happened since last time."""

    def show(self, scene: Scene) -> None:
        """The table as it is now."""

    def say(self, text: str) -> None:
        """A line for the player."""

    def remind(self, text: str) -> None:
        """What is true until it is said otherwise; "" for nothing."""

    def typing(self, text: str) -> None:
        """What is being typed."""

    def tick(self) -> None:
        """Some time has passed."""

    def farewell(self) -> list[Text]:
        """What to leave behind when the table is left."""


class Lines:
    """Plain lines: everything that happens, and a summary when it is the player's turn."""

    def __init__(self) -> None:
        self._asked = (0, -1)
        self._reminded = ""

    def tell(self, told: Sequence[Told]) -> None:
        """One line each."""
        for one in told:
            _print(one.text if one.kind in ("hand", "table") else f"  {one.text}")

    def show(self, scene: Scene) -> None:
        """What there is to decide, once for each decision."""
        place = (scene.hand_number, len(scene.events))
        if not scene.legal or not scene.state or place == self._asked:
            return
        self._asked = place
        holding = cards_words(scene.holdings.get(scene.seat, ""))
        board = f", board {cards_words(scene.state.board)}" if scene.state.board else ""
        _print(f"> you hold {holding}{board}, pot {chips_text(scene.state.pot)}: {', '.join(legal_words(scene))}")

    def say(self, text: str) -> None:
        """Marked, because it is not part of the game."""
        for line in text.splitlines():
            _print(f"* {plain(line)}")

    def remind(self, text: str) -> None:
        """Once, in a pipe."""
        if text and text != self._reminded:
            self.say(text)
        self._reminded = text

    def typing(self, text: str) -> None:
        """Lines come whole."""

    def tick(self) -> None:
        """Nothing moves in a pipe."""

    def farewell(self) -> list[Text]:
        """Everything has been said."""
        return []


class Screen:
    """The whole table, drawn again at every change and every second."""

    def __init__(self, console: Console, has_keys: bool) -> None:
        self._console = console
        self._has_keys = has_keys
        self._scene: Scene | None = None
        self._since = 0.0
        self._said = self._reminder = self._typed = ""
        self._last: list[str] = []

    def tell(self, told: Sequence[Told]) -> None:
        """Keeps how the last hand ended: the next one may begin before that has been read."""
        ends = [one for one in told if one.kind == "end"]
        if ends:  # of the last one, should there be several
            self._last = [one.text for one in ends if one.number == ends[-1].number]
        self._last += [one.text for one in told if one.kind == "deal"]

    def show(self, scene: Scene) -> None:
        """A new view."""
        if self._scene and (scene.hand_number, len(scene.events)) != (self._scene.hand_number, len(self._scene.events)):
            self._said = ""
        self._scene, self._since = scene, time.monotonic()
        self._draw()

    def say(self, text: str) -> None:
        """Stays until the table changes."""
        self._said = text
        self._draw()

    def remind(self, text: str) -> None:
        """Above what is said."""
        self._reminder = text
        self._draw()

    def typing(self, text: str) -> None:
        """After the prompt; what was said about the last order goes away."""
        if text and not self._typed:
            self._said = ""
        self._typed = text
        self._draw()

    def tick(self) -> None:
        """The clock goes down, or the terminal has another size."""
        self._draw()

    def farewell(self) -> list[Text]:
        """How the last hand ended: the screen is gone by now."""
        width = min(WIDTH, self._console.width)
        if self._scene and self._scene.payoffs is not None:
            return picture(self._scene, width)
        return self._last_hand(width)

    def lines(self) -> list[Text]:
        """The screen from top to bottom, at most as high as the terminal."""
        width, height = min(WIDTH, self._console.width), self._console.height
        if self._scene is None:
            return [Text(plain("waiting for the table", width))]
        below = [*self._remarks(self._scene, width), *self._bottom(self._scene, width)]
        lines = [*draw(self._aged(self._scene), width, height - len(below)), *below]
        return lines[-height:]  # on a very low one, what may be done matters most

    def _remarks(self, scene: Scene, width: int) -> list[Text]:
        lines = [Text(line, style="bold") for line in wrapped([plain(self._reminder)], width) if line]
        lines += self._last_hand(width) if scene.payoffs is None else []
        for text in self._said.splitlines():
            lines += [Text(line, style="yellow") for line in wrapped([plain(text)], width)]
        return lines

    def _last_hand(self, width: int) -> list[Text]:
        return [Text(plain("last hand: " + "; ".join(self._last), width), style="dim")] if self._last else []

    def _bottom(self, scene: Scene, width: int) -> list[Text]:
        """The keys that there are, and what is being typed."""
        if not self._has_keys:
            return []
        lines = [Text(plain(_PLAYER_KEYS if scene.chair >= 0 else _SPECTATOR_KEYS, width), style="dim")]
        if scene.legal or self._typed:
            lines.append(Text(f"{self._prompt(scene)} {self._typed.removeprefix('r')}"))
        return lines

    def _prompt(self, scene: Scene) -> str:
        if self._typed.startswith("r") and scene.state and scene.legal:
            return prompt_for_amount(scene.state, scene.legal)
        return ">"

    def _aged(self, scene: Scene) -> Scene:
        gone = round(1000 * (time.monotonic() - self._since))
        return replace(scene, time_left_ms=max(0, scene.time_left_ms - gone))

    def _draw(self) -> None:
        # From the top, each line cleared before it is written, and what is below the last: without flicker.
        with self._console.capture() as drawn:
            for line in self.lines():
                self._console.print(line, overflow="crop", no_wrap=True)
        lines = drawn.get().splitlines()
        sys.stdout.write("\x1b[H" + "\n".join(f"\x1b[2K{line}" for line in lines) + "\x1b[J")
        sys.stdout.flush()


def _print(text: str) -> None:
    print(text, flush=True)  # whoever reads a pipe wants to know now
