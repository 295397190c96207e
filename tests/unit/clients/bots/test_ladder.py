"""A small ladder with 24 cards: if an agent becomes weaker, a sign changes."""

import numpy as np

from riverboat.clients.bots.agents.rollout import Rollout
from riverboat.clients.bots.ladder import AIVAT, LadderPlan, play_ladder
from riverboat.rules.state import start_random
from riverboat.rules.variant import no_limit

GAME = no_limit(50, 100, deck="24")
WEAK = ("always-call", "always-raise")


def test_rollout_stays_ahead_of_simple_agents() -> None:
    plan = LadderPlan(agents=("rollout", *WEAK), variant=GAME, stack=10_000, deal_count=60, seed=5, scoring=AIVAT)
    *_, last = play_ladder(plan, None)
    assert last.done == 1
    assert last.seconds_left == 0
    assert last.ladder.ranking[0] == "rollout"
    for opponent in WEAK:
        score = last.ladder.score("rollout", opponent)
        assert score
        assert score.mbb > score.margin, score


def test_rollout_claims_no_exact_strategy_in_holdem() -> None:
    """Rollouts are random, so the declared strategy is approximate, and AIVAT must not use it."""
    rng = np.random.default_rng(1)
    hand = start_random(GAME, [10_000, 10_000], rng)
    assert hand.public.actor is not None
    strategy = Rollout(rng).strategy(hand.view(hand.public.actor))
    assert strategy is None or not strategy.is_exact
