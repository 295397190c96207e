"""Locks on files: held for as long as a process lives, which no stale number in a file can pretend."""

import fcntl
from typing import IO, Any


def lock(file: IO[Any]) -> bool:
    """Whether a file could be locked; it stays so until every copy of its descriptor is closed."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
