"""Cards of blueprints: the facts about a file, and how it was made."""

from dataclasses import asdict
from typing import Any

from riverboat.blueprint.blueprint import LEVELS, Blueprint
from riverboat.blueprint.file_format import game_entries
from riverboat.blueprint.sampling import SelfPlayRecipe

KIND = "blueprint"
_HOUR = 3600


def blueprint_card(
    blueprint: Blueprint, settings: SelfPlayRecipe, seed: int, epochs: int, seconds: float
) -> dict[str, Any]:
    """Return the card of a blueprint, without its hash; results are added after they are measured."""
    game = blueprint.game
    how = asdict(settings)
    how["seed"] = seed
    how["sampling"] = settings.sampling.name.lower()
    how.pop("prune_below")
    return {
        "kind": KIND,
        "game": game_entries(game),
        "nodes": len(game.tree.kind),
        "entries": game.entry_count,
        "levels": LEVELS,
        "self_play": how,
        "epochs": epochs,
        "boards": epochs * settings.boards,
        "hours": round(seconds / _HOUR, 3),
        "results": {},
    }
