"""What a bot is, and what happens when one breaks the rules."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import format_cards
from riverboat.errors import IllegalAction
from riverboat.rules.state import View, describe

F64 = NDArray[np.float64]


class Bot(ABC):
    """A program that plays one seat for one hand; whatever it leaves to chance comes from `self.rng`."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    @abstractmethod
    def act(self, view: View) -> int:
        """FOLD, CALL, or the chips to raise to; `riverboat.marks` marks what was not decided as intended."""

    def reach(self) -> F64 | None:
        """How likely each holding would have done what was done in this hand [H]; None if that is not known.

        A match uses it to leave less to luck, once the hand is over: see `range_payoffs.py`.
        """
        return None


def reach_of(bot: Any) -> F64 | None:
    """What a bot knows of its reach; anything that has `act` may play."""
    reach: F64 | None = bot.reach() if hasattr(bot, "reach") else None
    return reach


# Makes a bot for one hand, given its generator. Several processes need one that can be pickled: a class, or a
# function at the top of a module. What it makes is a Bot, or anything else that has its `act`.
MakeBot = Callable[[np.random.Generator], Any]


class IllegalBotAction(IllegalAction):
    """A bot played what the rules do not allow; says who, what, and where, and carries what the bot saw."""

    def __init__(self, view: View, action: object, reason: str, bot: str = "", deal: int | None = None) -> None:
        who = f"bot {bot!r}" if bot else "the bot"
        when = "" if deal is None else f" in deal {deal}"
        cards = format_cards(view.holding)
        super().__init__(
            f"{who} at seat {view.seat} with {cards}{when} ({describe(view.public)}) played {action!r}: {reason}"
        )
        self.view, self.action, self.reason, self.bot, self.deal = view, action, reason, bot, deal

    def of(self, bot: str, deal: int) -> "IllegalBotAction":
        """The same error with the bot's name and the number of the deal."""
        return IllegalBotAction(self.view, self.action, self.reason, bot, deal)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        # Exceptions are pickled as their message only, and this one must come whole from another process.
        return IllegalBotAction, (self.view, self.action, self.reason, self.bot, self.deal)
