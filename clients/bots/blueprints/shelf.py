"""The shelf of blueprints: each a file and a card beside it; the one that fits a game best is the default."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path
from typing import Any

from riverboat.blueprint.blueprint import Blueprint
from riverboat.blueprint.card import KIND
from riverboat.blueprint.file_format import read_blueprint
from riverboat.clients.bots.settings import blueprint_folder
from riverboat.errors import InvalidInput, NotFound
from riverboat.rules.state import PublicState
from riverboat.rules.variant import no_limit

FOLDER = Path(__file__).parent
SUFFIX = ".blueprint"
_CARD = ".card.json"
_FURTHEST = 1.6  # a stack may be this many times as deep as the blueprint's, or as shallow
_LONGEST = 60


@dataclass(frozen=True, slots=True, eq=False)
class ShelvedBlueprint:
    """A blueprint on the shelf: its card, and where the file is."""

    name: str
    path: Path
    card: dict[str, Any]

    def blueprint(self) -> Blueprint:
        """Return the blueprint; read and checked once in a process."""
        return _read(self.path, str(self.card["hash"]))

    @property
    def deck(self) -> str:
        """The deck of its game."""
        return str(self.card["game"]["deck"])

    @property
    def blinds(self) -> float:
        """The stack of its game in big blinds of 100."""
        return float(self.card["game"]["stack"]) / 100


def shelf() -> tuple[ShelvedBlueprint, ...]:
    """Return the blueprints that ship, and those in RIVERBOAT_BLUEPRINTS."""
    more = blueprint_folder()
    return (*blueprints_in(FOLDER), *(blueprints_in(Path(more)) if more else ()))


@cache
def blueprints_in(folder: Path) -> tuple[ShelvedBlueprint, ...]:
    """Return the blueprints in a folder that have a card, by name; read once in a process."""
    return tuple(
        ShelvedBlueprint(path.stem, path, _card(path.with_suffix(_CARD)))
        for path in sorted(folder.glob(f"*{SUFFIX}"))
        if path.with_suffix(_CARD).exists()
    )


def _card(path: Path) -> dict[str, Any]:
    """Return a card; InvalidInput if it lacks what a blueprint is chosen by."""
    try:
        card: dict[str, Any] = json.loads(path.read_text())
        if card["kind"] != KIND:
            raise InvalidInput(
                "", f"{path.name} is not the card of a blueprint: its kind is {str(card['kind'])[:30]!r}"
            )
        str(card["hash"]), str(card["game"]["deck"]), float(card["game"]["stack"])
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput("", f"{path.name} is damaged: {error!r}") from None
    return card


@cache
def _read(path: Path, sha256: str) -> Blueprint:
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != sha256:
        raise InvalidInput("", f"{path.name} is damaged: it does not have the hash on its card")
    return read_blueprint(data)


def blueprint_named(name: str, blueprints: Sequence[ShelvedBlueprint] | None = None) -> ShelvedBlueprint:
    """Return the blueprint of this name."""
    known = shelf() if blueprints is None else blueprints
    for shelved in known:
        if shelved.name == name:
            return shelved
    names = ", ".join(shelved.name for shelved in known) or "none"
    raise NotFound(f"no blueprint is called {name[:_LONGEST]!r}; the blueprints are {names}")


def fitting_blueprint(public: PublicState) -> ShelvedBlueprint | None:
    """Return the blueprint of a hand's deck whose stack is nearest in proportion; None if no blueprint has the deck."""
    depth = _depth(public)
    same_deck = [shelved for shelved in shelf() if shelved.deck == public.variant.deck.name]
    return min(same_deck, key=lambda shelved: abs(log(shelved.blinds / depth)), default=None)


def why_not(shelved: ShelvedBlueprint | None, public: PublicState) -> str:
    """Return why a blueprint cannot play a hand; "" if it can."""
    variant = public.variant
    if public.player_count != 2:
        return f"{public.player_count} players were dealt in; a blueprint is for two"
    if shelved is None or shelved.deck != variant.deck.name:
        return f"there is no blueprint for the {variant.deck.name} deck"
    small, big = (*variant.blinds, 0, 0)[:2]
    same = no_limit(small, big, deck=variant.deck.name, name=variant.name) if 0 < 2 * small == big else None
    if variant != same:
        return "a blueprint is for no-limit hold'em with a small blind of half the big blind and no ante"
    depth = _depth(public)
    if not 1 / _FURTHEST <= depth / shelved.blinds <= _FURTHEST:
        return f"the stack is {depth:g} big blinds; the blueprint is for {shelved.blinds:g}"
    return ""


def _depth(public: PublicState) -> float:
    """Return the smaller of the two largest stacks at the start of a hand, in big blinds."""
    stacks = sorted(sum(chips) for chips in zip(public.stacks, public.paid, public.dead, strict=True))
    return stacks[-2] / public.variant.big_blind
