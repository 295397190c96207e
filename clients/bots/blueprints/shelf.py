"""The shelf of blueprints: each a file and a card beside it; the one that fits a game best is the default."""

from functools import cache
from pathlib import Path

from riverboat.blueprint.blueprint import Blueprint
from riverboat.blueprint.card import KIND
from riverboat.blueprint.file_format import read_blueprint
from riverboat.clients.bots.settings import blueprint_folder
from riverboat.clients.bots.shelf_files import ShelfFile, named, nearest, shelved_in, verified_bytes, why_unfit
from riverboat.rules.state import PublicState

FOLDER = Path(__file__).parent
SUFFIX = ".blueprint"


def shelf() -> tuple[ShelfFile, ...]:
    """Return the blueprints that ship, and those in RIVERBOAT_BLUEPRINTS."""
    more = blueprint_folder()
    return (*blueprints_in(FOLDER), *(blueprints_in(Path(more)) if more else ()))


@cache
def blueprints_in(folder: Path) -> tuple[ShelfFile, ...]:
    """Return the blueprints in a folder that have a card, by name; each process reads them once."""
    return shelved_in(folder, (KIND,), (SUFFIX,))


def blueprint_of(shelved: ShelfFile) -> Blueprint:
    """Return the blueprint in a file; each process reads and checks it once."""
    return _read(shelved.path, shelved.hash)


@cache
def _read(path: Path, sha256: str) -> Blueprint:
    return read_blueprint(verified_bytes(path, sha256))


def blueprint_named(name: str) -> ShelfFile:
    """Return the blueprint of this name."""
    return named(name, shelf(), KIND)


def fitting_blueprint(public: PublicState) -> ShelfFile | None:
    """Return the blueprint of a hand's deck whose stack is nearest in proportion; None if no blueprint has the deck."""
    return nearest(public, shelf())


def why_not(shelved: ShelfFile | None, public: PublicState) -> str:
    """Return why a blueprint cannot play a hand; "" if it can."""
    return why_unfit(shelved, public, KIND)
