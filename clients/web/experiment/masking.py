"""A table as a participant may see it: the agent has no name, and nothing says how it decides."""

from collections.abc import Mapping
from dataclasses import replace

from riverboat.marks import DecisionCounts
from riverboat.tables.config import TableConfig
from riverboat.tables.entries import Entry, HandBegan, HandFinished, PlayerJoined
from riverboat.tables.view import TableView

OPPONENT, YOU = "Opponent", "You"


def masked_view(view: TableView) -> TableView:
    """Return the same view with "Opponent" and "You" for names, and without the agent's marks."""
    names = {chair.name: YOU if chair.chair == view.chair else OPPONENT for chair in view.chairs}
    chairs = tuple(
        replace(chair, name=names[chair.name], is_agent=False, decisions=DecisionCounts()) for chair in view.chairs
    )
    return replace(view, chairs=chairs, entries=[_masked(entry, names) for entry in view.entries])


def _masked(entry: Entry, names: Mapping[str, str]) -> Entry:
    match entry:
        case HandBegan():
            return replace(entry, names=tuple(names.get(name, OPPONENT) for name in entry.names))
        case PlayerJoined():
            return replace(entry, name=names.get(entry.name, OPPONENT))
        case HandFinished():
            return replace(entry, marks=())
    return entry


def masked_config(config: TableConfig) -> TableConfig:
    """Return the same configuration without the agent and its name."""
    return replace(config, name="Heads-up", agents=())
