"""How long bots think, by street."""

import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from riverboat.arena.bot import MakeBot, reach_of
from riverboat.rules.state import View

_NAMES = ("river", "turn", "flop", "preflop")  # by how many streets are to come


class Times:
    """Seconds of decisions, by how many streets are to come."""

    def __init__(self) -> None:
        self._seconds: dict[int, list[float]] = defaultdict(list)

    def timed(self, make_bot: MakeBot) -> MakeBot:
        """Bots like those, whose decisions are timed."""

        def make(rng: np.random.Generator) -> _Timed:
            return _Timed(make_bot(rng), self._seconds)

        return make

    def lines(self) -> Iterator[str]:
        """A line for each street, the first one first."""
        for to_come in sorted(self._seconds, reverse=True):
            found = np.array(self._seconds[to_come])
            name = _NAMES[to_come] if to_come < len(_NAMES) else f"{to_come} before the last"
            middle, high = np.median(found), np.quantile(found, 0.95)
            yield f"{name}: {len(found):,} decisions, median {middle:.3f} s, 95 % within {high:.3f} s"


class _Timed:
    """A bot with a watch."""

    def __init__(self, bot: Any, seconds: dict[int, list[float]]) -> None:
        self._bot, self._seconds = bot, seconds

    def act(self, view: View) -> Any:
        """What the bot does."""
        start = time.perf_counter()
        action = self._bot.act(view)
        to_come = len(view.public.variant.streets) - 1 - view.public.street
        self._seconds[to_come].append(time.perf_counter() - start)
        return action

    def reach(self) -> Any:
        """What the bot knows of its reach."""
        return reach_of(self._bot)
