"""Agents at tables with restrictions: every action is legal, and hands end."""

import numpy as np
from hypothesis import given, settings

from riverboat.clients.bots.agents.names import needs_resolver
from riverboat.clients.bots.agents.registry import AGENTS
from riverboat.rules.betting import CALL
from riverboat.rules.state import start_random
from tests.unit.arena.bots import MostBot, RandomBot
from tests.unit.rules.hands import restricted_setup, seeds


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_agents_obey_and_hands_end(seed: int) -> None:
    variant, stacks = restricted_setup(seed)
    rng = np.random.default_rng(seed)
    makers = [make for name, make in AGENTS.items() if not needs_resolver(name)]
    bots = [(*makers, RandomBot, MostBot)[int(i)](rng) for i in rng.integers(len(makers) + 2, size=len(stacks))]
    hand, action_count = start_random(variant, stacks, rng), 0
    while not hand.is_over:
        actor = hand.public.actor
        assert actor is not None
        action = bots[actor].act(hand.view(actor))
        hand.public.verify_action(action)
        if action > CALL:
            street = variant.streets[hand.public.street]
            assert not street.raise_cap or hand.public.raise_count < street.raise_cap
            after = hand.public.play(action)
            assert not variant.pot_cap or after.pot <= variant.pot_cap
            assert variant.all_in or after.stacks[actor]
        hand, action_count = hand.play(action), action_count + 1
        assert action_count < 5000
    assert sum(hand.payoffs()) == 0
