"""A person at a table: what is seen is shown, what is typed is done, nothing is lost when the server restarts."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty

import grpc

from riverboat.clients.console.hands.records import hands_of
from riverboat.clients.console.hands.witnesses import WitnessFile
from riverboat.clients.console.table.adviser import Adviser
from riverboat.clients.console.table.chair import Chair, Declined, place_of
from riverboat.clients.console.table.coach import Coach
from riverboat.clients.console.table.dealings import Dealings
from riverboat.clients.console.table.faces import HELP, Face
from riverboat.clients.console.table.inbox import (
    Advice,
    Ended,
    Inbox,
    Lost,
    Message,
    Resized,
    Seen,
    Typed,
    follow_views,
)
from riverboat.clients.console.table.keystrokes import Typing
from riverboat.clients.console.table.orders import NotAnOrder, read_order
from riverboat.clients.console.table.plain_text import chips_text
from riverboat.clients.console.table.scene import scene_of_view
from riverboat.clients.console.table.teller import Teller
from riverboat.clients.console.table.waiting import Standing
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import Refused, refusal_of
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb

_PATIENCE_SECONDS = 60  # for a server that is gone
_TOO_QUICK_SECONDS = 0.25  # a second press of a key was not meant for what it has led to


@dataclass(frozen=True, slots=True)
class Place:
    """A chair at a table that is ours."""

    link: GameManagerClient
    info: pb.TableInfo
    chair: int
    token: str
    hand_limit: int | None  # hands to play, or None for as many as there are
    witness: WitnessFile | None = None  # where to keep what was seen before each hand


@dataclass(frozen=True, slots=True)
class Helpers:
    """Whom a player can ask."""

    adviser: Adviser
    coach: Coach


class Session:
    """One sitting, from joining to leaving."""

    def __init__(self, place: Place, face: Face, inbox: Inbox, helpers: Helpers, typing: Typing) -> None:
        self._place, self._face, self._inbox, self._typing = place, face, inbox, typing
        self._adviser, self._coach = helpers.adviser, helpers.coach
        self._chair = Chair(place.link, place.token)
        self._standing = Standing(place.info.config, place.link.address)
        self._teller = Teller(place.link, place.info, place.chair, face)
        self._dealings = Dealings(self._chair, place.witness, face.tell)
        self._view: pb.View | None = None
        self._turn_since = 0.0
        self._lost_since: float | None = None
        self._over = self._asking = self._wants_out = False
        self._parting = ""

    def run(self) -> None:
        """Play until the player leaves or the table ends."""
        stop = follow_views(self._place.link, self._place.token, self._inbox)
        try:
            while not self._over:
                try:
                    self._take(self._inbox.get(timeout=1))
                except Empty:
                    self._tick()
                self._obey()
                self._check_patience()
        finally:
            stop.set()
            self._chair.leave_quietly()
        self._teller.finish()

    def summary(self) -> list[str]:
        """What to say in the end: why it ended, if that was not the player's wish, and what was won."""
        return [*filter(None, [self._parting]), *self._dealings.summary(), self._teller.ledger.summary()]

    def _take(self, message: Message) -> None:
        match message:
            case Seen():
                self._see(message.view)
            case Lost():
                if self._lost_since is None:
                    self._lost_since = time.monotonic()
                    self._face.say("the connection is lost; trying again")
                self._face.tick()
            case Ended():
                self._end(message)
            case Typed():
                self._typing.take(message.text)
                self._face.typing(self._typing.unfinished)
            case Advice():
                self._hear(message)
            case Resized():
                self._face.tick()

    def _hear(self, advice: Advice) -> None:
        """Say what somebody answers, unless it is about something that is over."""
        self._asking = self._asking and not advice.is_last
        if not advice.is_last and not self._typing.by_keys:
            return
        hand, action = place_of(self._view) if self._view else (0, 0)
        if advice.hand_number in (0, hand) and advice.action_number in (None, action):
            self._face.say(advice.text)

    def _tick(self) -> None:
        self._face.tick()
        self._try(self._chair.try_again)
        self._dealings.try_again()
        if self._standing.is_bust or self._wants_out:
            self._look_around()

    def _check_patience(self) -> None:
        if self._lost_since is not None and time.monotonic() > self._lost_since + _PATIENCE_SECONDS:
            raise Refused(f"the game manager at {self._place.link.address} does not answer any more")

    def _end(self, message: Ended) -> None:
        """There are no more views."""
        self._over = True
        if self._chair.is_leaving:
            return
        if message.error:
            raise refusal_of(message.error, service="game manager", address=self._place.link.address, names={})
        self._chair.is_leaving = True  # it is free already
        if self._view and self._view.status == pb.TABLE_STATUS_CLOSED:
            self._parting = "the table is closed"
        elif self._standing.is_bust:
            self._parting = "you got up: no chips were bought in time"

    # What is seen

    def _see(self, view: pb.View) -> None:
        if self._lost_since is not None:
            self._lost_since = None
            self._dealings.reconnect()
            self._face.say("the connection is back")
        if self._view is None or self._view.hand_number != view.hand_number:
            self._typing.unfinished = ""
            self._face.typing("")
        if self._view is None or place_of(self._view) != place_of(view):
            self._turn_since = time.monotonic()
        self._view = view
        self._standing.see(view)
        self._teller.see(view)
        self._dealings.see(view)
        self._check_missed()
        self._coach.see(view)
        self._face.show(scene_of_view(view))
        self._try(lambda: self._chair.see(view))
        self._look_around()

    def _check_missed(self) -> None:
        """Check the deals of hands that ended between two views."""
        for number in self._dealings.missed:
            try:
                records = list(hands_of(self._place.link, self._place.info.table_id, number, number + 1))
            except grpc.RpcError:
                return  # it is tried again with the next view
            self._dealings.see_records(records)

    def _look_around(self) -> None:
        """Leave when it is time; say what there is to do where no hand can be played."""
        limit = self._place.hand_limit
        if self._wants_out or (limit and len(self._teller.ledger.begun) >= limit):
            self._leave()
        if self._chair.is_leaving:
            return
        self._face.remind(" ".join(filter(None, [self._dealings.alarm, self._standing.words()])))
        if not self._typing.by_keys and (self._standing.is_bust or self._standing.is_alone):
            self._leave()  # a script would wait for ever

    # What is done

    def _obey(self) -> None:
        """Take orders; those from a pipe wait until it is the player's turn."""
        while not self._over and (self._typing.by_keys or self._can_act()):
            order = self._typing.next()
            if order is None:
                break
            self._do(order)
        if self._typing.has_ended and not self._over and not self._asking:
            self._leave()
            self._give_up_hand()

    def _can_act(self) -> bool:
        ready = self._view is not None and self._view.is_your_turn
        return ready and not self._chair.is_deciding and not self._asking

    def _do(self, order: str) -> None:
        match order:
            case "":
                return
            case "q" | "quit" | "leave":
                self._quit()
            case "?" if self._can_act():
                self._consult(self._coach.explain, "re-solving…")
            case "?" | "k" | "keys" | "help":
                self._face.say("\n".join(HELP))
            case "v" | "review":
                self._consult(self._coach.review, "re-solving your last hand…")
            case "h" | "hint":
                self._ask()
            case "b" | "buy":
                self._buy()
            case _:
                self._act(order)

    def _ask(self) -> None:
        if self._view is None or not self._view.holding or self._view.state.actor < 0:
            self._face.say("you hold no cards in a hand that is being played")
            return
        self._face.say("asking the oracle…")
        self._asking = not self._typing.by_keys  # a script waits for the answer
        self._adviser.ask(self._view)

    def _consult(self, ask: Callable[[], None], words: str) -> None:
        try:
            ask()
        except Refused as refused:
            self._face.say(str(refused))
            return
        self._face.say(words)
        self._asking = not self._typing.by_keys

    def _act(self, order: str) -> None:
        view = self._view
        if view is None or not self._can_act():
            self._face.say("your action is on its way" if self._chair.is_deciding else "it is not your turn")
            return
        if self._typing.by_keys and time.monotonic() < self._turn_since + _TOO_QUICK_SECONDS:
            self._face.say("the table has just changed: look again")
            return
        try:
            action = read_order(order, view)
        except NotAnOrder as error:
            self._face.say(str(error))
            return
        self._try(lambda: self._chair.decide(view, action))

    def _give_up_hand(self) -> None:
        view = self._view
        if view is not None and self._can_act():
            self._try(lambda: self._chair.give_up(view))

    def _buy(self) -> None:
        view, most = self._view, self._place.info.config.buy_in
        stack = sum(chair.stack for chair in view.chairs if chair.chair == view.chair) if view else most
        if stack >= most:
            self._face.say(f"you have {chips_text(stack)}, and chips are bought only up to {chips_text(most)}")
        else:
            self._try(lambda: self._face.say(f"you have {chips_text(self._chair.buy(most - stack))} now"))

    def _quit(self) -> None:
        if self._wants_out:
            self._over = True
            self._give_up_hand()
            return
        self._wants_out = True
        self._leave()
        if not self._over:
            when = "after this hand" if self._lost_since is None else "when the connection is back"
            self._face.say(f"you leave {when}; q again leaves at once")

    def _leave(self) -> None:
        if not self._chair.is_leaving and self._lost_since is None:  # it is tried again when the server is back
            self._try(self._get_up)

    def _get_up(self) -> None:
        self._over = self._chair.leave() or self._over

    def _try(self, call: Callable[[], None]) -> None:
        try:
            call()
        except Declined as declined:
            self._face.say(str(declined))
