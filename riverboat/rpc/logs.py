"""Structured logs on standard error: JSON lines, or text for people on a terminal."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, Literal

import structlog

LogFormat = Literal["auto", "json", "text"]
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]

log = structlog.get_logger()
_encode = json.JSONEncoder(default=str).encode


def configure_logs(level: LogLevel, log_format: LogFormat) -> None:
    """Set the level and the format of logs for the whole process."""
    text = log_format == "text" or (log_format == "auto" and sys.stderr.isatty())
    for_people: list[Any] = [
        structlog.processors.TimeStamper("%H:%M:%S"),
        structlog.processors.add_log_level,
        # Plain tracebacks: the default shows local variables, which hold tokens and cards.
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
    structlog.configure(
        processors=for_people if text else [_json_line],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def _json_line(logger: Any, level: str, fields: structlog.typing.EventDict) -> str:
    """Return a log line in one step: a chain of processors takes longer, and every call has a line."""
    if "exc_info" in fields:
        fields = structlog.processors.format_exc_info(logger, level, fields)
    return _encode({"time": datetime.now(UTC).isoformat(), "level": level, **fields})
