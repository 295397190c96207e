"""The shelf of opponent models: one file for each number of players, and a card beside it."""

from functools import cache
from pathlib import Path

from riverboat.clients.bots.settings import opponent_model_folder
from riverboat.clients.bots.shelf_files import ShelfFile, shelved_in, verified_bytes
from riverboat.errors import NotFound
from riverboat.opponents.models import OpponentModels, read_models

FOLDER = Path(__file__).parent
NOUN = "opponents"  # the kind on a card
_SUFFIXES = (".opponents",)


@cache
def shelf() -> tuple[ShelfFile, ...]:
    """Return the models in RIVERBOAT_OPPONENT_MODELS, then those that ship."""
    more = opponent_model_folder()
    folders = (*([Path(more)] if more else []), FOLDER)
    return tuple(shelved for folder in folders for shelved in shelved_in(folder, (NOUN,), _SUFFIXES, passes_over=True))


def models_of(shelved: ShelfFile) -> OpponentModels:
    """Return the models in a file; read and checked once in a process."""
    return _read(shelved.path, shelved.hash)


@cache
def _read(path: Path, sha256: str) -> OpponentModels:
    return read_models(verified_bytes(path, sha256))


def nearest_models(player_count: int) -> OpponentModels:
    """Return the models for the nearest number of players; the larger of two that are as near."""
    if not shelf():
        raise NotFound(f"no models of opponents are in {FOLDER}; riverboat train {NOUN} makes some")
    sizes = [(abs(int(each.card["players"]) - player_count), -int(each.card["players"])) for each in shelf()]
    return models_of(shelf()[sizes.index(min(sizes))])
