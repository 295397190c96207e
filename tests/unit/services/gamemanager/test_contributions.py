"""Contributions to the shuffle: for whom and how long a table waits, crashes, and secrecy."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from riverboat.errors import IllegalAction, InvalidInput, Stale
from riverboat.rpc.convert.tables import encode_update, encode_view
from riverboat.services.gamemanager import live_table
from riverboat.tables.events import HandStarted, LinedUp, Offered, Voided
from tests.unit.services.gamemanager.contributing_table import SECRETS, Table, table_of
from tests.unit.services.gamemanager.fakes import Memory, until
from tests.unit.services.gamemanager.test_outages import managing


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make tables wait for contributions until a test ends the wait."""
    monkeypatch.setattr(live_table, "_COMMIT_SECONDS", 1e6)
    monkeypatch.setattr(live_table, "_REVEAL_SECONDS", 1e6)


@asynccontextmanager
async def at_table(names: str = "ab", contributes: bool = True, **config: Any) -> AsyncIterator[Table]:
    """Open a new table with these players."""
    journal = Memory()
    async with managing(journal) as manager:
        yield await table_of(manager, journal, names, contributes, **config)


async def test_a_table_without_contributors_waits_for_nobody() -> None:
    async with at_table(contributes=False) as table:
        await until(lambda: table.hand_number)
        (started,) = table.events(HandStarted)
        assert started.secrets == ("", "")
        assert not table.events(LinedUp)


async def test_a_hand_starts_when_all_have_revealed() -> None:
    async with at_table() as table:
        await table.commit("a")
        assert not table.lineup
        await table.commit("b")
        await until(lambda: table.lineup)
        await table.reveal("b")
        assert not table.events(HandStarted)
        await table.reveal("a")
        (started,) = table.events(HandStarted)
        assert sorted(started.secrets) == [SECRETS["a"], SECRETS["b"]]


async def test_who_does_not_commit_is_dealt_in_without_a_contribution_and_not_waited_for_again() -> None:
    async with at_table() as table:
        await table.commit("a")
        await table.end_commitments()
        assert sorted(bool(one) for one in table.lineup.commitments) == [False, True]
        await table.reveal("a")
        assert table.hand_number == 1
        players = table.live.table.players
        assert [player.contributes for player in players if player] == [True, False]


async def test_who_does_not_reveal_voids_the_attempt_once() -> None:
    async with at_table() as table:
        await table.line_up("ab")
        first = table.view("a").coming
        assert first
        with pytest.raises(InvalidInput, match="not the one that was committed to"):
            await table.send("b", secret=SECRETS["c"])
        await table.end_secrets()
        assert [voided.chairs for voided in table.events(Voided)] == [(0, 1)]
        await until(lambda: table.hand_number)
        assert [(offer.hand_number, offer.attempt) for offer in table.events(Offered)[:2]] == [(1, 1), (1, 2)]
        again = table.live.table
        assert all(player.is_barred for player in again.players if player)
        with pytest.raises(IllegalAction, match="may not contribute"):
            await table.commit("a")
        assert again.log.since(0)[-1].attempt == 2  # type: ignore[union-attr]  # a HandBegan
        assert first.commitment != again.log.since(0)[-1].commitment  # type: ignore[union-attr]


@pytest.mark.parametrize("is_silent", [True, False])
async def test_a_house_seat_that_gets_up_takes_no_contribution_away(is_silent: bool) -> None:
    """A player in the lineup is dealt in even after leaving, because the chairs decide who gets which cards."""
    async with at_table("abc", players_to_start=3) as table:
        for name in "ac" if is_silent else "abc":
            await table.commit(name)
        if is_silent:
            await table.end_commitments()
        await until(lambda: table.lineup)
        if not is_silent:
            await table.reveal("b")
        assert not await table.manager.leave(table.tokens["b"])
        assert not await table.manager.leave(table.tokens["b"])
        assert not table.events(Voided)
        for name in "ac":
            await table.reveal(name)
        (started,) = table.events(HandStarted)
        expected = {0: SECRETS["a"], 1: "" if is_silent else SECRETS["b"], 2: SECRETS["c"]}
        assert dict(zip(started.chairs, started.secrets, strict=True)) == expected
        await table.play_on("ac")
        await until(lambda: table.live.table.players[1] is None)
        assert all(coming.may_contribute for name in "ac" if (coming := table.view(name).coming))


async def test_who_gets_up_without_revealing_bars_nobody_who_has() -> None:
    async with at_table("abc", players_to_start=3) as table:
        await table.line_up("abc")
        assert not await table.manager.leave(table.tokens["b"])
        for name in "ac":
            await table.reveal(name)
        await table.end_secrets()
        assert [voided.chairs for voided in table.events(Voided)] == [(1,)]
        assert table.live.table.players[1] is None, "the player gets up when the lineup is gone"
        assert all(coming.may_contribute for name in "ac" if (coming := table.view(name).coming))
        _, table.tokens["b"] = await table.manager.join(table.id, "b", None, "x" * 16, True)
        coming = table.view("b").coming
        assert coming
        assert not coming.may_contribute, "a player a player who sits down again cannot void the next attempt as well"


async def test_a_table_that_closes_after_the_lineup_lets_everybody_go() -> None:
    async with at_table() as table:
        await table.line_up("ab")
        await table.manager.leave(table.tokens["a"])
        assert await table.live.end()
        assert await table.manager.leave(table.tokens["b"])


async def test_who_comes_after_the_lineup_waits_for_the_next_hand() -> None:
    async with at_table() as table:
        await table.line_up("ab")
        await table.sit("c", True)
        with pytest.raises(Stale, match="too late to commit"):
            await table.commit("c")
        for name in "ab":
            await table.reveal(name)
        (started,) = table.events(HandStarted)
        assert set(started.chairs) == {0, 1}
        await table.commit("c")  # to the next one


async def test_a_restart_is_no_new_draw(journal: Memory) -> None:
    """Before and after the lineup the pre-decks stay the same; clients resend commitments that nobody has seen."""
    async with managing(journal) as manager:
        table = await table_of(manager, journal, "ab")
        await table.commit("a")
        offered = table.view("a").coming
        tokens = table.tokens
    async with managing(journal) as manager:
        table = Table(manager, journal, table.id, tokens)
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
        table = Table(manager, journal, table.id, tokens)
        coming = table.view("a").coming
        assert coming
        assert (coming.commitment, coming.lineup) == (offered.commitment, lineup)
        for name in "ab":
            await table.reveal(name)
        assert table.hand_number == 1
    assert len(table.events(HandStarted)) == 1
    async with managing(journal) as manager:
        entry: Any = Table(manager, journal, table.id).live.table.log.since(0)[-1]
        assert (entry.commitment, entry.attempt) == (offered.commitment, 1)


async def test_bad_contributions_are_refused_and_change_nothing() -> None:
    async with at_table() as table:
        before = len(table.journal.changes)
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
        await table.commit("a")  # replaces the other commitment, which nobody has seen
        await table.commit("b")
        await until(lambda: table.lineup)
        await table.reveal("b")
        await table.reveal("b")
        with pytest.raises(Stale, match="too late to commit"):
            await table.commit("b")
        assert len(table.journal.changes) == before + 1, "only the lineup is journaled"
        await table.reveal("a")


async def test_nobody_sees_a_commitment_before_the_lineup_nor_a_secret_before_the_hand() -> None:
    async with at_table() as table:

        async def seen_by_others() -> bytes:
            update = await anext(table.manager.updates(table.id, 0, ""))
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
