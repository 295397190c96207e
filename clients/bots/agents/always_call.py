"""Calls whatever it costs."""

from riverboat.arena.bots import CallBot


class AlwaysCall(CallBot):
    """Checks and calls, whatever happens: what beats it is betting good hands, and never a bluff."""
