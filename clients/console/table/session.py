"""A player's session at a table: shows views, does what is typed, and goes on when the server restarts."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty
from threading import Event

import grpc

from riverboat.clients.console.hands.history_folder import SittingFile
from riverboat.clients.console.hands.witnesses import WitnessFile
from riverboat.clients.console.table.account import Account
from riverboat.clients.console.table.adviser import Adviser
from riverboat.clients.console.table.chair import Chair, Declined
from riverboat.clients.console.table.coach import Coach
from riverboat.clients.console.table.display import HELP, PRACTICE_HELP, Display
from riverboat.clients.console.table.fair_deals import FairDeals
from riverboat.clients.console.table.inbox import (
    Advice,
    ConnectionLost,
    Ended,
    Inbox,
    Message,
    PlaceTold,
    Rehearsed,
    Resized,
    Seen,
    Studied,
    Typed,
    follow_views,
)
from riverboat.clients.console.table.keystrokes import Typing
from riverboat.clients.console.table.orders import NotAnOrder, read_order
from riverboat.clients.console.table.pacing import Pacer
from riverboat.clients.console.table.practice import Practice
from riverboat.clients.console.table.practice_orders import hear, known_explanation, rehearse
from riverboat.clients.console.table.reminders import Reminder
from riverboat.clients.console.table.scene import scene_of_view
from riverboat.clients.console.table.screen import time_text
from riverboat.clients.console.table.story import Sentence
from riverboat.clients.console.table.teller import Teller
from riverboat.clients.console.views.text import chips_text
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import Refused, refusal_of
from riverboat.contracts.tables import Unreadable
from riverboat.history.hand import History
from riverboat.tables.view import Status, TableInfo, TableView

_PATIENCE_SECONDS = 60  # for a server that is gone
_LAST_MS = 10_000  # of the clock, kept for acting
_TOO_QUICK_SECONDS = 0.25  # after a change: a key pressed so soon was meant for the table before it


@dataclass(frozen=True, slots=True)
class TakenChair:
    """A chair that the player has taken."""

    link: GameManagerClient
    info: TableInfo
    chair: int
    token: str
    hand_limit: int | None  # hands to play; None for no limit
    pace: float = 0.0  # seconds that each action of the others stays before the next is shown
    witness: WitnessFile | None = None  # where to keep what the player saw before each hand
    sitting: SittingFile | None = None  # where to keep the hands


@dataclass(frozen=True, slots=True)
class Helpers:
    """The helpers that a player can ask."""

    adviser: Adviser
    coach: Coach
    practice: Practice | None = None


class Session:
    """One sitting, from joining to leaving."""

    def __init__(self, taken: TakenChair, display: Display, inbox: Inbox, helpers: Helpers, typing: Typing) -> None:
        self._taken, self._display, self._inbox, self._typing = taken, display, inbox, typing
        self._adviser, self._coach, self._practice = helpers.adviser, helpers.coach, helpers.practice
        self._chair = Chair(taken.link, taken.token)
        self._reminder = Reminder(taken.info.config, taken.link.address)
        self._account = Account()
        self._teller = Teller(taken.link, taken.info, taken.chair, display, self._keep)
        self._pacer = Pacer(taken.pace)
        self._untold: list[Sentence] = []  # about deals that are not shown to their end yet
        self._fair_deals = FairDeals(self._chair, taken.witness, self._untold.extend)
        self._view: TableView | None = None
        self._turn_since = 0.0
        self._lost_since: float | None = None
        self._over = self._asking = self._wants_out = False
        self._parting = self._standing = ""
        self.moved_view: TableView | None = None  # of the table that a tournament has moved the player to

    def run(self, first: TableView | None = None) -> None:
        """Play until the player leaves, is moved to another table, or the table ends.

        A player who was moved here has views already; `first` is the first of this table.
        """
        stop = follow_views(self._taken.link, self._taken.token, self._inbox) if first is None else Event()
        if first is not None:
            self._arrive(first)
        try:
            while not self._over:
                try:
                    self._take(self._inbox.get(timeout=self._pacer.patience()))
                except Empty:
                    self._tick()
                while not self._is_rehearsing and (view := self._pacer.next()):
                    self._see(view)
                self._obey()
                self._check_patience()
        finally:
            if self.moved_view is None:
                stop.set()
                self._chair.leave_quietly()
        self._teller.finish()

    @property
    def _is_tournament(self) -> bool:
        return bool(self._taken.info.config.tournament_id)

    def summary(self) -> list[str]:
        """Return what to say afterwards: why it ended, unless the player left, the deals, and the winnings."""
        winnings, kept = self._teller.winnings, self._taken.sitting.words() if self._taken.sitting else []
        return [*filter(None, [self._parting]), *self._fair_deals.summary(winnings.begun), *kept, winnings.summary()]

    def _take(self, message: Message) -> None:
        match message:
            case Seen():
                self._arrive(message.view)
            case Unreadable():
                self._fair_deals.see(message)
            case ConnectionLost():
                if self._lost_since is None:
                    self._lost_since = time.monotonic()
                    self._display.say("connection lost; trying again")
                self._display.tick()
            case Ended():
                self._end(message)
            case Typed():
                self._typing.take(message.text)
                self._display.typing(self._typing.unfinished)
            case Advice():
                self._hear(message)
            case PlaceTold():
                self._standing = message.text
                self._look_around()
            case Studied() | Rehearsed():
                self._hear_practice(message)
            case Resized():
                self._display.tick()

    def _hear(self, advice: Advice) -> None:
        """Show an answer, unless it is about a decision that is over."""
        self._asking = self._asking and not advice.is_last
        if not advice.is_last and not self._typing.by_keys:
            return
        hand, action = self._view.place if self._view else (0, 0)
        if advice.hand_number in (0, hand) and advice.action_number in (None, action):
            self._display.say(advice.text)

    def _tick(self) -> None:
        self._display.tick()
        self._watch_clock()
        self._try(self._chair.try_again)
        self._fair_deals.try_again()
        if (self._reminder.is_bust or self._wants_out) and not self._is_tournament:
            self._look_around()

    def _check_patience(self) -> None:
        if self._lost_since is not None and time.monotonic() > self._lost_since + _PATIENCE_SECONDS:
            raise Refused(f"the game manager at {self._taken.link.address} no longer answers")

    def _end(self, message: Ended) -> None:
        """Handle the end of views."""
        self._catch_up()
        self._over = True
        if self._chair.is_leaving:
            return
        if message.error:
            raise refusal_of(message.error, service="game manager", address=self._taken.link.address, names={})
        self._chair.is_leaving = True  # it is already free
        if self._view and self._view.status is Status.CLOSED:
            self._parting = "the table is closed" if self._typing.by_keys else ""  # a pipe has had the line
        elif self._reminder.is_bust and not self._is_tournament:
            self._parting = "you lost your chair: you bought no chips in time"

    # Views

    def _arrive(self, view: TableView) -> None:
        """Take a view: contribute to the deal at once, but show the view at the table's pace."""
        if view.table_id != self._taken.info.table_id:
            self._catch_up()
            self.moved_view, self._over = view, True
            return
        if self._lost_since is not None:
            self._lost_since = None
            self._fair_deals.reconnect()
            self._display.say("connected again")
        self._fair_deals.see(view)
        self._check_missed()
        self._pacer.add(view)
        self._try(lambda: self._chair.see(view))

    def _catch_up(self) -> None:
        """Show at once what has happened."""
        while view := self._pacer.skip():
            self._see(view)

    def _see(self, view: TableView) -> None:
        if self._view is None or self._view.hand_number != view.hand_number:
            self._typing.unfinished = ""
            self._display.typing("")
        if self._view is None or self._view.place != view.place:
            self._turn_since = time.monotonic()
        self._view = view
        self._reminder.see(view)
        self._teller.see(view)
        if not self._pacer.is_behind and self._untold:
            self._display.tell(self._untold)
            self._untold.clear()
        self._coach.see(view)
        self._display.show(scene_of_view(view))
        if self._practice:
            self._practice.warner.see(view)
        self._look_around()

    def _check_missed(self) -> None:
        """Check the deals of hands that ended between two views."""
        for number in self._fair_deals.missed:
            try:
                table_id = self._taken.info.table_id
                records = self._taken.link.tables.list_hands(table_id=table_id, first_hand=number, hand_count=1)
            except grpc.RpcError:
                return  # the next view tries again
            self._fair_deals.see_records(records)

    def _look_around(self) -> None:
        """Leave when it is time; remind the player of what keeps hands from being played."""
        limit = self._taken.hand_limit
        if (self._wants_out and not self._is_tournament) or (limit and len(self._teller.winnings.begun) >= limit):
            self._leave()
        if self._chair.is_leaving:
            return
        self._display.remind(" ".join(filter(None, [self._fair_deals.alarm, self._reminder.words(), self._standing])))
        is_stuck = self._reminder.is_bust or self._reminder.is_alone
        if not self._typing.by_keys and is_stuck and not self._is_tournament:
            self._leave()  # a script would wait forever

    def _keep(self, history: History) -> None:
        """Keep a finished hand."""
        self._account.add(history)
        if self._taken.sitting:
            self._taken.sitting.keep(history, self._own_name)
        if self._practice:
            self._practice.keep(history, self._own_name)

    @property
    def _own_name(self) -> str:
        chairs = self._view.chairs if self._view else self._taken.info.chairs
        return next((seated.name for seated in chairs if seated.chair == self._taken.chair), "")

    # Orders

    def _obey(self) -> None:
        """Carry out orders; those from a pipe wait until it is the player's turn."""
        while not self._over and (self._typing.by_keys or self._can_act()):
            order = self._typing.next()
            if order is None:
                break
            self._do(order)
        if self._typing.has_ended and not self._over and not self._asking:
            self._leave()
            self._give_up_hand()

    @property
    def _is_rehearsing(self) -> bool:
        return self._practice is not None and self._practice.rehearsal is not None

    def _hear_practice(self, message: Studied | Rehearsed) -> None:
        if self._practice and self._view:
            view = self._view
            action = hear(self._practice, message, view, self._display, self._taken.info.config.variant)
            if action is not None and self._can_act():
                self._try(lambda: self._chair.decide(view, action))

    def _can_act(self) -> bool:
        ready = self._view is not None and self._view.is_your_turn
        return ready and not self._pacer.is_behind and not self._chair.is_deciding and not self._asking

    def _do(self, order: str) -> None:
        if self._practice and (self._is_rehearsing or self._practice.is_order(order)):
            if self._view:
                rehearse(self._practice, order, self._view, self._display, self._taken.info.config.variant)
            return
        match order:
            case "":
                return
            case " ":
                self._catch_up()
            case "q" | "quit" | "leave":
                self._quit()
            case "?" if self._can_act() and self._practice and self._practice.warner.is_waiting:
                self._practice.warner.is_asked = True
                self._display.say("re-solving your decision; the answer comes here")
            case "?" | "v" | "review" if self._typing.by_keys and self._coach.is_busy:
                self._coach.stop()
                self._display.say("stopped: no answer")
            case "?" if self._can_act() and (known := known_explanation(self._practice, self._view)):
                self._display.say(known)
            case "?" if self._can_act():
                self._consult(self._coach.explain, "re-solving", "?")
            case "?" | "k" | "keys" | "help":
                self._display.say("\n".join(HELP + (PRACTICE_HELP if self._practice else ())))
            case "v" | "review":
                self._consult(self._coach.review, "re-solving your last hand", "v")
            case "h" | "hint":
                self._ask()
            case "s" | "score":
                self._display.say("\n".join(self._account.lines(self._teller.winnings, self._own_name)))
            case "b" | "buy":
                self._buy()
            case _:
                self._act(order)

    def _ask(self) -> None:
        if self._view is None or not self._view.holding or not self._view.public or self._view.public.actor is None:
            self._display.say("you hold no cards right now")
            return
        self._display.say("asking the oracle…")
        self._asking = not self._typing.by_keys  # a script waits for the answer
        self._adviser.ask(self._view)

    def _consult(self, ask: Callable[[], str], words: str, key: str) -> None:
        try:
            expected = ask()
        except Refused as refused:
            self._display.say(str(refused))
            return
        by_keys = self._typing.by_keys
        left = f"; your clock has {time_text(self._time_left_ms)}" if self._has_clock else ""
        self._display.say(f"{words}: {expected}{left}; {key} again stops it" if by_keys else f"{words}…")
        self._asking = not by_keys

    @property
    def _time_left_ms(self) -> int:
        """Milliseconds left on the player's own clock."""
        gone = 1000 * (time.monotonic() - self._turn_since)
        return max(0, round(self._view.time_left_ms - gone)) if self._view else 0

    @property
    def _has_clock(self) -> bool:
        return self._view is not None and self._view.is_your_turn and self._view.time_left_ms > 0

    def _watch_clock(self) -> None:
        """Stop a question that would outlast the player's clock, and say that it is time to act."""
        if self._coach.is_busy and self._typing.by_keys and self._has_clock and self._time_left_ms < _LAST_MS:
            self._coach.stop()
            self._display.say(f"no answer yet, and {time_text(self._time_left_ms)} left: act now")

    def _act(self, order: str) -> None:
        view = self._view
        if view is None or not self._can_act():
            self._display.say("your action is being sent" if self._chair.is_deciding else "it is not your turn")
            return
        if self._typing.by_keys and time.monotonic() < self._turn_since + _TOO_QUICK_SECONDS:
            self._display.say("the table just changed: look again")
            return
        try:
            action = read_order(order, view)
        except NotAnOrder as error:
            self._display.say(str(error))
            return
        if self._practice and (objection := self._practice.warner.objection(view, action)):
            self._display.say(objection)
            return
        self._try(lambda: self._chair.decide(view, action))

    def _give_up_hand(self) -> None:
        view = self._view
        if view is not None and self._can_act():
            self._try(lambda: self._chair.give_up(view))

    def _buy(self) -> None:
        view, most = self._view, self._taken.info.config.buy_in
        stack = sum(chair.stack for chair in view.chairs if chair.chair == view.chair) if view else most
        if stack >= most:
            self._display.say(f"you have {chips_text(stack)}; you can buy chips only up to {chips_text(most)}")
        else:
            self._try(lambda: self._display.say(f"you now have {chips_text(self._chair.buy(most - stack))}"))

    def _quit(self) -> None:
        if self._wants_out:
            self._over = True
            self._give_up_hand()
            return
        if self._is_tournament:
            self._wants_out = True
            self._display.say("q again leaves the tournament: the table will check or fold for you")
            return
        self._wants_out = True
        self._leave()
        if not self._over:
            when = "after this hand" if self._lost_since is None else "when the connection is back"
            self._display.say(f"you will leave {when}; q again leaves at once")

    def _leave(self) -> None:
        if not self._chair.is_leaving and self._lost_since is None:  # tried again when the server is back
            self._try(self._get_up)

    def _get_up(self) -> None:
        self._over = self._chair.leave() or self._over

    def _try(self, call: Callable[[], None]) -> None:
        try:
            call()
        except Declined as declined:
            self._display.say(str(declined))
