"""A chair that is ours: what is done there, and done again if the server was away."""

import uuid

import grpc

from riverboat.clients.console.table.plain_text import plain
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import LOST
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.actions import encode_action
from riverboat.rules.betting import CALL, FOLD

_CALL_SECONDS = 10
_LAST_SECONDS = 2  # for a server that may be gone


class Declined(Exception):
    """What the server did not do, in one line."""


class Lost(Declined):
    """The server does not answer; it is worth trying again."""


class Chair:
    """The calls that a chair's token is for."""

    def __init__(self, link: GameManagerClient, token: str) -> None:
        self._link = link
        self._token = token
        self._pending: pb.Decision | None = None  # made, and not seen to be done
        self._arrived = False  # the decision that is pending
        self.is_leaving = False
        self._is_free = False

    @property
    def is_deciding(self) -> bool:
        """Whether an action is on its way."""
        return self._pending is not None

    def see(self, view: pb.View) -> None:
        """A new view: a decision that is about this place is sent again, with the same id, if it has not arrived."""
        if self._pending and (self._pending.hand_number, self._pending.action_number) != place_of(view):
            self._pending = None
        self.try_again()

    def try_again(self) -> None:
        """Send a decision that has not arrived."""
        if self._pending and not self._arrived:
            self._send(self._pending)

    def decide(self, view: pb.View, action: int) -> None:
        """Act on a view."""
        hand, number = place_of(view)
        self._pending = pb.Decision(
            request_id=uuid.uuid4().hex, hand_number=hand, action_number=number, action=encode_action(action)
        )
        self._arrived = False
        self._send(self._pending)

    def give_up(self, view: pb.View) -> None:
        """Do what the clock would do."""
        self.decide(view, FOLD if view.legal.to_call else CALL)

    def _send(self, decision: pb.Decision) -> None:
        request = pb.TakeActionRequest(token=self._token, decision=decision)
        try:
            self._link.tables.TakeAction(request, timeout=_CALL_SECONDS)
            self._arrived = True
        except grpc.RpcError as error:
            if error.code() in LOST:
                raise Declined("the game manager does not answer: your action is sent again soon") from None
            self._pending = None
            raise _declined(error) from None

    def contribute(self, contribution: pb.Contribution) -> None:
        """Contribute to the shuffle of the next hand."""
        request = pb.ContributeRequest(token=self._token, contribution=contribution)
        try:
            self._link.tables.Contribute(request, timeout=_CALL_SECONDS)
        except grpc.RpcError as error:
            raise _declined(error) from None

    def buy(self, chips: int) -> int:
        """Buy chips; how many there are then."""
        try:
            return self._link.tables.Rebuy(pb.RebuyRequest(token=self._token, chips=chips), timeout=_CALL_SECONDS).stack
        except grpc.RpcError as error:
            raise _declined(error) from None

    def leave(self, seconds: float = _CALL_SECONDS, give_up: bool = False) -> bool:
        """Get up, after the hand if there is one, which may be given up; whether the chair is free now."""
        request = pb.LeaveTableRequest(token=self._token, give_up=give_up)
        try:
            answer = self._link.tables.LeaveTable(request, timeout=seconds)
        except grpc.RpcError as error:
            raise _declined(error) from None
        self.is_leaving = True
        self._is_free = answer.at_once
        return answer.at_once

    def leave_quietly(self) -> None:
        """Free the chair at once also when something went wrong; if the server is gone there is nobody to tell."""
        if not self._is_free:
            try:
                self.leave(_LAST_SECONDS, give_up=True)
            except (Declined, ValueError):  # a ValueError is a channel that was closed
                return


def place_of(view: pb.View) -> tuple[int, int]:
    """Which decision a view is about: the hand's number, and how many actions it has had."""
    return view.hand_number, view.action_number


def _declined(error: grpc.RpcError) -> Declined:
    if error.code() in LOST:
        return Lost("the game manager does not answer; trying again")
    return Declined(plain(error.details() or error.code().name))
