"""Folds to any bet."""

from riverboat.arena.bots import FoldBot


class AlwaysFold(FoldBot):
    """Checks where that is free, and folds otherwise: it loses only its blinds."""
