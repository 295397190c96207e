"""Log lines of bots: the name of an event and its fields.

They go through Python's own logging, under "riverboat.bots", so that a bot's author decides where they end up.
"""

import json
import logging
from collections.abc import Mapping


class EventLog:
    """Writes lines like `bot_seated bot=ann chair=1 table=0a1b2c`."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def debug(self, event: str, **fields: object) -> None:
        """Log an event that matters only while a problem is investigated."""
        self._logger.debug("%s", _Line(event, fields))

    def info(self, event: str, **fields: object) -> None:
        """Log an event of normal operation."""
        self._logger.info("%s", _Line(event, fields))

    def warning(self, event: str, **fields: object) -> None:
        """Log an event that may need attention."""
        self._logger.warning("%s", _Line(event, fields))

    def error(self, event: str, exc_info: BaseException | None = None, **fields: object) -> None:
        """Log a failure, with its traceback if `exc_info` is given."""
        self._logger.error("%s", _Line(event, fields), exc_info=exc_info)


class _Line:
    """An event that becomes text only if a handler writes it."""

    def __init__(self, event: str, fields: Mapping[str, object]) -> None:
        self._event, self._fields = event, fields

    def __str__(self) -> str:
        return " ".join([self._event, *(f"{name}={_text(value)}" for name, value in self._fields.items())])


def _text(value: object) -> str:
    """Return a field's value as text, quoted if it contains spaces, quotes or line ends."""
    text = str(value)
    is_plain = text.isprintable() and not set(text) & set(' "=')
    return text if text and is_plain else json.dumps(text, ensure_ascii=False)


log = EventLog("riverboat.bots")
