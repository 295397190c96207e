"""A table as plain lines, for when the output is not a terminal."""

from collections.abc import Sequence

from rich.text import Text

from riverboat.cards import format_cards
from riverboat.clients.console.table.scene import Scene
from riverboat.clients.console.table.screen import legal_words
from riverboat.clients.console.table.story import Sentence
from riverboat.clients.console.views.text import cards_words, chips_text, plain


class LineDisplay:
    """Prints everything that happens, and a summary when it is the player's turn."""

    def __init__(self) -> None:
        self._last_decision = (0, -1)  # hand number, number of events
        self._reminded = ""

    def tell(self, sentences: Sequence[Sentence]) -> None:
        """Print a line for each sentence."""
        for sentence in sentences:
            _print(sentence.text if sentence.kind in ("hand", "table") else f"  {sentence.text}")

    def show(self, scene: Scene) -> None:
        """Print the player's cards and legal actions, once for each decision."""
        decision = (scene.hand_number, len(scene.events))
        if not scene.legal or not scene.state or decision == self._last_decision:
            return
        self._last_decision = decision
        holding = cards_words(scene.holdings.get(scene.seat, ""))
        board = f", board {cards_words(format_cards(scene.state.board))}" if scene.state.board else ""
        _print(f"> you hold {holding}{board}, pot {chips_text(scene.state.pot)}: {', '.join(legal_words(scene))}")

    def say(self, text: str) -> None:
        """Print text that is not part of the game, each line after a star."""
        for line in text.splitlines():
            _print(f"* {plain(line)}")

    def remind(self, text: str) -> None:
        """Print a reminder, unless it was the last one."""
        if text and text != self._reminded:
            self.say(text)
        self._reminded = text

    def typing(self, text: str) -> None:
        """Do nothing: input arrives as whole lines."""

    def tick(self) -> None:
        """Do nothing: there is no clock in a pipe."""

    def farewell(self) -> list[Text]:
        """Return no lines: everything has been printed."""
        return []


def _print(text: str) -> None:
    print(text, flush=True)  # a program that reads the pipe wants the line now
