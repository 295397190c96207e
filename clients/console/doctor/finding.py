"""What a check comes to."""

from dataclasses import dataclass
from enum import Enum


class Mark(Enum):
    """How something is."""

    WORKS = "works"
    BETTER = "could be better"
    OPTIONAL = "optional"
    BROKEN = "does not work"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, how it is, and how to mend it."""

    about: str
    mark: Mark
    says: str
    mend: str = ""
    commands: tuple[str, ...] = ()  # that cannot work because of it


def works(about: str, says: str) -> Finding:
    """As it should be."""
    return Finding(about, Mark.WORKS, says)


def better(about: str, says: str, mend: str) -> Finding:
    """Everything works, but slower, uglier or in another way."""
    return Finding(about, Mark.BETTER, says, mend)


def optional(about: str, says: str, mend: str, commands: tuple[str, ...]) -> Finding:
    """Some commands cannot work, which nobody needs to play or to solve."""
    return Finding(about, Mark.OPTIONAL, says, mend, commands)


def broken(about: str, says: str, mend: str, commands: tuple[str, ...]) -> Finding:
    """Playing or solving cannot work."""
    return Finding(about, Mark.BROKEN, says, mend, commands)
