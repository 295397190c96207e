"""A table as a whole screen, drawn again every second."""

import sys
import time
from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from riverboat.clients.console.table.orders import prompt_for_all_in, prompt_for_amount
from riverboat.clients.console.table.scene import Scene
from riverboat.clients.console.table.screen import WIDTH, draw, picture
from riverboat.clients.console.table.story import Sentence
from riverboat.clients.console.views.text import cards_words, plain, wrapped

ALL_IN = "a"  # typed, and not yet confirmed
_SPECTATOR_KEYS = "space pause   q leave"
_PLAYER_KEYS = "h hint   ? why   v review   s score   k keys   q leave"


class ScreenDisplay:
    """Draws the whole table at every change, and every second for the clock."""

    def __init__(self, console: Console, has_keys: bool) -> None:
        self._console = console
        self._has_keys = has_keys
        self._scene: Scene | None = None
        self._since = 0.0
        self._said = self._reminder = self._typed = ""
        self._hand: list[Sentence] = []  # what was told of the hand on the screen
        self._last: list[str] = []  # how the last hand ended
        self._end_number = -1  # of the event that ended it
        self._shown: list[str] = []  # the board and the cards that were shown at its end

    def tell(self, sentences: Sequence[Sentence]) -> None:
        """Keep the sentences of this hand, and the end of the last one, which the player may not have read yet."""
        for sentence in sentences:
            if sentence.kind == "hand":
                self._hand = []
            self._hand.append(sentence)
            if sentence.kind == "end":
                self._note_end(sentence)
        self._last += [sentence.text for sentence in sentences if sentence.kind == "deal"]

    def _note_end(self, end: Sentence) -> None:
        """Keep how a hand ended: a sentence for each winner, all of the same event."""
        if end.number != self._end_number:
            self._end_number, self._last, self._shown = end.number, [], _shown_in(self._hand)
        self._last.append(end.text)

    def show(self, scene: Scene) -> None:
        """Draw a new view."""
        if self._scene and (scene.hand_number, len(scene.events)) != (self._scene.hand_number, len(self._scene.events)):
            self._said = ""
        self._scene, self._since = scene, time.monotonic()
        self._draw()

    def say(self, text: str) -> None:
        """Show a text until the table changes."""
        self._said = text
        self._draw()

    def remind(self, text: str) -> None:
        """Show a reminder above other messages."""
        self._reminder = text
        self._draw()

    def typing(self, text: str) -> None:
        """Show the typed text after the prompt, and remove the answer to the last order."""
        if text and not self._typed:
            self._said = ""
        self._typed = text
        self._draw()

    def tick(self) -> None:
        """Draw the clock again, or the new size."""
        self._draw()

    def farewell(self) -> list[Text]:
        """Return how the last hand ended: the screen is gone by now."""
        width = min(WIDTH, self._console.width)
        if self._scene and self._scene.payoffs is not None:
            return picture(self._scene, self._hand, width)
        return self._last_hand(width)

    def lines(self) -> list[Text]:
        """Return the screen from top to bottom, at most as high as the terminal."""
        width, height = min(WIDTH, self._console.width), self._console.height
        if self._scene is None:
            return [Text(plain("waiting for the table", width))]
        below = [*self._remarks(self._scene, width), *self._bottom(self._scene, width)]
        lines = [*draw(self._aged(self._scene), self._hand, width, height - len(below)), *below]
        return lines[-height:]  # on a very low one, the player's options matter most

    def _remarks(self, scene: Scene, width: int) -> list[Text]:
        lines = [Text(line, style="bold") for line in wrapped([plain(self._reminder)], width) if line]
        lines += self._last_hand(width, is_whole=not scene.has_acted) if scene.payoffs is None else []
        for text in self._said.splitlines():
            lines += [Text(line, style="yellow") for line in wrapped([plain(text)], width)]
        return lines

    def _last_hand(self, width: int, is_whole: bool = False) -> list[Text]:
        """Return how the last hand ended; the whole of it has the cards that were shown."""
        if not self._last:
            return []
        if not (is_whole and self._shown):
            return [Text(plain("last hand: " + "; ".join(self._last), width), style="dim")]
        parts = [f"{part};" for part in ("last hand: " + self._shown[0], *self._shown[1:], *self._last[:-1])]
        return [Text(line) for line in wrapped([*parts, self._last[-1]], width)]

    def _bottom(self, scene: Scene, width: int) -> list[Text]:
        """Return the keys, and what is being typed."""
        if not self._has_keys:
            return []
        lines = [Text(plain(_PLAYER_KEYS if scene.chair >= 0 else _SPECTATOR_KEYS, width), style="dim")]
        if scene.legal or self._typed:
            typed = "" if self._typed == ALL_IN else self._typed.removeprefix("r").lstrip()
            lines.append(Text(f"{self._prompt(scene)} {typed}"))
        return lines

    def _prompt(self, scene: Scene) -> str:
        if self._typed.startswith("r") and scene.state and scene.legal:
            return prompt_for_amount(scene.state, scene.legal)
        if self._typed == ALL_IN and scene.state and scene.legal:
            return prompt_for_all_in(scene.state, scene.seat)
        return ">"

    def _aged(self, scene: Scene) -> Scene:
        gone = round(1000 * (time.monotonic() - self._since))
        return replace(scene, time_left_ms=max(0, scene.time_left_ms - gone))

    def _draw(self) -> None:
        # Each line is cleared right before it is written, and the rest below the last one: no flicker.
        with self._console.capture() as drawn:
            for line in self.lines():
                self._console.print(line, overflow="crop", no_wrap=True)
        lines = drawn.get().splitlines()
        sys.stdout.write("\x1b[H" + "\n".join(f"\x1b[2K{line}" for line in lines) + "\x1b[J")
        sys.stdout.flush()


def _shown_in(hand: Sequence[Sentence]) -> list[str]:
    """Return the final board and the cards that were shown in a hand; nothing without a showdown."""
    shows = [sentence.text for sentence in hand if sentence.kind == "show"]
    boards = [sentence.board for sentence in hand if sentence.kind == "street"]
    return [*(f"board {cards_words(board)}" for board in boards[-1:]), *shows] if shows else []
