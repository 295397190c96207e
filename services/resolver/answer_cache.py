"""A cache of answers by question: while a hand is played, the same questions come again and again."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")


class AnswerCache:
    """The latest answers by question, up to a number of bytes."""

    def __init__(self, limit: int) -> None:
        self._limit, self._size = limit, 0
        self._answers: OrderedDict[bytes, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def find(self, key: bytes) -> Any | None:
        """Return the answer to a question, or None."""
        with self._lock:
            if key not in self._answers:
                return None
            self._answers.move_to_end(key)
            return self._answers[key][0]

    def keep(self, key: bytes, answer: Any, size: int) -> None:
        """Keep an answer of `size` bytes; the oldest answers make room."""
        with self._lock:
            if key not in self._answers:
                self._answers[key] = (answer, size + len(key))
                self._size += size + len(key)
            while self._size > self._limit and self._answers:
                self._size -= self._answers.popitem(last=False)[1][1]

    def get(self, key: bytes, ask: Callable[[], T], size_of: Callable[[T], int]) -> T:
        """Return the kept answer, or else that of `ask`, which two simultaneous callers both call."""
        known: T | None = self.find(key)
        if known is not None:
            return known
        answer = ask()
        self.keep(key, answer, size_of(answer))
        return answer
