"""Agents that the compiled tournament loop can play: static ones and evolved nets."""

from riverboat.clients.bots.evolved_nets.shelf import BEST, shelved_net
from riverboat.errors import InvalidInput
from riverboat.tables.agent_names import split_agent_name
from riverboat.tournaments.field import STATIC_POLICIES, Policy

EVOLVED = "evolved"


def compiled_policy(name: str) -> Policy:
    """Return the compiled form of an agent; InvalidInput if it has none."""
    word, parameter = split_agent_name(name)
    if word == EVOLVED and name != f"{EVOLVED}:":
        return shelved_net(parameter or BEST)
    if name not in STATIC_POLICIES:
        raise InvalidInput(
            "agents",
            f"{name[:40]!r} cannot be simulated; these can: {', '.join(STATIC_POLICIES)}, {EVOLVED} and evolved:NET",
        )
    return STATIC_POLICIES[name]
