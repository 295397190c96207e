"""A blueprint as bytes: see `riverboat.packing`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.blueprint import Blueprint
from riverboat.blueprint.game import AbstractGame
from riverboat.blueprint.groups import Grouping
from riverboat.cards import DECKS
from riverboat.errors import InvalidInput
from riverboat.packing import pack, unpack
from riverboat.rules.bet_sizes import parse_bet_sizes

MAGIC = b"RIVERBOAT BLUEPRINT 1\n"
NOUN = "blueprint"
_BYTE = 256


def write_blueprint(blueprint: Blueprint) -> bytes:
    """Return a blueprint as bytes."""
    grouping = blueprint.grouping
    arrays: dict[str, NDArray[Any]] = {"weights": blueprint.weights, "flops": _narrow(grouping.flops)}
    arrays |= {f"centres{street}": centres for street, centres in enumerate(grouping.centres)}
    return pack(MAGIC, game_entries(blueprint.game), arrays)


def read_blueprint(data: bytes) -> Blueprint:
    """Return the blueprint of a file; raise InvalidInput if the file is damaged or not a blueprint."""
    entries, arrays = unpack(MAGIC, NOUN, data)
    try:
        game = game_of(entries)
        centres = tuple(arrays[f"centres{street}"] for street in range(len(game.group_counts)))
        flops = arrays["flops"].astype(np.uint16)
        flops[arrays["flops"] == np.iinfo(arrays["flops"].dtype).max] = np.iinfo(np.uint16).max
        return Blueprint(game, Grouping(DECKS[game.deck], centres, flops), arrays["weights"])
    except KeyError as error:
        raise InvalidInput("", f"the blueprint lacks {error}") from None
    except InvalidInput as error:
        raise InvalidInput("", f"the blueprint's parts do not fit together: {error}") from None


def game_entries(game: AbstractGame) -> dict[str, Any]:
    """Return a game as JSON values."""
    return {
        "deck": game.deck,
        "stack": game.stack,
        "sizes": str(game.sizes),
        "raise_cap": game.raise_cap,
        "group_counts": list(game.group_counts),
    }


def game_of(entries: dict[str, Any]) -> AbstractGame:
    """Return the game that JSON describes."""
    try:
        return AbstractGame(
            deck=entries["deck"],
            stack=int(entries["stack"]),
            sizes=parse_bet_sizes(entries["sizes"]),
            raise_cap=int(entries["raise_cap"]),
            group_counts=tuple(int(count) for count in entries["group_counts"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput("game", f"cannot be read: {error!r}") from None


def _narrow(groups: NDArray[np.uint16]) -> NDArray[Any]:
    """Return groups in one byte each if they fit; the largest number then stands for NOBODY, as with two bytes."""
    nobody = np.iinfo(np.uint16).max
    if groups.size and groups[groups != nobody].max(initial=0) >= _BYTE - 1:
        return groups
    return np.where(groups == nobody, _BYTE - 1, groups).astype(np.uint8)
