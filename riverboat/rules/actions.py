"""Actions in words."""

from riverboat.rules.betting import CALL, FOLD


def format_action(action: int) -> str:
    """Return an action in words: "fold", "call" or "raise 300"."""
    return "fold" if action == FOLD else "call" if action == CALL else f"raise {action}"
