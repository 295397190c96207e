"""Contributions to the shuffle: who is waited for, how long, what a crash keeps, and what nobody may see."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest

from riverboat.dealing.memory import Contribution
from riverboat.dealing.mix import seat_commitment
from riverboat.errors import IllegalAction, InvalidInput, Stale
from riverboat.rpc.convert.tables import encode_update, encode_view
from riverboat.rules.betting import CALL
from riverboat.services.gamemanager import live_table as run
from riverboat.services.gamemanager.manager import Manager
from riverboat.tables.events import HandStarted, LinedUp, Offered, Voided
from riverboat.tables.view import Status, TableView
from tests.unit.services.gamemanager.fakes import Memory, until
from tests.unit.services.gamemanager.test_outages import CONFIG, managing

LONG = replace(CONFIG, clock_ms=60_000, chair_count=3)
SECRETS = {name: f"{i + 1:064x}" for i, name in enumerate("abc")}


class Table:
    """A table with players who contribute when they are told to."""

    def __init__(self, manager: Manager, table_id: str) -> None:
        self.manager, self.id = manager, table_id
        self.tokens: dict[str, str] = {}

    async def sit(self, names: str, contributes: bool) -> None:
        for name in names:
            _, self.tokens[name] = await self.manager.join(self.id, name, None, name * 16, contributes)

    def view(self, name: str) -> TableView:
        return self.manager.view(self.tokens[name])

    async def commit(self, name: str, secret: str = "") -> None:
        coming = self.view(name).coming
        assert coming
        commitment = seat_commitment(coming.commitment, self.view(name).chair, secret or SECRETS[name])
        await self.send(name, commitment=commitment)

    async def reveal(self, name: str) -> None:
        await self.send(name, secret=SECRETS[name])

    async def send(self, name: str, hand_number: int = 0, attempt: int = 0, **kind: str) -> None:
        coming = self.view(name).coming
        assert coming
        offer = coming.offer
        contribution = Contribution(hand_number or offer.hand_number, attempt or offer.attempt, **kind)
        await self.manager.contribute(self.tokens[name], contribution)

    async def end_commitments(self) -> None:
        """The time for commitments is over."""
        at_table = self.manager._run(self.id)
        async with at_table.lock:
            await at_table._line_up()

    async def end_secrets(self) -> None:
        """The time for secrets is over."""
        at_table = self.manager._run(self.id)
        async with at_table.lock:
            await at_table._void_deal()

    async def play_on(self, names: str) -> None:
        """These players call until the hand is over."""
        number = self.hand_number
        while self.manager.info(self.id).status == Status.PLAYING and self.hand_number == number:
            for name in names:
                view = self.view(name)
                if view.is_your_turn:
                    place = (view.hand_number, view.action_number)
                    await self.manager.act(self.tokens[name], f"{name} {place}", *place, CALL)

    @property
    def hand_number(self) -> int:
        return self.manager.info(self.id).hand_count

    @property
    def lineup(self) -> Any:
        deal = self.manager._run(self.id).table.next_deal
        return deal.lineup if deal else None


def events(journal: Memory, kind: type[Any]) -> list[Any]:
    return [event for _, _, changes in journal.changes for event in changes if isinstance(event, kind)]


def run_with(work: Callable[[Memory], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(work(Memory()))


async def table_of(manager: Manager, names: str, contributes: bool = True, **more: Any) -> Table:
    info, _ = await manager.create(replace(LONG, **more), "a client")
    table = Table(manager, info.table_id)
    await table.sit(names, contributes)
    return table


def test_a_table_without_contributors_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_COMMIT_SECONDS", 1e6)
    monkeypatch.setattr(run, "_REVEAL_SECONDS", 1e6)

    async def work(journal: Memory) -> None:
        async with managing(journal) as manager:
            table = await table_of(manager, "ab", contributes=False)
            await until(lambda: table.hand_number)
            (started,) = events(journal, HandStarted)
            assert started.secrets == ("", "")
            assert not events(journal, LinedUp)

    run_with(work)


def test_a_hand_starts_when_all_have_revealed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_COMMIT_SECONDS", 1e6)
    monkeypatch.setattr(run, "_REVEAL_SECONDS", 1e6)

    async def work(journal: Memory) -> None:
        async with managing(journal) as manager:
            table = await table_of(manager, "ab")
            await table.commit("a")
            assert not table.lineup
            await table.commit("b")
            await until(lambda: table.lineup)
            await table.reveal("b")
            assert not events(journal, HandStarted)
            await table.reveal("a")
            (started,) = events(journal, HandStarted)
            assert sorted(started.secrets) == [SECRETS["a"], SECRETS["b"]]

    run_with(work)


def test_who_does_not_commit_is_dealt_in_without_a_contribution_and_not_waited_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run, "_COMMIT_SECONDS", 1e6)
    monkeypatch.setattr(run, "_REVEAL_SECONDS", 1e6)

    async def work(journal: Memory) -> None:
        async with managing(journal) as manager:
            table = await table_of(manager, "ab")
            await table.commit("a")
            await table.end_commitments()
            assert sorted(bool(one) for one in table.lineup.commitments) == [False, True]
            await table.reveal("a")
            assert table.hand_number == 1
            players = manager._run(table.id).table.players
            assert [player.contributes for player in players if player] == [True, False]

    run_with(work)


def test_who_does_not_reveal_voids_the_attempt_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_COMMIT_SECONDS", 1e6)
    monkeypatch.setattr(run, "_REVEAL_SECONDS", 1e6)

    async def work(journal: Memory) -> None:
        async with managing(journal) as manager:
            table = await table_of(manager, "ab")
            for name in "ab":
                await table.commit(name)
            await until(lambda: table.lineup)
            first = table.view("a").coming
            assert first
            with pytest.raises(InvalidInput, match="not the one that was committed to"):
                await table.send("b", secret=SECRETS["c"])
            await table.end_secrets()
            assert [voided.chairs for voided in events(journal, Voided)] == [(0, 1)]
            await until(lambda: table.hand_number)
            assert [(offer.hand_number, offer.attempt) for offer in events(journal, Offered)[:2]] == [(1, 1), (1, 2)]
            again = manager._run(table.id).table
            assert all(player.is_barred for player in again.players if player)
            with pytest.raises(IllegalAction, match="may not contribute"):
                await table.commit("a")
            assert again.log.since(0)[-1].attempt == 2  # type: ignore[union-attr]  # a HandBegan
            assert first.commitment != again.log.since(0)[-1].commitment  # type: ignore[union-attr]

    run_with(work)


@pytest.mark.parametrize("is_silent", [True, False])
def test_a_house_seat_that_gets_up_takes_no_contribution_away(monkeypatch: pytest.MonkeyPatch, is_silent: bool) -> None:
    """The chairs decide who gets which cards: a player in the lineup is dealt in, whatever it wishes."""
    monkeypatch.setattr(run, "_COMMIT_SECONDS", 1e6)
    monkeypatch.setattr(run, "_REVEAL_SECONDS", 1e6)

    async def work(journal: Memory) -> None:
        async with managing(journal) as manager:
            table = await table_of(manager, "abc", players_to_start=3)
            for name in "ac" if is_silent else "abc":
                await table.commit(name)
            if is_silent:
                await table.end_commitments()
            await until(lambda: table.lineup)
            if not is_silent:
                await table.reveal("b")
            assert not await manager.leave(table.tokens["b"])
            assert not await manager.leave(table.tokens["b"])
            assert not events(journal, Voided)
            for name in "ac":
                await table.reveal(name)
            (started,) = events(journal, HandStarted)
            expected = {0: SECRETS["a"], 1: "" if is_silent else SECRETS["b"], 2: SECRETS["c"]}
            assert dict(zip(started.chairs, started.secrets, strict=True)) == expected
            await table.play_on("ac")
            await until(lambda: manager._run(table.id).table.players[1] is None)
            assert all(coming.may_contribute for name in "ac" if (coming := table.view(name).coming))

    run_with(work)


def test_who_gets_up_without_revealing_bars_nobody_who_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_COMMIT_SECONDS", 1e6)
    monkeypatch.setattr(run, "_REVEAL_SECONDS", 1e6)

    async def work(journal: Memory) -> None:
        async with managing(journal) as manager:
            table = await table_of(manager, "abc", players_to_start=3)
            for name in "abc":
                await table.commit(name)
            await until(lambda: table.lineup)
            assert not await manager.leave(table.tokens["b"])
            for name in "ac":
                await table.reveal(name)
            await table.end_secrets()
            assert [voided.chairs for voided in events(journal, Voided)] == [(1,)]
            assert manager._run(table.id).table.players[1] is None, "it gets up when the lineup is gone"
            assert all(coming.may_contribute for name in "ac" if (coming := table.view(name).coming))
            _, table.tokens["b"] = await manager.join(table.id, "b", None, "x" * 16, True)
            coming = table.view("b").coming
            assert coming
            assert not coming.may_contribute, "who sits down again cannot void the next attempt as well"

    run_with(work)


def test_a_table_that_closes_after_the_lineup_lets_everybody_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_COMMIT_SECONDS", 1e6)
    monkeypatch.setattr(run, "_REVEAL_SECONDS", 1e6)

    async def work(journal: Memory) -> None:
        async with managing(journal) as manager:
            table = await table_of(manager, "ab")
            for name in "ab":
                await table.commit(name)
            await until(lambda: table.lineup)
            await manager.leave(table.tokens["a"])
            assert await manager._run(table.id).end()
            assert await manager.leave(table.tokens["b"])

    run_with(work)


def test_who_comes_after_the_lineup_waits_for_the_next_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_COMMIT_SECONDS", 1e6)
    monkeypatch.setattr(run, "_REVEAL_SECONDS", 1e6)

    async def work(journal: Memory) -> None:
        async with managing(journal) as manager:
            table = await table_of(manager, "ab")
            for name in "ab":
                await table.commit(name)
            await until(lambda: table.lineup)
            await table.sit("c", True)
            with pytest.raises(Stale, match="too late to commit"):
                await table.commit("c")
            for name in "ab":
                await table.reveal(name)
            (started,) = events(journal, HandStarted)
            assert set(started.chairs) == {0, 1}
            await table.commit("c")  # to the next one

    run_with(work)


def test_a_restart_is_no_new_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the lineup and after it: the same pre-decks; commitments that nobody has seen are sent again."""
    monkeypatch.setattr(run, "_COMMIT_SECONDS", 1e6)
    monkeypatch.setattr(run, "_REVEAL_SECONDS", 1e6)

    async def work(journal: Memory) -> None:
        async with managing(journal) as manager:
            table = await table_of(manager, "ab")
            await table.commit("a")
            offered = table.view("a").coming
            tokens = table.tokens
        async with managing(journal) as manager:
            table = Table(manager, table.id)
            table.tokens = tokens
            coming = table.view("a").coming
            assert coming
            assert offered
            assert (coming.commitment, coming.own_commitment) == (offered.commitment, "")
            for name in "ab":
                await table.commit(name)
            await until(lambda: table.lineup)
            lineup = table.lineup
            await table.reveal("a")
        async with managing(journal) as manager:
            table = Table(manager, table.id)
            table.tokens = tokens
            coming = table.view("a").coming
            assert coming
            assert (coming.commitment, coming.lineup) == (offered.commitment, lineup)
            for name in "ab":
                await table.reveal(name)
            assert table.hand_number == 1
        assert len(events(journal, HandStarted)) == 1
        async with managing(journal) as manager:
            entry: Any = manager._run(table.id).table.log.since(0)[-1]
            assert (entry.commitment, entry.attempt) == (offered.commitment, 1)

    run_with(work)


