"""Tournaments at a game manager: seats, moves, kills at every change, and a journal that goes away."""

import asyncio
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from riverboat.contracts.tables import Decision
from riverboat.contracts.tournaments import TournamentPlan
from riverboat.errors import IllegalAction, NotFound, NotYours, RiverboatError, Stale, TooLarge, Unavailable
from riverboat.rules.betting import FOLD
from riverboat.services.gamemanager import creation, live_table, live_tournament
from riverboat.tables.events import BlindsSet, Cleared, Created, Joined, Left
from riverboat.tables.table import Table
from riverboat.tables.view import Status, TableView
from riverboat.tournaments.entries import PlayerEliminated, PlayerMoved
from riverboat.tournaments.events import HandCounted
from riverboat.tournaments.tournament import TournamentStatus
from tests.unit.services.gamemanager.fakes import WAIT_SECONDS, Memory, until
from tests.unit.services.gamemanager.floor import (
    act_once,
    check_chips,
    check_result,
    enter,
    play_on,
    running,
    small_structure,
)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (creation, live_table, live_tournament):
        monkeypatch.setattr(module, "_RETRY_SECONDS", 0.02)


async def play_whole(journal: Memory, entrant_count: int = 7, seats: int = 3, seed: int = 5) -> None:
    async with running(journal) as (made, service):
        tournament_id, tokens, _ = await enter(service, entrant_count, seats)
        await play_on(made, tournament_id, tokens, np.random.default_rng(seed))
        check_result(made.tournaments.tournament(tournament_id))


async def test_a_tournament_is_played_to_the_end_at_tables_that_break(journal: Memory) -> None:
    await play_whole(journal)
    events = [event for _, _, events in journal.changes for event in events]
    assert sum(isinstance(event, Created) for event in events) == 3
    assert any(isinstance(event, HandCounted) and event.moved for event in events)
    assert any(isinstance(event, BlindsSet) for event in events)


@pytest.mark.parametrize("part", range(4))
async def test_a_kill_after_any_change_loses_nothing(part: int) -> None:
    """Cut the journal after every change of a tournament in turn, start again, and play on."""
    whole = Memory()
    await play_whole(whole, 5, 2, seed=11)
    kinds = {type(event) for _, _, events in whole.changes for event in events}
    assert {Joined, Left, Cleared, HandCounted} <= kinds
    begun = next(i for i, (_, number, _) in enumerate(whole.changes) if number == 6)  # everybody has entered
    cuts = [cut for cut in range(begun, len(whole.changes) + 1) if cut % 4 == part]
    assert len(cuts) > 5
    for cut in cuts:
        journal = Memory()
        journal.changes = whole.changes[:cut]
        tournament_id = whole.changes[0][0]
        async with running(journal) as (made, _):
            live = made.tournaments.tournament(tournament_id)
            check_chips(live)
            tokens = {name: live.tournament.token_for(f"player {name * 16}") for name in "abcde"}
            ranked = {entrant.name: entrant.rank for entrant in live.tournament.entrants if entrant.rank}
            await play_on(made, tournament_id, tokens, np.random.default_rng(cut))
            check_result(live)
            assert ranked.items() <= {entrant.name: entrant.rank for entrant in live.tournament.entrants}.items()
            out = [news.name for news in live.tournament.news if isinstance(news, PlayerEliminated)]
            assert len(out) == len(set(out)) == 4


async def test_a_journal_that_comes_and_goes_changes_nothing_but_time(journal: Memory) -> None:
    async with running(journal) as (made, service):
        tournament_id, tokens, _ = await enter(service, 6, 3)
        live, rng = made.tournaments.tournament(tournament_id), np.random.default_rng(2)

        async def flicker() -> None:
            while not live.tournament.is_closed:
                journal.is_sly = bool(rng.integers(2))
                journal.is_away = not journal.is_away
                # Irregular, because with one period for this and for retries every retry may meet an absence.
                await asyncio.sleep(rng.uniform(0.002, 0.02))
            journal.is_away = False

        flickering = asyncio.create_task(flicker())
        await play_on(made, tournament_id, tokens, rng)
        await flickering
        check_result(live)
    async with running(journal) as (made, _):
        check_result(made.tournaments.tournament(journal.changes[0][0]))


async def test_a_refused_registration_has_not_happened_after_a_restart(journal: Memory) -> None:
    async with running(journal) as (made, service):
        tournament_id, _, _ = await enter(service, 2, 2)
        plan_id = tournament_id
        other, _, _ = await enter_some(service)
        journal.is_away = journal.is_sly = True
        with pytest.raises(Unavailable):
            await service.register(other, "late", "l" * 16, False)
        journal.is_away = False
        await until(lambda: not made.tournaments.tournament(other).waits_for)
    async with running(journal) as (made, _):
        names = [entrant.name for entrant in made.tournaments.tournament(other).tournament.entrants]
        assert names == ["a"]
        assert made.tournaments.tournament(plan_id)


