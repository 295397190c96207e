"""always-call and always-fold: the arena's own bots, offered as agents."""

from riverboat.arena.bots import CallBot, FoldBot

__all__ = ["CallBot", "FoldBot"]
