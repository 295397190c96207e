"""Bots that dial in.

This package has all that a bot needs: the base class, the view, the names of actions, and marks for actions that were
not decided as intended. Each name is loaded on first use, so that looking up an agent's name does not load the rules of
poker.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from riverboat.arena.bot import Bot
    from riverboat.marks import fallback, partial
    from riverboat.rules.betting import CALL, FOLD
    from riverboat.rules.state import View

__all__ = ["CALL", "FOLD", "Bot", "View", "fallback", "partial"]


def __getattr__(name: str) -> Any:
    if name == "Bot":
        return import_module("riverboat.arena.bot").Bot
    if name == "View":
        return import_module("riverboat.rules.state").View
    if name in ("CALL", "FOLD"):
        return getattr(import_module("riverboat.rules.betting"), name)
    if name in ("fallback", "partial"):
        return getattr(import_module("riverboat.marks"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
