"""A person at a table: what is seen is shown, what is typed is done, nothing is lost when the server restarts."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty
from typing import TypeVar

import grpc

from clients.console.failures import Refused
from clients.console.game_link import LOST, GameLink, game_refusal
from clients.console.table.advice import Adviser
from clients.console.table.faces import HELP, Face
from clients.console.table.inbox import Advice, Ended, Inbox, Lost, Message, Seen, Typed, follow_views
from clients.console.table.ledger import Ledger
from clients.console.table.orders import NotAnOrder, read_order
from clients.console.table.plain import chips_text, plain
from clients.console.table.records import hands_of
from clients.console.table.scene import scene_of_view
from clients.console.table.story import Narrator
from clients.console.table.typing import Typing
from protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.state_manager import decode_variant
from riverboat.rpc.convert.tables import encode_action
from riverboat.rules.betting import CALL, FOLD

_Answer = TypeVar("_Answer")
_CALL_SECONDS = 10
_PATIENCE_SECONDS = 60  # for a server that is gone
_TOO_QUICK_SECONDS = 0.25  # a second press of a key was not meant for what it has led to


@dataclass(frozen=True, slots=True)
class Place:
    """A chair at a table that is ours."""

    link: GameLink
    info: pb.TableInfo
    chair: int
    token: str
    hand_limit: int | None  # hands to play, or None for as many as there are


class Session:
    """One sitting, from joining to leaving."""

    def __init__(self, place: Place, face: Face, inbox: Inbox, adviser: Adviser, typing: Typing) -> None:
        self._place, self._face, self._inbox, self._adviser, self._typing = place, face, inbox, adviser, typing
        variant = decode_variant(place.info.config.variant)
        self._narrator: Callable[[], Narrator] = lambda: Narrator(variant, self._names)
        self.ledger = Ledger(place.chair, variant.big_blind)
        self._names: dict[int, str] = {}  # of the hand's chairs
        self._view: pb.View | None = None
        self._told = -1  # the number of the last event that was told
        self._pending: pb.Decision | None = None  # sent, and not seen to be done
        self._turn_since = 0.0
        self._lost_since: float | None = None
        self._leaving = self._over = self._asking = False

    def run(self) -> None:
        """Play until the player leaves or the table ends."""
        stop = follow_views(self._place.link, self._place.token, self._inbox)
        try:
            while not self._over:
                try:
                    self._take(self._inbox.get(timeout=1))
                except Empty:
                    self._face.tick()
                self._obey()
                self._check_patience()
        finally:
            stop.set()
            self._leave_quietly()
        self._catch_up(None)

    def _take(self, message: Message) -> None:
        match message:
            case Seen():
                self._see(message.view)
            case Lost():
                if self._lost_since is None:
                    self._lost_since = time.monotonic()
                    self._face.say("the connection is lost; trying again")
            case Ended():
                self._over = True
                if message.error and not self._leaving:
                    raise game_refusal(message.error, self._place.link.address, {})
            case Typed():
                self._typing.take(message.text)
                self._face.typing(self._typing.unfinished)
            case Advice():
                self._asking = False
                self._face.say(message.text)

    def _check_patience(self) -> None:
        if self._lost_since is not None and time.monotonic() > self._lost_since + _PATIENCE_SECONDS:
            raise Refused(f"the game manager at {self._place.link.address} does not answer any more")

    # What is seen

    def _see(self, view: pb.View) -> None:
        if self._lost_since is not None:
            self._lost_since = None
            self._face.say("the connection is back")
        is_new_hand = self._view is None or self._view.hand_number != view.hand_number
        is_new_place = self._view is None or _place_of(self._view) != _place_of(view)
        if is_new_hand:
            self._catch_up(view)
            self._names = dict(scene_of_view(view).names)
            self._typing.unfinished = ""
            self._face.typing("")
        self._view = view
        self.ledger.note(view.events)
        self._tell(list(view.events))
        if is_new_place:
            self._turn_since = time.monotonic()
        if self._pending and (self._pending.hand_number, self._pending.action_number) != _place_of(view):
            self._pending = None
        self._face.show(scene_of_view(view, self._names))
        if self._pending:
            self._send(self._pending)
        self._look_around(view)

    def _tell(self, events: list[pb.TableEvent]) -> None:
        told = [one for one in self._narrator().tell(events) if one.number > self._told]
        if events:
            self._told = max(self._told, events[-1].number)
        self._face.tell(told)

    def _catch_up(self, view: pb.View | None) -> None:
        """Tell how hands ended whose end we did not see: others were quicker, or we had left by then."""
        if self._view is None or not self._view.hand_number:
            return
        last = self._view.hand_number
        until = view.hand_number if view else last + 1
        if until <= last or (view is None and last in self.ledger.results):
            return
        try:
            for hand in hands_of(self._place.link, self._place.info.table_id, last, until):
                self.ledger.note(hand.events)
                self._tell(list(hand.events))
        except grpc.RpcError:
            self._face.say("how the last hand ended could not be found out")

    def _look_around(self, view: pb.View) -> None:
        """Leave when it is time."""
        limit = self._place.hand_limit
        if limit and len(self.ledger.begun) >= limit:
            self._leave()
        over = view.state.actor < 0 if view.HasField("state") else False
        if not over or self._leaving:
            return
        mine = next((chair for chair in view.chairs if chair.chair == view.chair), None)
        others = [chair for chair in view.chairs if chair.chair != view.chair and chair.stack]
        if mine is not None and not mine.stack:
            self._idle(f"you have no chips left: b buys {chips_text(self._place.info.config.buy_in)}, q leaves")
        elif not others:
            self._idle("nobody else has chips: q leaves")

    def _idle(self, text: str) -> None:
        self._face.say(text)
        if not self._typing.by_keys:  # a script would wait for ever
            self._leave()

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
            if self._can_act():
                self._give_up_hand()

    def _can_act(self) -> bool:
        ready = self._view is not None and self._view.is_your_turn
        return ready and self._pending is None and not self._asking

    def _do(self, order: str) -> None:
        match order:
            case "":
                return
            case "q" | "quit" | "leave":
                self._quit()
            case "?" | "help":
                self._face.say("\n".join(HELP))
            case "h" | "hint":
                self._ask()
            case "b" | "buy":
                self._rebuy()
            case _:
                self._act(order)

    def _ask(self) -> None:
        if self._view is None or not self._view.holding or self._view.state.actor < 0:
            self._face.say("you hold no cards in a hand that is being played")
            return
        self._face.say("asking the oracle…")
        self._asking = not self._typing.by_keys  # a script waits for the answer
        self._adviser.ask(self._view)

    def _act(self, order: str) -> None:
        if self._view is None or not self._can_act():
            self._face.say("it is not your turn")
            return
        if self._typing.by_keys and time.monotonic() < self._turn_since + _TOO_QUICK_SECONDS:
            self._face.say("the table has just changed: look again")
            return
        try:
            self._decide(read_order(order, self._view))
        except NotAnOrder as error:
            self._face.say(str(error))

    def _decide(self, action: int) -> None:
        if self._view is None:
            return
        hand, number = _place_of(self._view)
        self._pending = pb.Decision(
            request_id=uuid.uuid4().hex, hand_number=hand, action_number=number, action=encode_action(action)
        )
        self._send(self._pending)

    def _send(self, decision: pb.Decision) -> None:
        request = pb.TakeActionRequest(token=self._place.token, decision=decision)
        try:
            self._place.link.tables.TakeAction(request, timeout=_CALL_SECONDS)
        except grpc.RpcError as error:
            if error.code() in LOST:  # it is sent again with the next view, if it is still wanted
                return
            self._pending = None
            self._face.say(plain(error.details() or error.code().name))

    def _give_up_hand(self) -> None:
        if self._view is not None:
            self._decide(FOLD if self._view.legal.to_call else CALL)

    def _rebuy(self) -> None:
        view = self._view
        mine = [chair.stack for chair in view.chairs if chair.chair == view.chair] if view else []
        chips = self._place.info.config.buy_in - sum(mine)
        self._try(lambda: self._place.link.tables.Rebuy(pb.RebuyRequest(token=self._place.token, chips=chips)))

    def _quit(self) -> None:
        if self._leaving:
            self._over = True
            if self._can_act():
                self._give_up_hand()
            return
        self._leave()
        if not self._over:
            self._face.say("you leave after this hand; q again leaves at once")

    def _leave(self) -> None:
        if self._leaving or self._lost_since is not None:  # it is tried again when the server is back
            return
        request = pb.LeaveTableRequest(token=self._place.token)
        answer = self._try(lambda: self._place.link.tables.LeaveTable(request, timeout=_CALL_SECONDS))
        self._leaving = answer is not None
        self._over = self._over or (answer is not None and answer.at_once)

    def _try(self, call: Callable[[], _Answer]) -> _Answer | None:
        try:
            return call()
        except grpc.RpcError as error:
            self._face.say(plain(error.details() or error.code().name))
            return None

    def _leave_quietly(self) -> None:
        """Free the chair also when something goes wrong; if the server is gone there is nobody to tell."""
        if not self._leaving:
            try:
                self._place.link.tables.LeaveTable(pb.LeaveTableRequest(token=self._place.token), timeout=2)
            except (grpc.RpcError, ValueError):
                return


def _place_of(view: pb.View) -> tuple[int, int]:
    return view.hand_number, view.action_number
