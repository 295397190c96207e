"""Answers that are kept by what was asked: the same is asked for again and again while a hand is being played."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")


class Kept:
    """Answers by question, the latest ones, up to a number of bytes."""

    def __init__(self, limit: int) -> None:
        self._limit, self._size = limit, 0
        self._found: OrderedDict[bytes, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def find(self, key: bytes) -> Any | None:
        """What is kept for a question, if anything is."""
        with self._lock:
            if key not in self._found:
                return None
            self._found.move_to_end(key)
            return self._found[key][0]

    def keep(self, key: bytes, answer: Any, size: int) -> None:
        """Keep an answer of `size` bytes; older ones may have to go."""
        with self._lock:
            if key not in self._found:
                self._found[key] = (answer, size + len(key))
                self._size += size + len(key)
            while self._size > self._limit and self._found:
                self._size -= self._found.popitem(last=False)[1][1]

    def get(self, key: bytes, ask: Callable[[], T], size_of: Callable[[T], int]) -> T:
        """What is kept for a question, or what `ask` says now; two that ask at the same time both do."""
        known: T | None = self.find(key)
        if known is not None:
            return known
        found = ask()
        self.keep(key, found, size_of(found))
        return found
