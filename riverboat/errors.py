"""The errors Riverboat raises on purpose; `rpc/status.py` maps each to one gRPC code."""

from collections.abc import Iterator
from contextlib import contextmanager


class RiverboatError(Exception):
    """Anything that Riverboat refuses or cannot do, in a sentence for people."""


class InvalidInput(RiverboatError):
    """An argument that makes no sense; `field` is its path in the caller's words."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.field = field
        self.reason = reason

    def inside(self, outer: str) -> "InvalidInput":
        """The same error seen from one level further out: `outer.field`, or `outer[3]` for a list."""
        dot = "." if self.field and not self.field.startswith("[") else ""
        return InvalidInput(f"{outer}{dot}{self.field}", self.reason)


@contextmanager
def in_field(name: str) -> Iterator[None]:
    """Put `name` in front of the field of any InvalidInput raised inside."""
    try:
        yield
    except InvalidInput as error:
        raise error.inside(name) from None


class IllegalAction(RiverboatError):
    """An action that the rules do not allow in this state."""


class Stale(RiverboatError):
    """A request that was overtaken by another: look again, then retry."""


class NotFound(RiverboatError):
    """A name or handle that nothing answers to."""


class NotYours(RiverboatError):
    """A request for something that belongs to somebody else."""


class TooLarge(RiverboatError):
    """A request beyond a stated limit; the message gives the size and the limit."""
