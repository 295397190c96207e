"""An action is an integer, with or without the rules: FOLD, CALL, or the chips to raise to."""

FOLD, CALL = -1, 0


def format_action(action: int) -> str:
    """Return an action in words: "fold", "call" or "raise to 300"."""
    return "fold" if action == FOLD else "call" if action == CALL else f"raise to {action}"
