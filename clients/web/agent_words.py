"""The built-in agents in the words of the lobby. An agent that is not here is listed by its name."""

from collections.abc import Mapping
from dataclasses import dataclass

from riverboat.tables.agent_names import split_agent_name


@dataclass(frozen=True, slots=True)
class AgentWords:
    """What an agent does, and at which tables."""

    what: str
    level: int  # 1 a baseline, 2 plays by its cards, 3 learned from play, 4 solves
    players: str = "2 to 10 players"


_UNKNOWN = AgentWords("an agent of somebody's own", 0)
_WORDS: Mapping[str, AgentWords] = {
    "always-call": AgentWords("checks or calls, whatever happens", 1),
    "always-fold": AgentWords("folds to every bet", 1),
    "always-raise": AgentWords("raises the pot whenever it may", 1),
    "random": AgentWords("draws its actions without looking at its cards", 1),
    "habit": AgentWords("bets by a fixed habit that can be found out and exploited", 2),
    "rollout": AgentWords("estimates its share of the pot and plays by the odds", 2),
    "mcts": AgentWords("searches the hand ahead with a model of its opponents", 3),
    "evolved": AgentWords("a network that won its place in thousands of tournaments", 3),
    "blueprint": AgentWords("draws from a strategy that was found by self-play", 3),
    "neural": AgentWords("networks that imitate the blueprint", 3),
    "boosted": AgentWords("boosted trees that imitate the blueprint", 3),
    "oct": AgentWords("four small trees that people can read, searched for as a whole", 3),
    "cart": AgentWords("four small trees that people can read", 3),
    "hybrid": AgentWords("re-solves on some streets and rolls out the others", 4, "2 players; rolls out with more"),
    "resolver": AgentWords("re-solves every decision with both ranges", 4, "2 players; rolls out with more"),
}


def words_of(agent: str) -> AgentWords:
    """Return what the lobby says about an agent, with or without a parameter."""
    return _WORDS.get(split_agent_name(agent)[0], _UNKNOWN)
