"""The strategy of a bot that cannot report it, estimated from its decisions."""

import hashlib
from dataclasses import replace
from operator import index

import numpy as np
from numpy.typing import NDArray

from riverboat.arena.asked_bot import UnknownStrategy
from riverboat.arena.bot import IllegalBotAction, MakeBot, Strategy
from riverboat.arena.deal_processes import child_of
from riverboat.errors import IllegalAction, InvalidInput
from riverboat.holdings import holdings_of, live_holdings
from riverboat.rules.state import View

_MOST_KEPT = 2000  # strategies: the first decisions of a hand come up again in every hand


class EstimatedBot:
    """Estimates a bot's strategy: asks copies of it about each holding, several times, with fresh seeds.

    Every answer comes from a new bot that sees only this situation. A bot that decides something for a whole hand is
    therefore estimated as if it decided anew each time. The seeds follow from the situation, so the estimate does not
    depend on what was asked before.
    """

    def __init__(self, name: str, make_bot: MakeBot, rng: np.random.Generator, answer_count: int) -> None:
        """Ask about each holding `answer_count` times."""
        if answer_count < 1:
            raise InvalidInput("answer_count", f"must be at least 1, not {answer_count}")
        self._name, self._make_bot, self._rng, self._answer_count = name, make_bot, rng, answer_count
        self._kept: dict[bytes, Strategy] = {}

    def __call__(self, view: View) -> Strategy:
        """Return how often each holding took each action."""
        key = _key(view)
        if key not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            words = np.frombuffer(key, np.uint32).tolist()
            self._kept[key] = self._estimate(view, child_of(self._rng, *words))
        return self._kept[key]

    def _estimate(self, view: View, rng: np.random.Generator) -> Strategy:
        deck = view.public.variant.deck
        cards, live = holdings_of(deck).cards, np.flatnonzero(live_holdings(deck, view.public.board))
        answers = np.array(
            [self._answers(replace(view, holding=tuple(cards[holding].tolist())), rng) for holding in live.tolist()]
        )  # [h, answers]
        actions = np.unique(answers)
        chances = np.full((len(actions), len(cards)), 1 / len(actions))
        chances[:, live] = (answers[None] == actions[:, None, None]).mean(axis=2)
        return Strategy(tuple(actions.tolist()), chances, is_exact=False)

    def _answers(self, view: View, rng: np.random.Generator) -> NDArray[np.int64]:
        return np.array([self._ask(view, child) for child in rng.spawn(self._answer_count)], np.int64)

    def _ask(self, view: View, rng: np.random.Generator) -> int:
        try:
            action = self._make_bot(rng).act(view)
        except Exception as error:
            raise UnknownStrategy(f"{self._name} raised {type(error).__name__}: {error}") from error
        try:
            chips = int(index(action))
            view.public.verify_action(chips)
        except TypeError:
            raise IllegalBotAction(view, action, "an action must be an integer", self._name) from None
        except IllegalAction as error:
            raise IllegalBotAction(view, action, str(error), self._name) from None
        return chips


def _key(view: View) -> bytes:
    """Return a digest of everything in a view except the holding."""
    seen = (view.seat, view.actions, view.public.board, view.public.flat.tolist())
    return hashlib.sha256(repr(seen).encode()).digest()


def says_strategy(make_bot: MakeBot, view: View, rng: np.random.Generator) -> bool:
    """Return whether a bot can report its strategy in a situation."""
    bot = make_bot(rng)
    return hasattr(bot, "strategy") and bot.strategy(view) is not None
