"""One chair, played by a bot over Tables.Play until the table closes or the bot loses the chair.

After a lost connection the chair dials again with the same token. It sends a decision again, with the same request id,
if it does not know whether the decision arrived. It contributes to every shuffle and checks every deal.
"""

import asyncio
import secrets
from dataclasses import dataclass

import grpc

from riverboat.clients.bots.bot_runner import BotRunner
from riverboat.clients.bots.event_log import log
from riverboat.clients.bots.fairness import Fairness, FindingLog
from riverboat.clients.bots.threads import in_thread
from riverboat.clients.remote.backoff import PASSING, Backoff
from riverboat.clients.remote.play import PlayClient, PlayStream
from riverboat.clients.remote.refusals import reason_of
from riverboat.contracts.tables import Decision, Refusal, Unreadable
from riverboat.errors import Stale, Unavailable
from riverboat.rpc.status import code_of
from riverboat.tables.view import Status, TableView

_NOT_OURS = (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.PERMISSION_DENIED)
_SEED_BITS = 64
_LIST_EVERY = 16  # hands between lookups of seeds that were still secret when their hands ended
_MOST_LISTED = 1_000

TurnPlace = tuple[str, int, int]  # table, hand number, action number; an entrant of a tournament changes tables


class ChairLost(Exception):
    """The server refused the chair's token from the start."""


@dataclass(slots=True, eq=False)
class _Turn:
    """A question to the bot, which outlives the connection that brought it."""

    place: TurnPlace
    request_id: str
    action: "asyncio.Future[int]"
    is_late: bool = False


class BotChair:
    """A bot in a chair."""

    def __init__(
        self, tables: PlayClient, token: str, runner: BotRunner, name: str, fairness: Fairness | None = None
    ) -> None:
        self._tables = tables
        self._fairness = fairness or Fairness(FindingLog(name))
        self._token, self._runner, self._name = token, runner, name
        self._was_there = False
        self._latest: TableView | None = None  # of this connection
        self._changed = asyncio.Event()
        self._turn: _Turn | None = None  # the last one
        self._answered: TurnPlace | None = None  # by this connection
        self._refusals = Backoff()  # of one decision
        self._looked_up = (0, False)  # when seeds were last looked up, and whether the table was closed

    async def play(self) -> None:
        """Play until the table closes or the chair is lost; raise ChairLost if it never played, BotFailed if strict."""
        backoff = Backoff()
        while not self._is_closed:
            try:
                await self._play_while_connected(backoff)
                if not self._is_closed:  # the chair is lost, or the server stops: the next answer tells which
                    await asyncio.sleep(backoff.next_seconds())
            except grpc.aio.AioRpcError as error:
                if error.code() in _NOT_OURS and self._was_there:
                    log.info("bot_got_up", bot=self._name, reason=reason_of(error))
                    return
                if error.code() not in PASSING:
                    raise ChairLost(reason_of(error)) from None
                if backoff.failed_count == 0:
                    log.warning("connection_lost", bot=self._name, reason=error.code().name)
                await asyncio.sleep(backoff.next_seconds())

    @property
    def _is_closed(self) -> bool:
        return self._latest is not None and self._latest.status is Status.CLOSED

    async def _play_while_connected(self, backoff: Backoff) -> None:
        self._latest = self._answered = None
        self._fairness.witness.reconnect()
        stream = self._tables.play()
        tasks = [asyncio.create_task(work) for work in (self._read(stream, backoff), self._decide(stream))]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            stream.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, stream: PlayStream, backoff: Backoff) -> None:
        """Keep the latest view: a bot that thinks for long answers the newest one, not the one it was asked about."""
        await stream.sit(self._token)
        async for answer in stream:
            if backoff.failed_count:
                log.info("connection_restored", bot=self._name)
                backoff.reset()
            if isinstance(answer, Refusal):
                self._note_refusal(answer)
            elif isinstance(answer, Unreadable):
                self._fairness.see(answer)
            else:
                self._note_view(answer)
                await self._check_deal(stream, answer)

    def _note_view(self, view: TableView) -> None:
        if self._latest is None or self._latest.turn_place != view.turn_place:
            self._refusals.reset()  # somebody has acted
        self._latest, self._was_there = view, True
        self._changed.set()
        turn = self._turn
        if turn and not turn.is_late and not turn.action.done() and turn.place != view.turn_place:
            turn.is_late = True
            log.warning("bot_too_slow", bot=self._name, hand=turn.place[1])

    async def _check_deal(self, stream: PlayStream, view: TableView) -> None:
        """Check the deals in a view, and contribute to the next deal."""
        for contribution in self._fairness.see(view):
            await stream.contribute(contribution)
        for number in self._fairness.witness.missed:  # the hand ended between two views
            await self._look_up(view.table_id, number, 1)
        await self._check_sealed(view)

    async def _check_sealed(self, view: TableView) -> None:
        """Check seeds that were still secret when their hands ended: every few hands, and when the table is closed."""
        sealed = self._fairness.witness.sealed
        now = (view.hand_number // _LIST_EVERY, view.status is Status.CLOSED)
        if not sealed or now == self._looked_up:
            return
        self._looked_up = now
        await self._look_up(view.table_id, min(sealed), min(max(sealed) - min(sealed) + 1, _MOST_LISTED))

    async def _look_up(self, table_id: str, first_hand: int, hand_count: int) -> None:
        """Fetch the records of some hands, and check them."""
        records = await self._tables.list_hands(table_id=table_id, first_hand=first_hand, hand_count=hand_count)
        for record in records:
            self._fairness.see_record(record)

    def _note_refusal(self, refusal: Refusal) -> None:
        # A stale action was only too late, and a decision that is tried again needs to be mentioned only once.
        is_passing = isinstance(refusal.error, Unavailable)
        is_news = not isinstance(refusal.error, Stale) and not (is_passing and self._refusals.failed_count)
        note = log.warning if is_news else log.debug
        note("action_refused", bot=self._name, code=code_of(refusal.error).value[0], reason=refusal.error)
        if is_passing:
            asyncio.get_running_loop().call_later(self._refusals.next_seconds(), self._answer_again)

    def _answer_again(self) -> None:
        self._answered = None
        self._changed.set()

    async def _decide(self, stream: PlayStream) -> None:
        """Answer whenever it is the chair's turn, once per turn; a bot gets one question at a time."""
        while True:
            self._changed.clear()
            view = self._latest
            if view is None or not view.is_your_turn or view.turn_place == self._answered:
                await self._changed.wait()
            elif self._turn is None or (self._turn.place != view.turn_place and self._turn.action.done()):
                self._turn = self._ask(view)
            else:
                await self._answer(stream, self._turn)

    def _ask(self, view: TableView) -> _Turn:
        action = in_thread(lambda: self._runner.act(view.hand_number, view.hand_view(), view.table_id))
        return _Turn(view.turn_place, secrets.token_hex(16), action)

    async def _answer(self, stream: PlayStream, turn: _Turn) -> None:
        """Wait for the bot, and send its action if the turn is still the same."""
        action = await asyncio.shield(turn.action)
        if self._latest is None or self._latest.turn_place != turn.place:
            return
        self._answered = turn.place
        table_id, hand_number, action_number = turn.place
        await stream.decide(
            Decision(
                request_id=turn.request_id,
                hand_number=hand_number,
                action_number=action_number,
                action=action,
                table_id=table_id,
            )
        )


def random_seed() -> int:
    """Return a seed for a chair's bots that nobody can guess."""
    return secrets.randbits(_SEED_BITS)
