"""Comparing columns of hands, whatever the order of their names and games."""

from typing import Any

from riverboat.history.store.columns import COLUMN_NAMES, HandColumns


def rows(columns: HandColumns) -> dict[str, list[Any]]:
    """Return all columns as lists, with names and games instead of places."""
    lists: dict[str, list[Any]] = {name: columns.column(name).tolist() for name in COLUMN_NAMES}
    lists["game"] = [columns.games[place] for place in lists["game"]]
    lists["player"] = [columns.names[place] if place >= 0 else None for place in lists["player"]]
    return lists
