"""The connection to Redis that the ledger and the tally share; errors of Redis become the project's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

from riverboat.errors import Unavailable

_PREFIX = "riverboat:trainer:"
RUNS = _PREFIX + "runs"  # the ids of all runs, oldest first
_RETRIES = 3
# Beginnings of the errors of a Redis whose memory or disk is full, or that is a replica.
_CANNOT_WRITE = ("OOM", "MISCONF", "READONLY", "command not allowed when used memory")


def connect(url: str) -> Any:
    """Return a client that tries again for a moment when Redis does not answer."""
    retry = Retry(ExponentialBackoff(cap=1.0, base=0.05), _RETRIES)
    return redis.Redis.from_url(url, retry=retry, decode_responses=True)


def run_key(run_id: str, part: str = "") -> str:
    """Return the key of a run, or of a part of it."""
    return f"{_PREFIX}run:{run_id}" + (f":{part}" if part else "")


@contextmanager
def failures() -> Iterator[None]:
    """Raise Unavailable where Redis does not answer or cannot write."""
    try:
        yield
    except (
        redis.exceptions.ConnectionError,
        redis.exceptions.TimeoutError,
        redis.exceptions.BusyLoadingError,
    ) as error:
        raise Unavailable(f"Redis does not answer: {error}") from None
    except redis.exceptions.ResponseError as error:
        if not str(error).startswith(_CANNOT_WRITE):
            raise
        raise Unavailable(f"Redis cannot write: {error}") from None
