"""The result of one check of an installation."""

from dataclasses import dataclass
from enum import Enum


class Condition(Enum):
    """How well something works."""

    WORKS = "works"
    BETTER = "could be better"
    OPTIONAL = "optional"
    BROKEN = "does not work"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One line: what was checked, its condition, and a remedy."""

    about: str
    condition: Condition
    says: str
    remedy: str = ""
    commands: tuple[str, ...] = ()  # the commands that cannot work because of it


def working(about: str, says: str) -> Diagnosis:
    """Return the diagnosis of something that is as it should be."""
    return Diagnosis(about, Condition.WORKS, says)


def improvable(about: str, says: str, remedy: str) -> Diagnosis:
    """Return the diagnosis of something without which every command works, but slower, uglier or in another way."""
    return Diagnosis(about, Condition.BETTER, says, remedy)


def optional(about: str, says: str, remedy: str, commands: tuple[str, ...]) -> Diagnosis:
    """Return the diagnosis of something that some commands need, but neither playing nor solving."""
    return Diagnosis(about, Condition.OPTIONAL, says, remedy, commands)


def broken(about: str, says: str, remedy: str, commands: tuple[str, ...]) -> Diagnosis:
    """Return the diagnosis of something without which playing or solving cannot work."""
    return Diagnosis(about, Condition.BROKEN, says, remedy, commands)
