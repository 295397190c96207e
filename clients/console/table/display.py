"""The interface of everything that shows a table to a person: a screen on a terminal, lines in a pipe."""

from collections.abc import Sequence
from typing import Protocol

from rich.text import Text

from riverboat.clients.console.table.scene import Scene
from riverboat.clients.console.table.story import Sentence

HELP = (
    "f fold, c check or call, r raise or bet: type the total and Enter; Esc cancels.",
    "Totals: 300 chips, 75% or 2/3 of the pot, 3bb (big blinds), pot, half or min.",
    "a all-in (Enter confirms), h your hand and how often it wins, ? what to do at",
    "your turn and why (two players), v a review of your last hand, s the score and",
    "how the others play, b buy chips between hands, k these keys, space skips what",
    "the others do, q leave after this hand (q again: at once)",
)
PRACTICE_HELP = (
    "practice: an action that costs much is held back until you type it again; p and",
    "Enter lists your decisions in the last hand, p 2 plays it again from the second",
)


class Display(Protocol):
    """Something that shows a table."""

    def tell(self, sentences: Sequence[Sentence]) -> None:
        """Take what happened since last time; nothing is told twice."""

    def show(self, scene: Scene) -> None:
        """Show the table as it is now."""

    def say(self, text: str) -> None:
        """Show a line for the player."""

    def remind(self, text: str) -> None:
        """Show a text until it is replaced; "" removes it."""

    def typing(self, text: str) -> None:
        """Show what is being typed."""

    def tick(self) -> None:
        """Update what depends on the time or on the terminal's size."""

    def farewell(self) -> list[Text]:
        """Return what to leave behind when the player leaves the table."""
