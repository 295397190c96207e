"""Bots that dial in.

This package has all that a bot needs: the base class, the view, the names of actions, and marks for actions that were
not decided as intended.
"""

from riverboat.arena.bot import Bot
from riverboat.marks import fallback, partial
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View

__all__ = ["CALL", "FOLD", "Bot", "View", "fallback", "partial"]
