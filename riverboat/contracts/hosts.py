"""Values that an agent host and the game manager exchange; see agent_hosts.proto."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HostOffer:
    """The first message of an agent host: its agents and its key."""

    agents: tuple[str, ...]
    key: str = ""
    tokens: tuple[str, ...] = ()  # of the chairs that the host already plays
    with_parameter: tuple[str, ...] = ()  # those of `agents` that take a parameter
    forgets: bool = False  # its agents remember nothing from one hand to the next
    process: str = ""  # name of the process that remembers; "" counts each connection as one


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentQuestion:
    """A question from the game manager: can the host play the agent of this name, parameter included?"""

    question_id: str
    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentVerdict:
    """A host's answer: what is wrong with the agent's parameter, or "" if it can play."""

    question_id: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A chair for an agent to take, and the token to play it with."""

    agent: str
    table_id: str
    chair: int
    token: str
    match_id: str = ""  # the duplicate match; "" at other tables
    instance: int = 0  # the side of that match, from 0
