"""The laboratory in small: what every agent loses to an opponent that knows it, so that none silently becomes worse.

All of it is computed from fixed seeds. Numbers that were measured once say so: a change to an agent that is meant may
change them, and then the new number must be better or explained.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from riverboat.arena.asked_bot import AskedBot
from riverboat.arena.exploit import exploit
from riverboat.arena.local_best_response import LocalResponse
from riverboat.clients.bots.agents.registry import find_agent
from riverboat.clients.bots.ladder import LadderPlan, play_ladder
from riverboat.clients.bots.response_run import MeasuredAgent, measure
from riverboat.clients.bots.shared_resolver import lend_resolver
from riverboat.clients.remote.channels import open_resolver_channel
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.rules.variant import KUHN, LEDUC, Variant, no_limit
from tests.processes import ServiceProcess


@contextmanager
def lent(process: ServiceProcess) -> Iterator[None]:
    with (
        open_resolver_channel(process.address) as channel,
        lend_resolver(ResolverClient(channel, process.address)),
    ):
        yield


@pytest.mark.parametrize(
    ("agent", "variant", "stack", "most"),
    [
        ("resolver", KUHN, 2, 0.005),
        ("resolver", LEDUC, 13, 0.02),
        ("hybrid", KUHN, 2, 0.005),
        pytest.param("resolver:1000", LEDUC, 13, 0.01, marks=pytest.mark.slow),
    ],
)
def test_re_solving_agents_lose_little_to_a_best_response(
    agent: str, variant: Variant, stack: int, most: float, resolver_process: ServiceProcess
) -> None:
    """In chips a hand, as shipped; always folding loses 1."""
    with lent(resolver_process):
        measured = exploit(variant, stack, AskedBot(agent, find_agent(agent), np.random.default_rng(0)))
    assert measured.chips <= most


@pytest.mark.parametrize(
    ("agent", "chips"),
    [
        ("rollout", 0.4660),
        ("habit:weak-bets", 2.9000),
        ("habit:pot", 1.5667),
        ("habit:minimum", 1.5667),
        ("habit:overbet", 0.8167),
    ],
)
def test_leduc_exploitability_of_quick_agents(agent: str, chips: float) -> None:
    """These values were measured."""
    measured = exploit(LEDUC, 13, AskedBot(agent, find_agent(agent), np.random.default_rng(0)))
    assert measured.chips == pytest.approx(chips, abs=1e-4)


@pytest.mark.parametrize(
    ("agent", "deck", "mbb"),
    [
        ("always-call", "24", 6680.4),
        ("always-raise", "24", 3929.8),
        ("random", "24", 5303.1),
        ("rollout", "24", 833.3),
        ("habit:pot", "24", 1992.6),
        ("always-call", "52", 15020.4),
    ],
)
def test_local_best_response_against_quick_agents(agent: str, deck: str, mbb: float) -> None:
    """In mbb/hand over twelve hands, which say nothing about the agents; but any change to an agent is noticed."""
    *_, last = measure(MeasuredAgent(name=agent, seed=1), LocalResponse(no_limit(50, 100, deck=deck), 10_000), 6)
    assert last.score.mbb[0] == pytest.approx(mbb, abs=1)


def test_local_best_response_wins_little_from_the_resolver(resolver_process: ServiceProcess) -> None:
    """Twelve hands from the turn on, on short stacks: it wins ten big blinds a hand from an agent that always calls."""
    response = LocalResponse(no_limit(50, 100, deck="24"), 1_000, first_street=2)
    won = {}
    with lent(resolver_process):
        for agent in ("resolver:cut", "always-call"):
            *_, last = measure(MeasuredAgent(name=agent, seed=2), response, 6)
            won[agent] = last.score.mbb[0]
    assert won["resolver:cut"] < 1_000
    assert won["always-call"] > won["resolver:cut"] + 1_000


def test_the_resolver_beats_simple_agents_at_leduc(resolver_process: ServiceProcess) -> None:
    """A ladder, scored by AIVAT; every interval is above zero."""
    others = ("always-call", "always-raise", "random")
    plan = LadderPlan(agents=("resolver", *others), variant=LEDUC, stack=200, deal_count=150, seed=1)
    with lent(resolver_process):
        *_, last = play_ladder(plan, None)
    for other in others:
        score = last.ladder.score("resolver", other)
        assert score is not None
        assert score.mbb > score.margin, other
