"""How long bots think, by street."""

import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from riverboat.arena.bot import MakeBot, reach_of
from riverboat.rules.state import View
from riverboat.streets import STREETS

_NAMES = STREETS[::-1]  # by how many streets follow


class ThinkingTimes:
    """Seconds per decision, by how many streets follow."""

    def __init__(self) -> None:
        self._seconds: dict[int, list[float]] = defaultdict(list)

    def timed(self, make_bot: MakeBot) -> MakeBot:
        """Return a maker of the same bots whose decisions are timed."""

        def make(rng: np.random.Generator) -> _TimedBot:
            return _TimedBot(make_bot(rng), self._seconds)

        return make

    def lines(self) -> Iterator[str]:
        """Yield a line for each street, the first street first."""
        for to_come in sorted(self._seconds, reverse=True):
            seconds = np.array(self._seconds[to_come])
            name = _NAMES[to_come] if to_come < len(_NAMES) else f"{to_come} before the last"
            middle, high = np.median(seconds), np.quantile(seconds, 0.95)
            yield f"{name}: {len(seconds):,} decisions, median {middle:.3f} s, 95 % within {high:.3f} s"


class _TimedBot:
    """A bot whose decisions are timed."""

    def __init__(self, bot: Any, seconds: dict[int, list[float]]) -> None:
        self._bot, self._seconds = bot, seconds

    def act(self, view: View) -> Any:
        """Return the bot's action."""
        start = time.perf_counter()
        action = self._bot.act(view)
        self._seconds[view.public.streets_left].append(time.perf_counter() - start)
        return action

    def reach(self) -> Any:
        """Return the bot's reach, if it knows it."""
        return reach_of(self._bot)
