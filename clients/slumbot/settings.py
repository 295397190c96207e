"""What the Slumbot client takes from the environment."""

import os


def slumbot_password() -> str:
    """Return RIVERBOAT_SLUMBOT_PASSWORD, for --user; "" for none. Command lines are visible to other users."""
    return os.environ.get("RIVERBOAT_SLUMBOT_PASSWORD", "")
