"""Values as TOML text: the standard library reads TOML and does not write it."""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from riverboat.errors import InvalidInput

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_LITERAL = re.compile(r"[^'\x00-\x1f\x7f]*")


def format_entry(key: str, value: Any) -> str:
    """Return one line, "key = value"."""
    return f"{_format_key(key)} = {format_value(value)}"


def format_value(value: Any) -> str:
    """Return a value that tomllib can read as TOML text; tables become inline tables."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _format_text(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Decimal):
        return str(value).lower().replace("infinity", "inf")
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(format_value, value)) + "]"
    if isinstance(value, Mapping):
        entries = ", ".join(format_entry(key, inner) for key, inner in value.items())
        return "{" + entries + "}"
    if hasattr(value, "isoformat"):  # a date or a time of day, which a library without clocks need not import
        return str(value.isoformat())
    raise InvalidInput("", f"TOML has no form for {type(value).__name__}")


def _format_key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _format_quoted(key)


def _format_text(text: str) -> str:
    return f"'{text}'" if _LITERAL.fullmatch(text) else _format_quoted(text)


def _format_quoted(text: str) -> str:
    # JSON's escapes are all TOML's as well; only DEL must be escaped here and not there.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
