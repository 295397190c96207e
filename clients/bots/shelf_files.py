"""Learnt strategies for two players: files with a card beside them, and the choice of one that fits a hand."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

from riverboat.errors import InvalidInput, NotFound
from riverboat.rules.state import PublicState
from riverboat.rules.variant import no_limit

CARD = ".card.json"
_FURTHEST = 1.6  # a stack may be this many times as deep as the strategy's, or as shallow
_LONGEST = 60


@dataclass(frozen=True, slots=True, eq=False)
class ShelfFile:
    """A file on a shelf, and its card."""

    name: str
    path: Path
    card: dict[str, Any]

    @property
    def deck(self) -> str:
        """The deck of its game."""
        return str(self.card["game"]["deck"])

    @property
    def blinds(self) -> float:
        """The stack of its game in big blinds of 100."""
        return float(self.card["game"]["stack"]) / 100

    @property
    def hash(self) -> str:
        """The SHA-256 that the file must have."""
        return str(self.card["hash"])


def verified_bytes(path: Path, sha256: str) -> bytes:
    """Return a file; InvalidInput if it has another hash, and so is not the one that its card describes."""
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != sha256:
        raise InvalidInput("", f"{path.name} is damaged: it does not have the hash on its card")
    return data


def shelved_in(
    folder: Path, kinds: Sequence[str], suffixes: Sequence[str], passes_over: bool = False
) -> tuple[ShelfFile, ...]:
    """Return the files in a folder that have a card of these kinds, by name.

    InvalidInput names a card that is damaged, or of another kind unless those are passed over.
    """
    files = []
    for path in sorted(path for suffix in suffixes for path in folder.glob(f"*{suffix}")):
        beside = path.with_suffix(CARD)
        if path.name.endswith(CARD) or not beside.exists():
            continue
        card = _card(beside, kinds, passes_over)
        if card is not None:
            files.append(ShelfFile(path.stem, path, card))
    return tuple(files)


def _card(path: Path, kinds: Sequence[str], passes_over: bool) -> dict[str, Any] | None:
    """Return a card; InvalidInput if it lacks a field by which strategies are chosen."""
    try:
        card: dict[str, Any] = json.loads(path.read_text())
        if card["kind"] not in kinds:
            if passes_over:
                return None
            raise InvalidInput(
                "", f"{path.name} is not the card of a {kinds[0]}: its kind is {str(card['kind'])[:30]!r}"
            )
        str(card["hash"]), str(card["game"]["deck"]), float(card["game"]["stack"])
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput("", f"{path.name} is damaged: {error!r}") from None
    return card


def named(name: str, known: Sequence[ShelfFile], noun: str) -> ShelfFile:
    """Return the file of this name."""
    for shelved in known:
        if shelved.name == name:
            return shelved
    names = ", ".join(shelved.name for shelved in known) or "none"
    raise NotFound(f"no {noun} is called {name[:_LONGEST]!r}; the known ones are {names}")


def nearest(public: PublicState, known: Sequence[ShelfFile]) -> ShelfFile | None:
    """Return the strategy for a hand's deck whose stack is nearest in proportion; None if none has the deck."""
    depth = _depth(public)
    same_deck = [shelved for shelved in known if shelved.deck == public.variant.deck.name]
    return min(same_deck, key=lambda shelved: abs(log(shelved.blinds / depth)), default=None)


def why_unfit(shelved: ShelfFile | None, public: PublicState, noun: str) -> str:
    """Return why a strategy cannot play a hand; "" if it can."""
    variant = public.variant
    if public.player_count != 2:
        return f"{public.player_count} players were dealt in; a {noun} is for two"
    if shelved is None or shelved.deck != variant.deck.name:
        return f"there is no {noun} for the {variant.deck.name} deck"
    small, big = (*variant.blinds, 0, 0)[:2]
    same = no_limit(small, big, deck=variant.deck.name, name=variant.name) if 0 < 2 * small == big else None
    if variant != same:
        return f"a {noun} is for no-limit hold'em with a small blind of half the big blind and no ante"
    depth = _depth(public)
    if not 1 / _FURTHEST <= depth / shelved.blinds <= _FURTHEST:
        return f"the stack is {depth:g} big blinds; the {noun} is for {shelved.blinds:g}"
    return ""


def _depth(public: PublicState) -> float:
    """Return the smaller of the two largest stacks at the start of a hand, in big blinds."""
    stacks = sorted(sum(chips) for chips in zip(public.stacks, public.paid, public.dead, strict=True))
    return stacks[-2] / public.variant.big_blind
