"""Notices about agents in games that no value network fits."""

import numpy as np

from riverboat.clients.analysis.coverage import HasNetwork, estimated_words
from riverboat.clients.bots.agents.names import needs_resolver
from riverboat.clients.bots.agents.registry import find_agent
from riverboat.rules.variant import Variant


def network_notice(agent: str, variant: Variant, has_network: HasNetwork) -> str:
    """Return how a re-solving agent estimates where no value network fits a game; "" if it needs no network there."""
    if not needs_resolver(agent):
        return ""
    bot = find_agent(agent)(np.random.default_rng(0))
    words = estimated_words(variant, bot.estimated_streets(variant, has_network))
    return f"{agent}: {words}" if words else ""
