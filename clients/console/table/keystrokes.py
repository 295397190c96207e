"""Keystrokes as orders: letters act at once, amounts end with Enter."""

from collections import deque

_AT_ONCE = set("fchbkqsv?")
SKIP = " "  # shows at once what happened meanwhile
_BACK, _CANCEL, _END_OF_INPUT = ("\x7f", "\b"), "\x1b", "\x04"
_LONGEST = 30


class Typing:
    """Collects orders in the order in which they were typed."""

    def __init__(self, by_keys: bool) -> None:
        self.by_keys = by_keys
        self.unfinished = ""
        self._orders: deque[str] = deque()
        self._is_closed = False

    @property
    def has_ended(self) -> bool:
        """Whether the input has ended and all orders are taken."""
        return self._is_closed and not self._orders

    def next(self) -> str | None:
        """Return the next order, if there is one."""
        return self._orders.popleft() if self._orders else None

    def take(self, text: str | None) -> None:
        """Take a line, or some keys; None at the end of the input."""
        if text is None:
            self._is_closed = True
        elif not self.by_keys:
            self._orders.append(text.lower())
        elif text.startswith(_CANCEL):  # Escape, or a key like an arrow
            self.unfinished = ""
        else:
            for key in text.lower():
                self._key(key)

    def _key(self, key: str) -> None:
        if key in "\r\n":
            if self.unfinished:
                self._orders.append(self.unfinished)
            self.unfinished = ""
        elif key in _BACK:
            self.unfinished = self.unfinished[:-1]
        elif key == _END_OF_INPUT:
            self._orders.append("q")
        elif not self.unfinished and (key in _AT_ONCE or key == SKIP):
            self._orders.append(key)
        elif key.isprintable() and len(self.unfinished) < _LONGEST:
            self.unfinished += key
