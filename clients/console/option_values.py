"""Values of options as people write them; a refusal names the option."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from riverboat.clients.remote.refusals import FieldNames, Refused
from riverboat.errors import InvalidInput, RiverboatError
from riverboat.rules.bet_sizes import BetSizes, parse_bet_sizes

T = TypeVar("T")
_LONGEST_NUMBER = 16  # characters; more chips than any game allows
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)%")


def read_sizes(option: str, text: str) -> BetSizes:
    """Return sizes of bets and raises, with percentages of the pot or without."""
    return read_option(option, lambda: parse_bet_sizes(_in_pots(text)))


def _in_pots(sizes: str) -> str:
    """Return sizes with percentages of the pot as fractions: 50% is 0.5p."""
    return _PERCENT.sub(lambda match: f"{float(match[1]) / 100:.6g}p", sizes)


def read_blinds(text: str) -> tuple[int, int]:
    """Return the small and the big blind of a --blinds option."""
    parts = text.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() and len(part) < _LONGEST_NUMBER for part in parts):
        raise Refused(f"--blinds: {text[:20]!r} must be two numbers, like 50,100")
    small, big = map(int, parts)
    if small > big:
        raise Refused("--blinds: the big blind must be at least the small blind")
    return small, big


def read_option(option: str, read: Callable[[], T]) -> T:
    """Return the value that `read` returns for an option's text."""
    try:
        return read()
    except RiverboatError as error:
        raise Refused(f"{option}: {str(error).replace('0.5p (of', '50% (of')}") from None


@contextmanager
def fields_named(names: FieldNames) -> Iterator[None]:
    """Refuse invalid fields under their names on the command line."""
    try:
        yield
    except InvalidInput as error:
        raise Refused(str(InvalidInput(names.get(error.field, error.field), error.reason))) from None
