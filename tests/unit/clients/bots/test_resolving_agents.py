"""Agents that ask a resolver: with one, without one, and with one that goes away."""

import asyncio
import logging
import re
from dataclasses import replace
from typing import Any

import grpc
import numpy as np
import pytest

from riverboat.arena.asked_bot import AskedBot
from riverboat.arena.bot import Bot, MakeBot
from riverboat.arena.match import Match, play_match
from riverboat.clients.analysis.tracker import Tracker
from riverboat.clients.bots.agents import solving_agent
from riverboat.clients.bots.agents.hybrid import Hybrid
from riverboat.clients.bots.agents.names import needs_resolver
from riverboat.clients.bots.agents.registry import AGENTS, find_agent, plays_alone
from riverboat.clients.bots.agents.resolver import ResolvingAgent
from riverboat.clients.bots.agents.rollout import Rollout
from riverboat.clients.bots.host import AgentHost, with_resolver
from riverboat.clients.bots.network_notices import network_notice
from riverboat.clients.bots.shared_resolver import resolver_in_environment
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.errors import InvalidInput, NotFound
from riverboat.holdings import holding_index
from riverboat.marks import Mark, mark_of
from riverboat.protos.gamemanager.v1 import matches_pb2, tables_pb2
from riverboat.protos.gamemanager.v1.agent_hosts_pb2 import ListAgentsRequest
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from riverboat.protos.gamemanager.v1.matches_pb2 import WatchMatchRequest
from riverboat.protos.gamemanager.v1.matches_pb2_grpc import MatchesStub
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.resolving.player import ContinualDecision, ContinualPlayer
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rules.state import View, start_random
from riverboat.rules.variant import KUHN, LEDUC, Variant, no_limit
from riverboat.solving.loop import Limits
from tests.processes import ServiceProcess, free_port

SHORT = no_limit(50, 100, deck="24")


