"""Participants' chairs: a table of two for each, and a record of every hand that is over there."""

import uuid
from typing import Any

import grpc

from riverboat.clients.remote.refusals import LOST
from riverboat.clients.web.experiment.archive import Archive, Participant
from riverboat.clients.web.experiment.masking import masked_config, masked_view
from riverboat.clients.web.experiment.plan import BIG_BLIND, SMALL_BLIND, STACK_BLINDS, ExperimentPlan
from riverboat.clients.web.experiment.scoring import played_hand
from riverboat.clients.web.failures import ApiError
from riverboat.clients.web.gateway import Gateway
from riverboat.clients.web.play.seat_feed import SeatFeed
from riverboat.clients.web.play.table_documents import view_document
from riverboat.clients.web.security.sessions import BrowserSession, HeldSeat
from riverboat.contracts.tables import Unreadable
from riverboat.rules.variant import no_limit
from riverboat.tables.config import Reveal, TableConfig
from riverboat.tables.view import Status, TableView

_CLOCK_MS = 60_000
_PAUSE_MS = 2_500
_PLAYER = "participant"
_AT_A_TIME = 200


class MaskedSeatFeed(SeatFeed):
    """A participant's chair: nothing that is sent names the agent."""

    def document_of(self, view: TableView, config: TableConfig) -> dict[str, Any]:
        """Return the table as the participant may see it."""
        return view_document(masked_view(view), masked_config(config))


class ParticipantSeats:
    """Opens tables for participants and keeps what they play."""

    def __init__(self, gateway: Gateway, archive: Archive, plan: ExperimentPlan) -> None:
        self._gateway, self._archive, self._plan = gateway, archive, plan
        self._tables, self._calls = gateway.links.games.tables, gateway.calls

    async def take(self, session: BrowserSession, participant: Participant) -> None:
        """Seat a participant: at the previous table if it still exists, otherwise at a new one."""
        await self.collect(participant.id)
        participant = self._archive.participant(participant.id)
        left = self._plan.hand_count - participant.hand_count
        if left <= 0:
            raise ApiError(409, "you have played all hands; thank you")
        if not participant.table_id or not await self._is_open(participant):
            table_id, token = await self._open(participant.agent, left)
            self._archive.seat(participant.id, table_id, token)
            participant = self._archive.participant(participant.id)
        session.seats.clear()
        session.sit(HeldSeat(place=participant.table_id, token=participant.token, name=_PLAYER))

    def feed(self, session: BrowserSession) -> SeatFeed:
        """Return the feed of a participant's chair."""
        place = next(iter(session.seats), "")
        return self._gateway.feeds.seat(session, place, MaskedSeatFeed)

    async def _open(self, agent: str, hands: int) -> tuple[str, str]:
        config = TableConfig(
            name="experiment",
            variant=no_limit(SMALL_BLIND, BIG_BLIND),
            chair_count=2,
            buy_in=STACK_BLINDS * BIG_BLIND,
            clock_ms=_CLOCK_MS,
            no_clock=True,
            pause_ms=_PAUSE_MS,
            hand_limit=hands,
            agents=(agent,),
            players_to_start=2,
            reveal=Reveal.SHOWN,
            equal_stacks=True,
        )
        created = await self._calls.short(self._tables.create, config)
        table_id = created.info.table_id
        joined = await self._gateway.play.client.join(table_id=table_id, name=_PLAYER, request_id=uuid.uuid4().hex)
        return table_id, joined.token

    async def _is_open(self, participant: Participant) -> bool:
        try:
            info = await self._calls.short(self._tables.info, participant.table_id)
        except grpc.RpcError as error:
            if error.code() in LOST:
                raise
            return False
        return info.status is not Status.CLOSED and any(chair.name == _PLAYER for chair in info.chairs)

    async def collect(self, participant_id: str) -> Participant:
        """Keep the hands that have ended since the last time; return the participant."""
        return await self._calls.short(self._collect, participant_id)

    def _collect(self, participant_id: str) -> Participant:
        participant = self._archive.participant(participant_id)
        while participant.table_id:
            try:
                records = self._tables.list_hands(
                    table_id=participant.table_id, first_hand=participant.collected + 1, hand_count=_AT_A_TIME
                )
            except grpc.RpcError as error:
                if error.code() in LOST:
                    raise
                break  # the server has forgotten the table
            hands, number = [], participant.hand_count
            for record in records:
                played = None if isinstance(record, Unreadable) else played_hand(record, 0, number + 1)
                if played:
                    number += 1
                    hands.append(played)
            if not records:
                break
            self._archive.add(participant_id, hands, records[-1].hand_number)
            participant = self._archive.participant(participant_id)
        return self._archive.participant(participant_id)

    def tables(self) -> set[str]:
        """Return the tables of all participants."""
        return {participant.table_id for participant in self._archive.participants()} - {""}