def test_bad_contributions_are_refused_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_COMMIT_SECONDS", 1e6)
    monkeypatch.setattr(run, "_REVEAL_SECONDS", 1e6)

    async def work(journal: Memory) -> None:
        async with managing(journal) as manager:
            table = await table_of(manager, "ab")
            before = len(journal.changes)
            for kind, error in (
                ({"commitment": "ab"}, InvalidInput),
                ({"commitment": "AB" * 32}, InvalidInput),
                ({"commitment": "ab" * 1_000_000}, InvalidInput),
                ({"secret": "ab" * 32}, IllegalAction),
            ):
                with pytest.raises(error):
                    await table.send("a", **kind)  # type: ignore[arg-type]
            for place in ({"hand_number": 2}, {"hand_number": -1}, {"attempt": 2}):
                with pytest.raises(Stale, match="the next deal is hand 1, attempt 1"):
                    await table.send("a", **place, commitment="ab" * 32)  # type: ignore[arg-type]
            await table.commit("a", SECRETS["c"])
            await table.commit("a")  # in place of the other, which nobody has seen
            await table.commit("b")
            await until(lambda: table.lineup)
            await table.reveal("b")
            await table.reveal("b")
            with pytest.raises(Stale, match="too late to commit"):
                await table.commit("b")
            assert len(journal.changes) == before + 1, "only the lineup was worth a line"
            await table.reveal("a")

    run_with(work)


def test_nobody_sees_a_commitment_before_the_lineup_nor_a_secret_before_the_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run, "_COMMIT_SECONDS", 1e6)
    monkeypatch.setattr(run, "_REVEAL_SECONDS", 1e6)

    async def work(journal: Memory) -> None:
        async with managing(journal) as manager:
            table = await table_of(manager, "ab")

            async def seen_by_others() -> bytes:
                update = await anext(manager.updates(table.id, 0, ""))
                view = encode_view(table.view("b")).SerializeToString()
                return encode_update(update).SerializeToString() + view

            await table.commit("a")
            own = table.view("a").coming
            assert own
            assert own.own_commitment
            assert own.own_commitment.encode() not in await seen_by_others()
            await table.commit("b")
            await until(lambda: table.lineup)
            assert own.own_commitment.encode() in await seen_by_others()
            await table.reveal("a")
            assert SECRETS["a"].encode() not in await seen_by_others()
            await table.reveal("b")
            assert SECRETS["a"].encode() in await seen_by_others()

    run_with(work)
