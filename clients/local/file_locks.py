"""Locks on files: a process holds one for as long as it lives, so a lock is never stale."""

import fcntl
from typing import IO, Any


def lock(file: IO[Any]) -> bool:
    """Lock a file until every copy of its descriptor is closed; return whether that succeeded."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
