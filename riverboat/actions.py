"""Actions as integers, for modules that know the rules and for those that do not: FOLD, CALL, or chips to raise to."""

FOLD, CALL = -1, 0


def format_action(action: int) -> str:
    """Return an action in words: "fold", "call" or "raise to 300"."""
    return "fold" if action == FOLD else "call" if action == CALL else f"raise to {action}"


def allows_every_size(*, is_no_limit: bool, pot_cap: int, has_all_in: bool, has_sizes: bool) -> bool:
    """Return whether players may bet any number of chips up to all of them."""
    return is_no_limit and has_all_in and not pot_cap and not has_sizes
