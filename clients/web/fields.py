"""Input from browsers, read field by field; an error names the field."""

import json
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request

from riverboat.clients.web.failures import ApiError

LONGEST_TEXT = 200


class Fields:
    """An object that a browser sent."""

    def __init__(self, sent: Any) -> None:
        if not isinstance(sent, dict):
            raise ApiError(400, "an object was expected")
        self._sent: dict[str, Any] = sent

    def text(self, name: str, default: str | None = None, most: int = LONGEST_TEXT) -> str:
        """Return a text of at most `most` characters."""
        given = self._sent.get(name, default)
        if not isinstance(given, str):
            raise ApiError(400, f"{name}: a text is required")
        if len(given) > most:
            raise ApiError(400, f"{name}: at most {most} characters, not {len(given)}")
        return given.strip()

    def whole(self, name: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number within limits."""
        given = self._sent.get(name, default)
        if not isinstance(given, int) or isinstance(given, bool) or not low <= given <= high:
            raise ApiError(400, f"{name}: a whole number from {low:,} to {high:,} is required")
        return given

    def number(self, name: str, low: float, high: float, default: float | None = None) -> float:
        """Return a number within limits."""
        given = self._sent.get(name, default)
        if not isinstance(given, int | float) or isinstance(given, bool) or not low <= given <= high:
            raise ApiError(400, f"{name}: a number from {low:g} to {high:g} is required")
        return float(given)

    def flag(self, name: str, default: bool = False) -> bool:
        """Return true or false."""
        given = self._sent.get(name, default)
        if not isinstance(given, bool):
            raise ApiError(400, f"{name}: true or false is required")
        return given

    def choice(self, name: str, choices: Sequence[str], default: str | None = None) -> str:
        """Return one of some words."""
        given = self._sent.get(name, default)
        if given not in choices:
            raise ApiError(400, f"{name}: one of {', '.join(choices)} is required")
        return str(given)

    def texts(self, name: str, most: int, longest: int = LONGEST_TEXT) -> list[str]:
        """Return a list of at most `most` texts."""
        given = self._sent.get(name, [])
        if not isinstance(given, list) or len(given) > most:
            raise ApiError(400, f"{name}: a list of at most {most} texts is required")
        if not all(isinstance(each, str) and len(each) <= longest for each in given):
            raise ApiError(400, f"{name}: each text must have at most {longest} characters")
        return [each.strip() for each in given]


async def fields_of(request: Request) -> Fields:
    """Return the object in a request's body."""
    return Fields(json.loads(await request.body()))