async def enter_some(service: Any) -> tuple[str, str, str]:
    """Create a tournament for three, and enter one; return its id, the token, and the dealer's token."""
    info, dealer_token = await service.create(TournamentPlan(structure=small_structure(3, 3)), "a client")
    token = await service.register(info.tournament_id, "a", "a" * 16, False)
    return info.tournament_id, token, dealer_token


async def test_one_stream_of_views_follows_a_player_from_table_to_table(journal: Memory) -> None:
    async with running(journal) as (made, service):
        tournament_id, tokens, _ = await enter(service, 7, 3)
        views: dict[str, list[TableView]] = {name: [] for name in tokens}

        async def follow(name: str) -> None:
            async for view in made.views(tokens[name]):
                views[name].append(view)

        following = [asyncio.create_task(follow(name)) for name in tokens]
        await play_on(made, tournament_id, tokens, np.random.default_rng(5))
        await asyncio.wait_for(asyncio.gather(*following), WAIT_SECONDS)  # every stream ends
        live = made.tournaments.tournament(tournament_id)
        moved = {news.name for news in live.tournament.news if isinstance(news, PlayerMoved)}
        assert moved
        for name, seen in views.items():
            assert (len({view.table_id for view in seen}) > 1) == (name in moved)
            for view in seen:  # the chair is the player's own
                assert [chair.name for chair in view.chairs if chair.chair == view.chair] in ([name], [])
        winner = next(entrant.name for entrant in live.tournament.entrants if entrant.rank == 1)
        assert views[winner][-1].status is Status.CLOSED
        loser = next(entrant.name for entrant in live.tournament.entrants if entrant.rank == 7)
        with pytest.raises(NotYours, match="place 7"):
            made.view(tokens[loser])


async def test_a_token_acts_for_its_own_chair_only_and_a_decision_for_its_own_table(journal: Memory) -> None:
    async with running(journal) as (made, service):
        tournament_id, tokens, dealer_token = await enter(service, 3, 3)
        live = made.tournaments.tournament(tournament_id)
        await until(lambda: live.tables.open and live.tables.open[0][1].table.actor is not None)
        table = live.tables.open[0][1].table
        assert table.actor is not None
        actor = table.player(table.actor).name
        other = next(name for name in tokens if name != actor)
        with pytest.raises(IllegalAction, match="turn"):
            await made.act(tokens[other], Decision(request_id="x", hand_number=1, action_number=0, action=0))
        with pytest.raises(Stale, match="table elsewhere"):
            await made.act(
                tokens[actor], Decision(request_id="x", hand_number=1, action_number=0, action=0, table_id="elsewhere")
            )
        for bad in (f"{tournament_id}.00", dealer_token, f"{tournament_id}."):
            with pytest.raises(NotYours):
                made.view(bad)
        with pytest.raises(RiverboatError):  # the tables themselves know no tokens
            made.view(f"{table.id}.{tokens[actor].partition('.')[2]}")
        with pytest.raises(IllegalAction, match="register"):
            await made.join(table.id, "zoe", None, "z" * 16)
        with pytest.raises(IllegalAction, match="no more chips"):
            await made.rebuy(tokens[actor], 100)
        with pytest.raises(IllegalAction, match="cancel the tournament instead"):
            await made.close_table(table.id, dealer_token)
        view = await made.act(
            tokens[actor], Decision(request_id="x", hand_number=1, action_number=0, action=0, table_id=table.id)
        )
        assert view.action_number == 1


async def test_a_player_who_leaves_is_played_for_until_the_chips_are_gone(journal: Memory) -> None:
    async with running(journal) as (made, service):
        tournament_id, tokens, _ = await enter(service, 5, 3)
        live = made.tournaments.tournament(tournament_id)
        await until(lambda: live.tables.open)
        for name in "ab":
            await until(lambda name=name: live.tables.table_of(live.tournament.entrant_of(tokens[name])))  # type: ignore[misc]
            assert not await made.leave(tokens[name])
        others = {name: token for name, token in tokens.items() if name not in "ab"}
        rng = np.random.default_rng(1)
        while not live.tournament.is_closed or live.tables.open:
            for _, place in live.tables.open:
                actor = place.table.actor
                assert actor is None or place.table.player(actor).name in others
            await act_once(made, live, others, rng)
            await asyncio.sleep(0)
        remaining = {entrant.name for entrant in live.tournament.entrants if entrant.rank in (0, 1)}
        if len(remaining) == 1:
            check_result(live)
        else:  # the cards decide: nobody remains who has not left
            assert remaining <= {"a", "b"}
            assert live.tournament.status is TournamentStatus.CANCELLED


