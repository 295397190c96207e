"""The errors Riverboat raises on purpose; `rpc/status.py` maps each to one gRPC code."""


class RiverboatError(Exception):
    """A request that Riverboat refuses or cannot fulfil; the message is a sentence for people."""


class InvalidInput(RiverboatError):
    """An argument with an impossible value; `field` is the argument's path, in the caller's names."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.field = field
        self.reason = reason

    def inside(self, outer: str) -> "InvalidInput":
        """Return the same error one level further out: `outer.field`, or `outer[3]` for a list."""
        dot = "." if self.field and not self.field.startswith("[") else ""
        return InvalidInput(f"{outer}{dot}{self.field}", self.reason)


class in_field:  # noqa: N801  # used like a function, and cheaper than contextlib in every decoder
    """A context that puts `name` in front of the field of any InvalidInput raised inside it."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InvalidInput):
            raise error.inside(self._name) from None


class IllegalAction(RiverboatError):
    """An action that the rules do not allow in this state."""


class Stale(RiverboatError):
    """A request about a state that has changed since; read the new state, then decide whether to retry."""


class NotFound(RiverboatError):
    """A name or handle that does not exist."""


class NotYours(RiverboatError):
    """A request for something that belongs to another client."""


class Unavailable(RiverboatError):
    """A service or resource that does not answer now; nothing was done, so it is safe to retry."""


class TooLarge(RiverboatError):
    """A request beyond a stated limit; the message gives the size and the limit."""
