"""Values of the agent hosts' contract that only its two ends know."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HostOffer:
    """What a host of agents sends when it connects; see agent_hosts.proto."""

    agents: tuple[str, ...]
    key: str = ""
    tokens: tuple[str, ...] = ()  # of chairs that it plays already
    with_parameter: tuple[str, ...] = ()  # those of `agents` that take one
    forgets: bool = False  # its agents keep nothing from one hand to the next
    process: str = ""


@dataclass(frozen=True, slots=True)
class AgentQuestion:
    """A question to a host: whether it can play an agent of this full name."""

    question_id: str
    agent: str


@dataclass(frozen=True, slots=True)
class AgentVerdict:
    """A host's answer to a question: what is wrong with the name; "" if nothing."""

    question_id: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A chair for an agent to take, and the token for it."""

    agent: str
    table_id: str
    chair: int
    token: str
    match_id: str = ""  # of a duplicate match
    instance: int = 0  # which side of it
