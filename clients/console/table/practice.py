"""Practice: a warning before a decision that costs much, and hands played again from any decision."""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from riverboat.arena.bot import MakeBot
from riverboat.clients.analysis.actions import action_words, chips_words, playing_words
from riverboat.clients.analysis.explanation import Choice, Explanation
from riverboat.clients.analysis.wording import share_words
from riverboat.clients.bots.agents.names import needs_resolver
from riverboat.clients.bots.agents.registry import find_agent
from riverboat.clients.console.table.inbox import Inbox, Rehearsed, Studied
from riverboat.clients.console.table.rehearsal import PlayedHand, Rehearsal, bots_of
from riverboat.errors import RiverboatError
from riverboat.history.hand import History
from riverboat.rules.betting import CALL
from riverboat.rules.state import PublicState
from riverboat.tables.view import TableView

_AGAIN = re.compile(r"p\s*(\d{0,3})")
_STAND_IN = "rollout"
_ALIKE = 1.25  # times a raise: another one up to there is worth about the same
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Held:
    """An action that waits until its cost is known."""

    place: Place
    action: int


class Warner:
    """Says which decisions cost more than a share of the pot, before they are sent."""

    def __init__(self, share: float, study: Callable[[int | None], bool]) -> None:
        """Take the share of the pot; `study` asks for an explanation of the current decision, if there can be one.

        It takes a raise that the explanation must know, or None.
        """
        self._share, self._study = share, study
        self._place: Place | None = None
        self._is_waited_for = False
        self._explanation: Explanation | None = None
        self.is_asked = False  # by the player, who waits for the explanation itself
        self._held: Held | None = None  # its cost is being computed, or the player was warned of it

    @property
    def is_waiting(self) -> bool:
        """Whether an explanation is being worked out."""
        return self._is_waited_for

    def see(self, view: TableView) -> None:
        """Study a new decision of the player's as soon as it comes."""
        if view.is_your_turn and view.place != self._place:
            self._place, self._explanation, self._held, self.is_asked = view.place, None, None, False
            self._is_waited_for = self._study(None)

    def hear(self, studied: Studied) -> tuple[int | None, str]:
        """Take an explanation; return the action that waited for it, if it may be sent now, or else what to say."""
        if studied.place != self._place:
            return None, ""
        self._is_waited_for, self._explanation = False, studied.explanation
        held = self._held
        if held is None:
            return None, ""
        if self._explanation and not _knows(self._explanation, held.action) and self._study(held.action):
            self._is_waited_for = True
            return None, _working_out(self._explanation.public, held.action)
        warning = self._warning(held.action)
        return (None, warning) if warning else (held.action, "")

    def explanation(self, view: TableView) -> Explanation | None:
        """Return the explanation of a view's decision, if it is there."""
        return self._explanation if view.place == self._place else None

    def objection(self, view: TableView, action: int) -> str:
        """Return why an action is not sent yet; "" if it is. The same action a second time always is."""
        held = Held(view.place, action)
        if held == self._held:
            return ""
        self._held = held
        if self._explanation and not _knows(self._explanation, action):
            self._is_waited_for = self._study(action)
        if self._is_waited_for:
            return _working_out(view.public, action)
        return self._warning(action)

    def _warning(self, action: int) -> str:
        explained = self._explanation
        if explained is None:
            return ""
        choice = nearest_choice(explained, action)
        if choice.loss <= max(self._share * explained.public.pot, explained.slack):
            return ""
        public, best = explained.public, explained.best
        rough = "about " if explained.is_estimate else ""
        loss = f"{rough}{chips_words(choice.loss)} chips ({share_words(choice.loss / public.pot)} of the pot)"
        better = f"{action_words(public, best.action)} is worth that much more"
        return f"{playing_words(public, action)} loses {loss}: {better}. The same again plays it, ? says why"


def _working_out(public: PublicState | None, action: int) -> str:
    words = playing_words(public, action) if public else "it"
    return f"working out what {words} costs; the same again plays it without waiting"


def _knows(explained: Explanation, action: int) -> bool:
    """Return whether an explanation has an action, or a raise that is much like it."""
    nearest = nearest_choice(explained, action).action
    return action <= CALL or (nearest > CALL and max(action, nearest) <= _ALIKE * min(action, nearest))


def nearest_choice(explained: Explanation, action: int) -> Choice:
    """Return the choice that an action is, or for a raise of another size the nearest raise."""
    same = [choice for choice in explained.choices if choice.action == action]
    raises = [choice for choice in explained.choices if choice.action > CALL]
    if same or not raises:
        return (same or list(explained.choices))[0]
    return min(raises, key=lambda choice: abs(log(choice.action / max(1, action))))


class Practice:
    """What practice adds to a sitting: warnings, and hands played again."""

    def __init__(self, warner: Warner, inbox: Inbox, agents: Sequence[str]) -> None:
        self.warner, self._inbox, self._agents = warner, inbox, agents
        self._last: PlayedHand | None = None
        self._rng = np.random.default_rng()
        self.rehearsal: Rehearsal | None = None
        self.is_thinking = False  # the others are, in a hand that is played again

    def keep(self, history: History, player: str) -> None:
        """Take a finished hand."""
        if player in history.names:
            self._last = PlayedHand(history, history.names.index(player))

    def begin(self, order: str) -> str:
        """Begin a replay by an order like "p 2"; return what to say instead, like the decisions to choose from."""
        match = _AGAIN.fullmatch(order)
        if match is None or self._last is None:
            return "no hand is over yet that could be played again" if self._last is None else "type p and a number"
        turns = self._last.turns
        number = int(match[1] or 0)
        if not 1 <= number <= len(turns):
            return self._last.list_of_turns()
        bots = bots_of(self._last, {name: _maker(name) for name in self._agents}, find_agent(_STAND_IN))
        self.rehearsal = Rehearsal(self._last, number, bots, self._rng)
        return ""

    @staticmethod
    def is_order(order: str) -> bool:
        """Return whether an order asks for a hand again."""
        return _AGAIN.fullmatch(order) is not None

    def play(self, action: int) -> None:
        """Play an action in the rehearsal; the others answer in the background."""
        rehearsal = self.rehearsal
        if rehearsal is None:
            return
        self.is_thinking = True

        def work() -> None:
            problem = ""
            try:
                rehearsal.play(action)
            except RiverboatError as error:
                problem = str(error)
            self._inbox.put(Rehearsed(problem))

        threading.Thread(target=work, daemon=True).start()

    def end(self) -> None:
        """Go back to the table."""
        self.rehearsal, self.is_thinking = None, False


def _maker(name: str) -> MakeBot:
    return find_agent(_STAND_IN if needs_resolver(name) else name)
