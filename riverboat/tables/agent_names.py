"""Names of agents: a word, and after a colon a parameter that only the agent's host understands."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from riverboat.errors import InvalidInput

LONGEST_PARAMETER = 60  # characters: two names of networks fit
LONGEST_NAME = 30 + 1 + LONGEST_PARAMETER
_WORD = r"[A-Za-z0-9_-]{1,30}"
_PARAMETER = rf"[A-Za-z0-9._+=-]{{1,{LONGEST_PARAMETER}}}"
_NAME = re.compile(f"{_WORD}(?::{_PARAMETER})?")
_MOST_COPIES = 10_000
_ENTRY = re.compile(r"(?P<name>[^*]+?)(?:\*(?P<count>[0-9]{1,6}))?")


def is_agent_name(text: str) -> bool:
    """Return whether a text can be the name of an agent, with or without a parameter."""
    return _NAME.fullmatch(text) is not None


def split_agent_name(name: str) -> tuple[str, str]:
    """Return the word and the parameter, which is empty if there is none: ("hybrid", "0.5")."""
    word, _, parameter = name.partition(":")
    return word, parameter


def numbered(name: str, count_before: int) -> str:
    """Return the name at a table of an agent that already sits there `count_before` times: "hybrid:0.5 2"."""
    return f"{name} {count_before + 1}" if count_before else name


def entered_agents(texts: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Return agents and how often each enters, from texts like "random" or "always-fold*11"; equal names are added."""
    counts: dict[str, int] = {}
    for text in texts:
        entry = _ENTRY.fullmatch(text.strip())
        count = int(entry["count"] or 1) if entry else 0
        if entry is None or not 1 <= count <= _MOST_COPIES:
            raise InvalidInput(
                "agents",
                f"{text[:40]!r} is not an entry; write a name, like rollout, or always-fold*11 for eleven entries",
            )
        counts[entry["name"]] = counts.get(entry["name"], 0) + count
    return tuple(counts.items())


def names_instead(name: str, known: Iterable[str]) -> str:
    """Return advice for an unknown name: "did you mean rollout? The agents are …"."""
    known = list(known)
    close = get_close_matches(split_agent_name(name)[0].lower(), known, n=1)
    meant = f"did you mean {close[0]}? The agents are" if close else "the agents are"
    return f"{meant} {', '.join(known)}"
