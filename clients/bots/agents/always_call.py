"""Calls any bet."""

from riverboat.arena.bots import CallBot


class AlwaysCall(CallBot):
    """Always checks or calls. Value bets beat it; bluffs never do."""
