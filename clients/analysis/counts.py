"""Counts in words."""


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: "1 hand", "1,200 hands"."""
    return f"{count:,} {noun}{'s' * (count != 1)}"
