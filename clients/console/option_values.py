"""Values of options as people write them; a refusal names the option."""

import re
from collections.abc import Callable
from typing import TypeVar

from riverboat.clients.remote.refusals import Refused
from riverboat.errors import RiverboatError
from riverboat.rules.bet_sizes import BetSizes, parse_bet_sizes

T = TypeVar("T")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)%")


def read_sizes(option: str, text: str) -> BetSizes:
    """Return sizes of bets and raises, with percentages of the pot or without."""
    return read_option(option, lambda: parse_bet_sizes(_in_pots(text)))


def _in_pots(sizes: str) -> str:
    """Return sizes with percentages of the pot as fractions: 50% is 0.5p."""
    return _PERCENT.sub(lambda match: f"{float(match[1]) / 100:.6g}p", sizes)


def read_option(option: str, read: Callable[[], T]) -> T:
    """Return what `read` makes of an option's text."""
    try:
        return read()
    except RiverboatError as error:
        raise Refused(f"{option}: {str(error).replace('0.5p (of', '50% (of')}") from None
