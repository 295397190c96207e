"""Actions as people write them."""

import re

from riverboat.errors import InvalidInput
from riverboat.rules.betting import CALL, FOLD

_RAISE = re.compile(r"(?:raise|bet|r|b)?\s*(?:to\s*)?(\d{1,18})")
_WORDS = {"fold": FOLD, "f": FOLD, "call": CALL, "check": CALL, "c": CALL, "k": CALL, "x": CALL}


def parse_action(text: str) -> int:
    """An action from words: "fold", "check", "call", "raise 300", "bet 50", or just the number to raise to."""
    words = " ".join(text.lower().split())
    if words in _WORDS:
        return _WORDS[words]
    match = _RAISE.fullmatch(words)
    if match and int(match[1]) > 0:
        return int(match[1])
    raise InvalidInput("", f"{text[:20]!r} is not an action; write fold, check, call, or raise and how many chips to")


def format_action(action: int) -> str:
    """ "fold", "call" or "raise 300"."""
    return "fold" if action == FOLD else "call" if action == CALL else f"raise {action}"
