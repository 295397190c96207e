"""An experiment as its researcher plans it."""

import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from riverboat.clients.remote.refusals import Refused

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_KEY_BYTES = 12
STACK_BLINDS = 100
SMALL_BLIND, BIG_BLIND = 50, 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentPlan:
    """The agents that participants meet, the number of hands, and the folder for the data."""

    name: str
    agents: tuple[str, ...]
    hand_count: int
    questions_after: int
    folder: Path
    key: str = field(repr=False)  # for the results


def new_plan(name: str, agents: tuple[str, ...], hand_count: int, questions_after: int, folder: Path) -> ExperimentPlan:
    """Return the plan of an experiment; one that has begun keeps its key."""
    if not _NAME.fullmatch(name):
        raise Refused("--experiment: a name has 1 to 40 letters, digits, dashes and underscores")
    if not agents:
        raise Refused("--agents: name at least one agent")
    own = folder / "experiments" / name
    own.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = own / "results.key"
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(secrets.token_urlsafe(_KEY_BYTES))
    return ExperimentPlan(
        name=name,
        agents=agents,
        hand_count=hand_count,
        questions_after=min(questions_after, hand_count),
        folder=own,
        key=file.read_text().strip(),
    )
