"""Runs bots by any author: whatever they return, the action played is legal."""

from dataclasses import replace
from operator import index

import numpy as np

from riverboat.arena.bot import IllegalBotAction, MakeBot
from riverboat.arena.hand import play_hand
from riverboat.clients.bots.event_log import log
from riverboat.errors import IllegalAction
from riverboat.marks import fallback, with_mark_of
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View, describe, start_random
from riverboat.rules.variant import VARIANTS

_LONGEST_ERROR = 500  # characters
_RESTRICTED = replace(VARIANTS[0], bet_sizes=parse_bet_sizes("0.5p 1p"))


class BotFailed(Exception):
    """A bot raised or played an illegal action, and had to be stopped for it."""


class BotRunner:
    """Makes a new bot for every hand of one chair, and asks it for actions.

    If a bot raises an exception or plays an illegal action, the log says so, and the chair checks or folds instead,
    marked as a fallback. With `strict` that is an error.
    """

    def __init__(self, make_bot: MakeBot, name: str, seed: int, strict: bool = False) -> None:
        self._make_bot, self._name, self._seed, self._strict = make_bot, name, seed, strict
        self._hand, self._bot = ("", -1), None  # the table and hand that the bot plays

    def act(self, hand_number: int, view: View, table_id: str = "") -> int:
        """Return a legal action for the acting seat, with the bot's mark if it has one."""
        try:
            return self._checked(view, self._ask((table_id, hand_number), view))
        except BaseException as error:  # in a thread of its own: only the bot can raise SystemExit here
            if self._strict:
                where = f"in hand {hand_number}, seat {view.seat} ({describe(view.public)})"
                raise BotFailed(f"bot {self._name!r} failed {where}: {one_line(error)}") from error
            log.error(
                "bot_failed",
                exc_info=None if isinstance(error, IllegalBotAction) else error,
                bot=self._name,
                hand=hand_number,
                seat=view.seat,
                state=describe(view.public),
                instead="fold" if view.public.to_call else "check",
                error=one_line(error),
            )
            reason = "it is not legal" if isinstance(error, IllegalBotAction) else f"it raised {type(error).__name__}"
            return fallback(FOLD if view.public.to_call else CALL, f"the bot's action cannot be played: {reason}")

    def _ask(self, hand: tuple[str, int], view: View) -> object:
        if hand != self._hand:
            self._bot = self._make_bot(np.random.default_rng([self._seed, hand[1]]))
            self._hand = hand
        action: object = self._bot.act(view)  # type: ignore[attr-defined]  # or an error like any other
        return action

    def _checked(self, view: View, action: object) -> int:
        try:
            chips = int(index(action))  # type: ignore[arg-type]  # numpy's integers are welcome, and nothing else
            view.public.verify_action(chips)
        except TypeError:
            raise IllegalBotAction(view, action, "an action must be an integer", self._name) from None
        except IllegalAction as error:
            raise IllegalBotAction(view, action, str(error), self._name) from None
        return with_mark_of(action, chips)


def one_line(error: BaseException) -> str:
    """Return an error in one line of readable length, with its class if Python raised it."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # the bot's author may have written __str__
        text = "an error without a text"
    text = text if len(text) <= _LONGEST_ERROR else text[:_LONGEST_ERROR] + " …"
    return text if isinstance(error, IllegalBotAction) else f"{type(error).__name__}: {text}"


def warm_up(make_bot: MakeBot) -> None:
    """Play a hand of each variant to compile the kernels: compiling takes longer than a table's clock allows."""
    for variant in (*VARIANTS, _RESTRICTED):
        rng = np.random.default_rng(0)
        hand = start_random(variant, [100 * variant.big_blind] * 2, rng)
        hand.public.nearest_raise(0)  # whether or not the bot raises now
        play_hand(hand, [make_bot(rng), make_bot(rng)])