async def test_a_tournament_that_everybody_has_left_is_cancelled(journal: Memory) -> None:
    async with running(journal) as (made, service):
        tournament_id, tokens, _ = await enter(service, 3, 3)
        live = made.tournaments.tournament(tournament_id)
        await until(lambda: live.tables.open and live.tables.open[0][1].table.actor is not None)
        for token in tokens.values():
            await made.leave(token)
        await until(lambda: live.tournament.is_closed and not live.tables.open)
        assert live.tournament.status is TournamentStatus.CANCELLED


async def test_a_quick_table_waits_for_a_slow_one(journal: Memory) -> None:
    async with running(journal) as (made, service):
        plan = TournamentPlan(structure=replace(small_structure(4, 2), level_hands=3, starting_chips=1000))
        info, _ = await service.create(plan, "a client")
        tokens = {name: await service.register(info.tournament_id, name, name * 16, False) for name in "abcd"}
        live = made.tournaments.tournament(info.tournament_id)
        await until(lambda: [place.table.is_in_hand for _, place in live.tables.open] == [True, True])
        quick, slow = (place.table for _, place in live.tables.open)

        async def fold_at(table: Table) -> None:
            assert table.hand
            assert table.actor is not None
            token = tokens[table.player(table.actor).name]
            decision = Decision(
                request_id=f"{table.id} {table.hand.number} {table.hand.action_count}",
                hand_number=table.hand.number,
                action_number=table.hand.action_count,
                action=FOLD,
                table_id=table.id,
            )
            await made.act(token, decision)

        for number in (1, 2, 3):
            await until(lambda number=number: quick.is_in_hand and quick.hand_count == number)  # type: ignore[misc]
            await fold_at(quick)
        await until(lambda: live.tournament.hand_counts == [3, 0])
        await until(lambda: not live._wake.is_set())
        assert not quick.can_start
        assert quick.cleared_hand == 2
        await fold_at(slow)
        await until(lambda: quick.is_in_hand)
        assert quick.hand_count == 4


async def test_registration(journal: Memory) -> None:
    async with running(journal) as (made, service):
        tournament_id, token, dealer_token = await enter_some(service)
        assert await service.register(tournament_id, "a", "a" * 16, False) == token
        with pytest.raises(IllegalAction, match="not drawn"):
            made.view(token)
        with pytest.raises(NotFound):
            await service.register("none", "b", "b" * 16, False)
        assert await made.leave(token)
        with pytest.raises(NotYours):
            made.view(token)
        with pytest.raises(NotYours):
            await service.cancel(tournament_id, "x")
        await service.cancel(tournament_id, dealer_token)
        await service.cancel(tournament_id, dealer_token)
        assert made.tournaments.tournament(tournament_id).tournament.status is TournamentStatus.CANCELLED
        with pytest.raises(IllegalAction):
            await service.register(tournament_id, "b", "b" * 16, False)


async def test_a_tournament_that_nobody_enters_is_cancelled(journal: Memory) -> None:
    async with running(journal, idle_seconds=0.05) as (made, service):
        info, _ = await service.create(TournamentPlan(structure=small_structure(3, 3)), "a client")
        live = made.tournaments.tournament(info.tournament_id)
        await until(lambda: live.tournament.is_closed)
        assert live.tournament.status is TournamentStatus.CANCELLED


async def test_tables_that_a_tournament_will_open_count_before_it_begins(journal: Memory) -> None:
    async with running(journal) as (_, service):
        plan = TournamentPlan(structure=small_structure(24, 2))
        _, dealer_token = await service.create(plan, "a client")
        with pytest.raises(TooLarge):
            await service.create(plan, "a client")
        await service.cancel(dealer_token.partition(".")[0], dealer_token)
        await service.create(plan, "a client")


async def test_cancelled_tables_close_after_the_hand_and_a_restart_keeps_it_cancelled(journal: Memory) -> None:
    async with running(journal) as (made, service):
        tournament_id, tokens, dealer_token = await enter(service, 6, 3)
        live = made.tournaments.tournament(tournament_id)
        await until(lambda: all(place.table.actor is not None for _, place in live.tables.open) and live.tables.open)
        await service.cancel(tournament_id, dealer_token)
    async with running(journal) as (made, _):
        live = made.tournaments.tournament(tournament_id)
        await play_on(made, tournament_id, tokens, np.random.default_rng(0))
        assert live.tournament.status is TournamentStatus.CANCELLED
        assert not any(entrant.rank for entrant in live.tournament.entrants)


async def test_a_table_that_the_journal_lost_cancels_the_tournament(journal: Memory) -> None:
    async with running(journal) as (made, service):
        tournament_id, _, _ = await enter(service, 6, 3)
        live = made.tournaments.tournament(tournament_id)
        await until(lambda: [place.table.is_in_hand for _, place in live.tables.open] == [True, True])
    lost = f"{tournament_id}-2"
    journal.changes = [change for change in journal.changes if change[0] != lost or change[1] != 1]
    async with running(journal) as (made, _):
        live = made.tournaments.tournament(tournament_id)
        await until(lambda: live.tournament.is_closed)
        assert live.tournament.status is TournamentStatus.CANCELLED