@pytest.fixture
def with_one(resolver_process: ServiceProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    _use(monkeypatch, resolver_process.address)
    for name in ("_PATIENCE_SECONDS", "_SECONDS"):  # long enough that a busy machine does not fall back to rollouts
        monkeypatch.setattr(solving_agent, name, 300.0)


@pytest.fixture
def without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    _use(monkeypatch, f"127.0.0.1:{free_port()}")
    monkeypatch.setattr(solving_agent, "_PATIENCE_SECONDS", 0.3)
    monkeypatch.setattr("riverboat.clients.bots.shared_resolver._WAIT_SECONDS", 0.3)


def _use(monkeypatch: pytest.MonkeyPatch, server: str) -> None:
    monkeypatch.setenv("RIVERBOAT_RESOLVER_SERVER", server)
    resolver_in_environment.cache_clear()


def counted(monkeypatch: pytest.MonkeyPatch) -> tuple[list[int], list[int]]:
    """Record the streets of all decisions from now on: re-solved ones, and those by rollouts."""
    resolved: list[int] = []
    rolled: list[int] = []
    decide, read, roll = ContinualPlayer.decide, Tracker.decide, Rollout.act

    def note_decide(self: ContinualPlayer, view: View) -> ContinualDecision:
        decision = decide(self, view)
        resolved.append(view.public.street)
        return decision

    def note_read(self: Tracker, view: View, holding: int, seed: int) -> int:
        action = read(self, view, holding, seed)
        resolved.append(view.public.street)
        return action

    def note_roll(self: Rollout, view: View) -> int:
        rolled.append(view.public.street)
        return roll(self, view)

    monkeypatch.setattr(ContinualPlayer, "decide", note_decide)
    monkeypatch.setattr(Tracker, "decide", note_read)
    monkeypatch.setattr(Rollout, "act", note_roll)
    return resolved, rolled


class Counting(Bot):
    """A bot that plays as another bot does, and counts decisions."""

    decisions = 0

    def __init__(self, bot: Bot) -> None:
        super().__init__(bot.rng)
        self._bot = bot

    def act(self, view: View) -> int:
        """Return the other bot's action."""
        Counting.decisions += 1
        return self._bot.act(view)


# The streets that each re-solves in hold'em, Leduc and Kuhn. Streets are counted from the end: Leduc's second street is
# its river and its first the turn, Kuhn's only one is the river.
RESOLVED = {
    "resolver": ({0, 1, 2, 3}, {0, 1}, {0}),
    "resolver:24-turn-96ef5c20": ({0, 1, 2, 3}, {0, 1}, {0}),
    "resolver:reading": ({0, 1, 2, 3}, {0, 1}, {0}),
    "hybrid": ({2, 3}, {0, 1}, {0}),
    "hybrid:flop+river": ({1, 3}, {1}, {0}),
}


@pytest.mark.usefixtures("with_one")
@pytest.mark.parametrize(("number", "variant"), list(enumerate([SHORT, LEDUC, KUHN])), ids=["24", "leduc", "kuhn"])
@pytest.mark.parametrize("name", RESOLVED)
@pytest.mark.slow
def test_they_re_solve_on_their_streets_and_leave_the_others_to_rollouts(
    name: str, number: int, variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against an opponent who calls everything, so that all streets are played."""
    make, decisions = find_agent(name), Counting.decisions
    resolved, rolled = counted(monkeypatch)
    bots: dict[str, MakeBot] = {"agent": lambda rng: Counting(make(rng)), "caller": AGENTS["always-call"]}
    play_match(Match(variant, [20 * variant.big_blind] * 2, bots, np.random.default_rng(2)), 3)
    expected = RESOLVED[name][number]
    assert set(resolved) == expected
    assert set(rolled) == set(range(len(variant.streets))) - expected
    assert len(resolved) + len(rolled) == Counting.decisions - decisions, "every decision is one of the two"


@pytest.mark.usefixtures("with_one")
def test_a_chance_decides_who_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    make, decisions = find_agent("hybrid:0.5"), Counting.decisions
    resolved, rolled = counted(monkeypatch)
    bots: dict[str, MakeBot] = {"agent": lambda rng: Counting(make(rng)), "caller": AGENTS["always-call"]}
    play_match(Match(KUHN, [20, 20], bots, np.random.default_rng(2)), 20)
    assert len(resolved) + len(rolled) == Counting.decisions - decisions == 40
    assert 8 < len(resolved) < 32, "40 times one half, give or take four standard deviations"


@pytest.mark.usefixtures("with_one")
def test_more_than_two_players_are_for_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    resolved, rolled = counted(monkeypatch)
    bots: dict[str, MakeBot] = {"it": ResolvingAgent, "hybrid": Hybrid, "other": AGENTS["random"]}
    result = play_match(Match(SHORT, [2_000] * 3, bots, np.random.default_rng(2)), 3)
    assert resolved == []
    assert rolled
    made = dict(zip(result.bots, result.decisions, strict=True))
    assert made["it"].decision_count == made["it"].fallback_count > 0
    assert made["hybrid"].decision_count > made["hybrid"].fallback_count > 0, "on the flop it decides by rollouts"
    assert made["other"].fallback_count == 0


def test_the_reason_says_how_many_were_dealt_in() -> None:
    hand = start_random(SHORT, [2_000] * 3, np.random.default_rng(2))
    action = ResolvingAgent(np.random.default_rng(3)).act(hand.view(hand.public.actor or 0))
    assert mark_of(action) == (Mark.FALLBACK, "3 players were dealt in; re-solving is for two")


@pytest.mark.usefixtures("with_one")
def test_a_strategy_that_the_deadline_cut_short_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve = ResolverClient.resolve

    def in_a_hurry(self: ResolverClient, *words: object, **more: object) -> object:
        answer = resolve(self, *words, **more)  # type: ignore[arg-type]
        return replace(answer, cost=replace(answer.cost, is_partial=True, iterations=7))

    hand = start_random(SHORT, [2_000, 2_000], np.random.default_rng(1))
    view = hand.view(hand.public.actor or 0)
    assert mark_of(ResolvingAgent(np.random.default_rng(3)).act(view)) == (Mark.AS_INTENDED, "")
    monkeypatch.setattr(ResolverClient, "resolve", in_a_hurry)
    mark, reason = mark_of(ResolvingAgent(np.random.default_rng(3)).act(view))
    assert mark is Mark.PARTIAL
    assert reason.startswith("the deadline cut re-solving after 7 of ")
    bots: dict[str, MakeBot] = {"it": ResolvingAgent, "other": AGENTS["always-call"]}
    result = play_match(Match(SHORT, [2_000] * 2, bots, np.random.default_rng(2)), 2)
    assert result.decisions[0].partial_count == result.decisions[0].decision_count > 0
    assert result.decisions[1].partial_count == 0


@pytest.mark.usefixtures("with_one")
def test_iterations_and_seconds_are_the_callers_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve, asked = ResolverClient.resolve, []

    def note(self: ResolverClient, *words: Any, **more: Any) -> Any:
        asked.append(words[3])
        return resolve(self, *words, **more)

    monkeypatch.setattr(ResolverClient, "resolve", note)
    hand = start_random(KUHN, [2, 2], np.random.default_rng(1))
    view = hand.view(hand.public.actor or 0)
    for parameter, limits in (("12", Limits(12)), ("0.05s", Limits(100_000, seconds=0.05))):
        find_agent(f"resolver:{parameter}")(np.random.default_rng(3)).act(view)
        assert asked == [limits]
        asked.clear()


@pytest.mark.usefixtures("with_one")
def test_a_clock_limits_every_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve, given = ResolverClient.resolve, []

    def note(self: ResolverClient, *words: Any, timeout: float, **more: Any) -> Any:
        given.append(timeout)
        return resolve(self, *words, timeout=600.0, **more)

    monkeypatch.setattr(ResolverClient, "resolve", note)
    hand = start_random(SHORT, [2_000, 2_000], np.random.default_rng(1))
    view = hand.view(hand.public.actor or 0)
    ResolvingAgent(np.random.default_rng(3)).act(replace(view, seconds_left=10.0))
    assert 0.3 <= given[0] <= 7.0


@pytest.mark.usefixtures("with_one")
@pytest.mark.parametrize("name", ["resolver:reading", "hybrid", "hybrid:0.5"])
def test_they_say_their_strategy(name: str) -> None:
    """In any order, on both of Leduc's streets, and in both seats."""
    ask = AskedBot(name, find_agent(name), np.random.default_rng(0))
    hand = start_random(LEDUC, [13, 13], np.random.default_rng(1))
    for actions in ((0, 0, 4), (), (0, 0), (2,), (0, 0, 4)):
        now = hand
        for action in actions:
            now = now.play(action)
        assert ask(now.view(now.public.actor or 0)).is_exact == (name != "resolver:reading")


@pytest.mark.usefixtures("with_one")
def test_a_reader_says_about_what_it_does() -> None:
    hand = start_random(KUHN, [2, 2], np.random.default_rng(1))
    view = hand.view(hand.public.actor or 0)
    strategy = find_agent("resolver:reading")(np.random.default_rng(0)).strategy(view)
    bets = [find_agent("resolver:reading")(np.random.default_rng(n)).act(view) > 0 for n in range(60)]
    chance = strategy.chances[strategy.actions.index(1), holding_index(KUHN.deck, view.holding)]
    assert np.mean(bets) == pytest.approx(chance, abs=4 * np.sqrt(0.25 / 60))


@pytest.mark.usefixtures("with_one")
def test_the_log_says_once_that_no_network_fits(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(solving_agent, "_told", set())
    monkeypatch.setattr(ResolvingAgent, "_resolve", lambda *_: 0)
    for variant, lines in ((KUHN, 0), (SHORT, 0), (no_limit(50, 100, deck="36"), 1)):
        caplog.clear()
        for seed in range(3):
            hand = start_random(variant, [10_000] * 2, np.random.default_rng(seed))
            ResolvingAgent(np.random.default_rng(3)).act(hand.view(hand.public.actor or 0))
        assert caplog.text.count("network_missing") == lines, variant.name
    assert "no-limit hold'em with 36 cards" in caplog.text
    assert "before the turn it compares holdings as if nobody bet again" in caplog.text


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("resolver", "before the turn"),
        ("resolver:reading", "before the turn"),
        ("resolver:cut+1000", "before the turn"),
        ("hybrid:0.5", "before the turn"),
        ("hybrid:flop+river", "on the flop"),
        ("resolver:equity", ""),
        ("hybrid:0", ""),
        ("hybrid", ""),
        ("rollout", ""),
    ],
)
def test_notices_of_missing_networks(name: str, where: str) -> None:
    notice = network_notice(name, no_limit(50, 100, deck="36"), lambda *_: False)
    assert notice.startswith(f"{name}: no value network fits no-limit hold'em with 36 cards; {where}" if where else "")
    assert bool(notice) == bool(where)


@pytest.mark.usefixtures("without_one")
def test_a_match_in_process_counts_what_rollouts_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving_agent, "_PATIENCE_SECONDS", 0.0)
    asked: list[int] = []
    rollout = Rollout.act

    def count(self: Rollout, view: View) -> int:
        asked.append(view.seat)
        return rollout(self, view)

    monkeypatch.setattr(Rollout, "act", count)
    bots: dict[str, MakeBot] = {"it": ResolvingAgent, "other": AGENTS["always-call"]}
    made = play_match(Match(SHORT, [2_000] * 2, bots, np.random.default_rng(2)), 3).decisions[0]
    assert made.decision_count == made.fallback_count == len(asked) > 0


