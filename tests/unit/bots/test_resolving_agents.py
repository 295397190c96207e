"""Agents that ask a resolver: with one, without one, and with one that goes away."""

import logging
import re

import grpc
import numpy as np
import pytest

from clients.bots.agents import resolver as resolver_agent
from clients.bots.agents.hybrid import Hybrid
from clients.bots.agents.registry import AGENTS, find_agent, needs_resolver, plays_alone
from clients.bots.agents.resolver import Resolver
from clients.bots.agents.rollout import Rollout
from clients.bots.host import with_resolver
from clients.bots.resolver_link import shared_resolver
from clients.resolving.link import ResolverLink
from clients.resolving.tracking import Tracker
from riverboat.arena.bot import MakeBot
from riverboat.arena.match import Match, play_match
from riverboat.errors import InvalidInput, NotFound
from riverboat.rules.state import View, start_random
from riverboat.rules.variant import KUHN, LEDUC, Variant, no_limit
from tests.processes import ServiceProcess, free_port

SHORT = no_limit(50, 100, deck="24")


@pytest.fixture
def with_one(resolver_process: ServiceProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    _use(monkeypatch, resolver_process.address)


@pytest.fixture
def without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    _use(monkeypatch, f"127.0.0.1:{free_port()}")
    monkeypatch.setattr(resolver_agent, "_PATIENCE_SECONDS", 0.3)
    monkeypatch.setattr("clients.bots.resolver_link._WAIT_SECONDS", 0.3)


def _use(monkeypatch: pytest.MonkeyPatch, server: str) -> None:
    monkeypatch.setenv("RIVERBOAT_RESOLVER_SERVER", server)
    shared_resolver.cache_clear()


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The streets of all decisions that are re-solved from now on."""
    streets: list[int] = []
    decide = Tracker.decide

    def note(self: Tracker, view: View, holding: int, seed: int) -> int:
        streets.append(view.public.street)
        return decide(self, view, holding, seed)

    monkeypatch.setattr(Tracker, "decide", note)
    return streets


@pytest.mark.usefixtures("with_one")
@pytest.mark.parametrize("variant", [SHORT, LEDUC, KUHN], ids=lambda variant: variant.name)
@pytest.mark.parametrize("name", ["resolver", "resolver:24-turn-96ef5c20", "hybrid", "hybrid:0.5", "hybrid:flop+river"])
def test_they_play(name: str, variant: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    streets = counted(monkeypatch)
    bots = {"it": find_agent(name), "other": AGENTS["random"]}
    result = play_match(Match(variant, [20 * variant.big_blind] * 2, bots, np.random.default_rng(2)), 4)
    assert result.chips.sum() == pytest.approx(0)
    if name == "hybrid" and variant is SHORT:
        assert set(streets) <= {2, 3}
    if name == "resolver":
        assert streets


@pytest.mark.usefixtures("with_one")
def test_more_than_two_players_are_for_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    streets = counted(monkeypatch)
    bots: dict[str, MakeBot] = {"it": Resolver, "hybrid": Hybrid, "other": AGENTS["random"]}
    play_match(Match(SHORT, [2_000] * 3, bots, np.random.default_rng(2)), 3)
    assert streets == []


@pytest.mark.usefixtures("without_one")
def test_without_a_resolver_rollouts_decide_and_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    hand = start_random(SHORT, [2_000, 2_000], np.random.default_rng(1))
    seat = hand.public.actor or 0
    with caplog.at_level(logging.WARNING):
        action = Resolver(np.random.default_rng(3)).act(hand.view(seat))
    hand.public.verify_action(action)
    assert "so rollouts decide" in caplog.text


@pytest.mark.usefixtures("with_one")
def test_a_resolver_that_comes_back_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    resolve = ResolverLink.resolve

    class Gone(grpc.RpcError):
        def code(self) -> grpc.StatusCode:
            return grpc.StatusCode.UNAVAILABLE

    def sometimes(self: ResolverLink, *words: object, **more: object) -> object:
        calls.append(1)
        if len(calls) < 3:
            raise Gone
        return resolve(self, *words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(ResolverLink, "resolve", sometimes)
    monkeypatch.setattr(Rollout, "act", lambda *_: pytest.fail("rollouts were asked"))
    hand = start_random(SHORT, [2_000, 2_000], np.random.default_rng(1))
    hand.public.verify_action(Resolver(np.random.default_rng(3)).act(hand.view(hand.public.actor or 0)))
    assert len(calls) == 3


@pytest.mark.usefixtures("without_one")
def test_a_host_without_a_resolver_offers_what_it_can(caplog: pytest.LogCaptureFixture) -> None:
    assert list(with_resolver({"rollout": Rollout, "resolver": Resolver})) == ["rollout"]
    assert "resolver are not on offer" in caplog.text
    with pytest.raises(NotFound, match="no resolver answers"):
        with_resolver({"resolver": Resolver})


@pytest.mark.usefixtures("with_one")
def test_a_host_with_a_resolver_offers_all() -> None:
    assert list(with_resolver({"rollout": Rollout, "resolver": Resolver})) == ["rollout", "resolver"]


def test_names() -> None:
    assert [name for name in AGENTS if needs_resolver(name)] == ["resolver", "hybrid"]
    assert needs_resolver("hybrid:0.1")
    assert plays_alone("hybrid:0.1") is Rollout
    for name in ("resolver:equity", "resolver:24-turn-96ef5c20", "resolver:24-turn-96ef5c20+24-preflop-688e72a7"):
        assert isinstance(find_agent(name)(np.random.default_rng(0)), Resolver)
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
