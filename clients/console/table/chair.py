"""The player's own chair: its calls to the server, which are repeated if the server was away."""

import uuid

import grpc

from riverboat.clients.console.views.text import plain
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import LOST, reason_of
from riverboat.contracts.tables import Decision
from riverboat.dealing.memory import Contribution
from riverboat.rules.betting import CALL, FOLD
from riverboat.tables.view import TableView

_CALL_SECONDS = 10
_LAST_SECONDS = 2  # for a server that may be gone


class Declined(Exception):
    """The server refused a call; the text says why, in one line."""


class NoAnswer(Declined):
    """The server does not answer; the call may be tried again."""


class Chair:
    """Makes the calls that a chair's token allows."""

    def __init__(self, link: GameManagerClient, token: str) -> None:
        self._link = link
        self._token = token
        self._pending: Decision | None = None  # sent, and not yet seen in a view
        self._arrived = False  # at the server
        self.is_leaving = False
        self._is_free = False

    @property
    def is_deciding(self) -> bool:
        """Whether an action is on its way."""
        return self._pending is not None

    def see(self, view: TableView) -> None:
        """Take a new view: a decision about it that has not arrived is sent again, with the same id."""
        if self._pending and (self._pending.table_id, *self._pending.place) != view.turn_place:
            self._pending = None
        self.try_again()

    def try_again(self) -> None:
        """Send a decision that has not arrived."""
        if self._pending and not self._arrived:
            self._send(self._pending)

    def decide(self, view: TableView, action: int) -> None:
        """Take an action in a view."""
        hand_number, action_number = view.place
        self._pending = Decision(
            request_id=uuid.uuid4().hex,
            hand_number=hand_number,
            action_number=action_number,
            action=action,
            table_id=view.table_id,
        )
        self._arrived = False
        self._send(self._pending)

    def give_up(self, view: TableView) -> None:
        """Check or fold, as the clock would."""
        self.decide(view, FOLD if view.public and view.public.to_call else CALL)

    def _send(self, decision: Decision) -> None:
        try:
            self._link.tables.take_action(token=self._token, decision=decision)
            self._arrived = True
        except grpc.RpcError as error:
            if error.code() in LOST:
                raise Declined("the game manager does not answer: your action will be sent again") from None
            self._pending = None
            raise _declined(error) from None

    def contribute(self, contribution: Contribution) -> None:
        """Contribute to the shuffle of the next hand."""
        try:
            self._link.tables.contribute(token=self._token, contribution=contribution)
        except grpc.RpcError as error:
            raise _declined(error) from None

    def buy(self, chips: int) -> int:
        """Buy chips; return the new stack."""
        try:
            return self._link.tables.rebuy(token=self._token, chips=chips)
        except grpc.RpcError as error:
            raise _declined(error) from None

    def leave(self, seconds: float = _CALL_SECONDS, give_up: bool = False) -> bool:
        """Leave, after the hand unless it is given up; return whether the chair is free now."""
        try:
            self._is_free = self._link.tables.leave(token=self._token, give_up=give_up, timeout=seconds)
        except grpc.RpcError as error:
            raise _declined(error) from None
        self.is_leaving = True
        return self._is_free

    def leave_quietly(self) -> None:
        """Free the chair at once, even after an error; without a server there is nobody to tell."""
        if not self._is_free:
            try:
                self.leave(_LAST_SECONDS, give_up=True)
            except (Declined, ValueError):  # a ValueError is a channel that was closed
                return


def _declined(error: grpc.RpcError) -> Declined:
    if error.code() in LOST:
        return NoAnswer("the game manager does not answer; trying again")
    return Declined(plain(reason_of(error)))
