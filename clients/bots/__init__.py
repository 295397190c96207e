"""Bots that dial in. What a bot needs is here: the class to derive from, the view it gets, names of actions, and
marks for actions that were not decided as intended."""

from riverboat.arena.bot import Bot
from riverboat.marks import fallback, partial
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View

__all__ = ["CALL", "FOLD", "Bot", "View", "fallback", "partial"]
