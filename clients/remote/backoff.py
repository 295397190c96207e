"""The waits between attempts to reach a server that may be away for a while."""

import grpc
import numpy as np

# The server does not answer, or is too busy: trying again makes sense. Any other code is an answer.
PASSING = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.INTERNAL,  # a connection that broke in the middle of a message
    grpc.StatusCode.UNKNOWN,
)
_FIRST_SECONDS, _MOST_SECONDS = 0.05, 3.0


class Backoff:
    """The wait before the next attempt: it doubles with each failure, with some randomness."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng()
        self.failed_count = 0

    def reset(self) -> None:
        """Start again with the shortest wait, after a success."""
        self.failed_count = 0

    def next_seconds(self) -> float:
        """Count one more failure, and return how long to wait."""
        longest = min(_MOST_SECONDS, _FIRST_SECONDS * 2**self.failed_count)
        self.failed_count += 1
        return float(longest * self._rng.uniform(0.5, 1.0))
