"""How a table is shown: as lines in a pipe, as a screen on a terminal."""

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from rich.console import Console
from rich.text import Text

from clients.console.table.orders import ask_amount
from clients.console.table.plain import cards_words, chips_text, plain
from clients.console.table.scene import Scene
from clients.console.table.screen import WIDTH, draw, legal_words
from clients.console.table.story import Told

HELP = (
    "f fold, c check or call, r raise (then an amount: 300, pot, half, min, all-in),",
    "h what you hold and how often it wins, q leave after this hand (twice: at once)",
)
_KEPT = 3  # lines about the last hand


class Face(Protocol):
    """Something that shows a table."""

    def tell(self, told: Sequence[Told]) -> None:
        """Things that happened since last time."""

    def show(self, scene: Scene) -> None:
        """The table as it is now."""

    def say(self, text: str) -> None:
        """A line for the player."""

    def typing(self, text: str) -> None:
        """What is being typed."""

    def tick(self) -> None:
        """Some time has passed."""

    def farewell(self) -> list[str]:
        """What to say when the table is left."""


class Lines:
    """Plain lines: everything that happens, and a summary when it is the player's turn."""

    def __init__(self) -> None:
        self._asked = (0, -1)

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

    def typing(self, text: str) -> None:
        """Lines come whole."""

    def tick(self) -> None:
        """Nothing moves in a pipe."""

    def farewell(self) -> list[str]:
        """Everything has been said."""
        return []


class Screen:
    """The whole table, drawn again at every change and every second."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._scene: Scene | None = None
        self._since = 0.0
        self._said: list[str] = []
        self._typed = ""
        self._last: list[str] = []

    def tell(self, told: Sequence[Told]) -> None:
        """Keeps how the last hand ended: the next one may begin before that has been read."""
        ends = [one.text for one in told if one.kind == "end"]
        if ends:
            self._last = ends

    def show(self, scene: Scene) -> None:
        """A new view."""
        if self._scene and (scene.hand_number, len(scene.events)) != (self._scene.hand_number, len(self._scene.events)):
            self._said = []
        self._scene, self._since = scene, time.monotonic()
        self._draw()

    def say(self, text: str) -> None:
        """Stays until the table changes."""
        self._said = [plain(line, self._width) for line in text.splitlines()]
        self._draw()

    def typing(self, text: str) -> None:
        """After the prompt."""
        self._typed = text
        self._draw()

    def tick(self) -> None:
        """The clock goes down."""
        self._draw()

    def farewell(self) -> list[str]:
        """How the last hand ended: the screen is gone by now."""
        return [f"last hand: {'; '.join(self._last)}"] if self._last else []

    @property
    def _width(self) -> int:
        return min(WIDTH, self._console.width)

    def lines(self) -> list[Text]:
        """The screen from top to bottom."""
        if self._scene is None:
            return [Text("waiting for the table")]
        lines = draw(self._aged(self._scene), self._width)
        if self._last and self._scene.payoffs is None:
            lines.append(Text(plain("last hand: " + "; ".join(self._last[-_KEPT:]), self._width), style="dim"))
        lines += [Text(text, style="yellow") for text in self._said]
        if self._scene.legal:
            lines.append(Text(f"{self._prompt(self._scene)} {self._typed.removeprefix('r')}"))
        else:
            lines.append(Text("? help   q leave", style="dim"))
        return lines

    def _prompt(self, scene: Scene) -> str:
        if self._typed.startswith("r") and scene.state and scene.legal and scene.legal.max_raise_to:
            return f"{ask_amount(scene.state, scene.legal)}:"
        return ">"

    def _aged(self, scene: Scene) -> Scene:
        gone = round(1000 * (time.monotonic() - self._since))
        return replace(scene, time_left_ms=max(0, scene.time_left_ms - gone))

    def _draw(self) -> None:
        # From the top, each line cleared before it is written, and what is below the last: without flicker.
        with self._console.capture() as drawn:
            for line in self.lines()[-self._console.height :]:  # on a low terminal, what may be done matters most
                self._console.print(line, overflow="crop", no_wrap=True)
        lines = drawn.get().splitlines()
        sys.stdout.write("\x1b[H" + "\n".join(f"\x1b[2K{line}" for line in lines) + "\x1b[J")
        sys.stdout.flush()


def _print(text: str) -> None:
    print(text, flush=True)  # whoever reads a pipe wants to know now