@pytest.mark.usefixtures("without_one")
async def test_the_result_of_a_match_shows_what_rollouts_decided(
    gamemanager_process: ServiceProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through the contract: a host whose resolver is away, and the counts that everybody sees."""
    monkeypatch.setattr(solving_agent, "_PATIENCE_SECONDS", 0.0)
    agents: dict[str, MakeBot] = {"stranded": ResolvingAgent, "always-call": AGENTS["always-call"]}
    running = asyncio.create_task(AgentHost(gamemanager_process.address, agents, forgets=True).run())
    async with grpc.aio.insecure_channel(gamemanager_process.address) as channel:
        matches: Any = MatchesStub(channel)
        request = matches_pb2.StartMatchRequest(
            variant=encode_variant(SHORT), stack=2_000, agents=list(agents), deal_count=2, duplicate=True
        )
        async with asyncio.timeout(60):
            hosts: Any = AgentHostsStub(channel)
            while "stranded" not in (await hosts.ListAgents(ListAgentsRequest())).agents:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            begun = await matches.StartMatch(request)
            *_, last = [progress async for progress in matches.WatchMatch(WatchMatchRequest(match_id=begun.match_id))]
            tables: Any = TablesStub(channel)
            hands = [
                hand
                for table_id in begun.table_ids
                for hand in (await tables.ListHands(tables_pb2.ListHandsRequest(table_id=table_id))).hands
            ]
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    moves = [hand.names[event.moved.seat] for hand in hands for event in hand.events if event.HasField("moved")]
    marks = [mark for hand in hands for mark in hand.events[-1].hand_ended.marks]
    assert len(hands) == 4
    assert {mark.reason for mark in marks} == {"no answer from the resolver (UNAVAILABLE)"}
    stranded, caller = (score.decisions for score in last.scores)
    assert stranded.fallback_count == stranded.decision_count == moves.count("stranded") == len(marks) > 0
    assert (caller.fallback_count, caller.decision_count) == (0, moves.count("always-call"))


@pytest.mark.usefixtures("without_one")
def test_without_a_resolver_rollouts_decide_and_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    hand = start_random(SHORT, [2_000, 2_000], np.random.default_rng(1))
    seat = hand.public.actor or 0
    with caplog.at_level(logging.WARNING):
        action = ResolvingAgent(np.random.default_rng(3)).act(hand.view(seat))
    hand.public.verify_action(action)
    assert "resolver_unavailable" in caplog.text
    assert mark_of(action) == (Mark.FALLBACK, "no answer from the resolver (UNAVAILABLE)")


@pytest.mark.usefixtures("with_one")
def test_a_resolver_that_comes_back_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    resolve = ResolverClient.resolve

    class Gone(grpc.RpcError):
        def code(self) -> grpc.StatusCode:
            return grpc.StatusCode.UNAVAILABLE

    def sometimes(self: ResolverClient, *words: object, **more: object) -> object:
        calls.append(1)
        if len(calls) < 3:
            raise Gone
        return resolve(self, *words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(ResolverClient, "resolve", sometimes)
    monkeypatch.setattr(Rollout, "act", lambda *_: pytest.fail("rollouts were asked"))
    hand = start_random(SHORT, [2_000, 2_000], np.random.default_rng(1))
    hand.public.verify_action(ResolvingAgent(np.random.default_rng(3)).act(hand.view(hand.public.actor or 0)))
    assert len(calls) == 3


@pytest.mark.usefixtures("without_one")
def test_a_host_without_a_resolver_offers_what_it_can(caplog: pytest.LogCaptureFixture) -> None:
    assert list(with_resolver({"rollout": Rollout, "resolver": ResolvingAgent})) == ["rollout"]
    assert "agents_without_resolver" in caplog.text
    with pytest.raises(NotFound, match="no resolver answers"):
        with_resolver({"resolver": ResolvingAgent})


@pytest.mark.usefixtures("with_one")
def test_a_host_with_a_resolver_offers_all() -> None:
    assert list(with_resolver({"rollout": Rollout, "resolver": ResolvingAgent})) == ["rollout", "resolver"]


def test_names() -> None:
    assert [name for name in AGENTS if needs_resolver(name)] == ["resolver", "hybrid"]
    assert needs_resolver("hybrid:0.1")
    assert plays_alone("hybrid:0.1") is Rollout
    for name in ("resolver:equity", "resolver:24-turn-96ef5c20", "resolver:24-turn-96ef5c20+24-preflop-688e72a7"):
        assert isinstance(find_agent(name)(np.random.default_rng(0)), ResolvingAgent)
        assert needs_resolver(name)
    for wrong in (
        *("hybrid:2", "hybrid:lunch", "hybrid:0.1.2", "hybrid:flop+", "resolver:0.5", "rollout:3", "resolver:24-turn"),
        *("resolver:network", "resolver:24-turn-96ef5c20+", "resolver:24-turn-96EF5C20"),
        "resolver:../24-turn-96ef5c20",
    ):
        with pytest.raises(InvalidInput, match=f"^{re.escape(wrong)}: "):
            find_agent(wrong)
    for unknown in ("hybrid:", "lunch:0.5"):
        with pytest.raises(NotFound):
            find_agent(unknown)
    with pytest.raises(InvalidInput, match="from 0 to 1"):
        Hybrid(np.random.default_rng(0), chance=1.5)
