"""The interface of a bot, and the handling of bots that break the rules."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import format_cards
from riverboat.errors import IllegalAction
from riverboat.holdings import holdings_of
from riverboat.rules.state import View, describe

F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Strategy:
    """A bot's probabilities in a situation, for every holding that it might have there."""

    actions: tuple[int, ...]  # FOLD, CALL, or the chips to raise to
    chances: F64  # [A, H]: adding up to one for each holding that the board allows
    is_exact: bool = True  # whether the bot draws from just these chances: AIVAT is unbiased only then

    @property
    def ignores_cards(self) -> bool:
        """Whether all holdings share one column, so that one of them is enough to look at."""
        return self.chances.strides[1] == 0

    def frequencies(self, weights: F64) -> F64:
        """Return how often a range takes each action, adding up to one [A]."""
        taken: F64 = self.chances[:, 0] if self.ignores_cards else self.chances @ weights
        shares: F64 = taken / taken.sum()
        return shares


def same_for_all(view: View, chances: Mapping[int, float]) -> Strategy:
    """Return the strategy of a bot that ignores its cards: the chance of each action, adding up to one."""
    count = holdings_of(view.public.variant.deck).count
    # One column serves all holdings: a no-limit bot may have thousands of raises.
    column = np.array(list(chances.values()), np.float64)[:, None]
    return Strategy(tuple(chances), np.broadcast_to(column, (len(chances), count)))


def mixed(first: Strategy, second: Strategy, chance: float) -> Strategy:
    """Return the strategy of a bot that plays the first one with a chance, and the second one otherwise."""
    actions = tuple(dict.fromkeys((*first.actions, *second.actions)))
    chances = np.zeros((len(actions), first.chances.shape[1]))
    for strategy, share in ((first, chance), (second, 1 - chance)):
        for action, row in zip(strategy.actions, strategy.chances, strict=True):
            chances[actions.index(action)] += share * row
    return Strategy(actions, chances, is_exact=first.is_exact and second.is_exact)


class Bot(ABC):
    """A program that plays one seat for one hand; all its randomness comes from `self.rng`."""

    estimates_strategy = False  # whether `strategy` is never exact, so that AIVAT need not ask for it

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    @abstractmethod
    def act(self, view: View) -> int:
        """Return FOLD, CALL, or the chips to raise to; `riverboat.marks` marks a decision that was not made as
        intended.
        """

    def reach(self) -> F64 | None:
        """Return how likely each holding would have acted as the bot did in this hand [H]; None if that is unknown.

        A match uses it to reduce luck once the hand is over: see `range_payoffs.py`.
        """
        return None

    def strategy(self, view: View) -> Strategy | None:
        """Return the bot's strategy in a situation, for every holding; None if it cannot report it.

        The answer does not depend on the holding in the view, and a bot may be asked about situations in any order.
        The laboratory measures a bot by it: see `exploit.py` and `local_best_response.py`.
        """
        return None


def reach_of(bot: Any) -> F64 | None:
    """Return a bot's reach, if it has such a method; anything with `act` may play."""
    reach: F64 | None = bot.reach() if hasattr(bot, "reach") else None
    return reach


# Makes a bot for one hand, given its generator. Several processes need one that can be pickled: a class, or a
# function at the top of a module. It returns a Bot, or any other object with its `act`.
MakeBot = Callable[[np.random.Generator], Any]


class IllegalBotAction(IllegalAction):
    """An action of a bot that the rules forbid, with the bot's name, the deal, and the view that the bot had."""

    def __init__(self, view: View, action: object, reason: str, bot: str = "", deal: int | None = None) -> None:
        who = f"bot {bot!r}" if bot else "the bot"
        when = "" if deal is None else f" in deal {deal}"
        cards = format_cards(view.holding)
        super().__init__(
            f"{who} at seat {view.seat} with {cards}{when} ({describe(view.public)}) played {action!r}: {reason}"
        )
        self.view, self.action, self.reason, self.bot, self.deal = view, action, reason, bot, deal

    def of(self, bot: str, deal: int) -> "IllegalBotAction":
        """Return the same error with the bot's name and the number of the deal."""
        return IllegalBotAction(self.view, self.action, self.reason, bot, deal)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        # Exceptions are pickled as their message only, and this one must come whole from another process.
        return IllegalBotAction, (self.view, self.action, self.reason, self.bot, self.deal)
