"""Checkpoints of self-play as bytes: regrets and sums after an epoch, the groups, and the progress."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.file_format import MAGIC, NOUN, game_entries
from riverboat.blueprint.game import AbstractGame
from riverboat.blueprint.groups import Grouping
from riverboat.blueprint.self_play import SelfPlay
from riverboat.errors import InvalidInput
from riverboat.packing import pack, unpack

F32 = NDArray[np.float32]
_FAST = 1  # compression


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SavedPlay:
    """The state of self-play after an epoch."""

    game: AbstractGame
    grouping: Grouping
    regrets: F32  # [E]
    sums: F32  # [E]
    epochs: int
    seconds: float  # of self-play so far

    @classmethod
    def first(cls, game: AbstractGame, grouping: Grouping) -> "SavedPlay":
        """Return the state before the first epoch."""
        nothing = np.zeros(game.entry_count, np.float32)
        return cls(game=game, grouping=grouping, regrets=nothing, sums=nothing, epochs=0, seconds=0.0)

    @classmethod
    def of(cls, play: SelfPlay, grouping: Grouping, seconds: float) -> "SavedPlay":
        """Return the state that self-play has now."""
        memory = play.memory
        return cls(
            game=play.game,
            grouping=grouping,
            regrets=memory.regrets,
            sums=memory.sums,
            epochs=play.epochs,
            seconds=seconds,
        )

    def restore(self, play: SelfPlay) -> None:
        """Set self-play to this state."""
        play.memory.regrets[:] = self.regrets
        play.memory.sums[:] = self.sums
        play.epochs = self.epochs


def write_checkpoint(saved: SavedPlay) -> bytes:
    """Return a checkpoint as bytes."""
    entries: dict[str, Any] = {
        **game_entries(saved.game),
        "epochs": saved.epochs,
        "seconds": saved.seconds,
    }
    arrays: dict[str, NDArray[Any]] = {"regrets": saved.regrets, "sums": saved.sums, "flops": saved.grouping.flops}
    arrays |= {f"centres{street}": centres for street, centres in enumerate(saved.grouping.centres)}
    return pack(MAGIC, entries, arrays, _FAST)


def read_checkpoint(data: bytes, game: AbstractGame) -> SavedPlay:
    """Return the checkpoint in bytes; InvalidInput if it is damaged or of another game."""
    entries, arrays = unpack(MAGIC, NOUN, data)
    if {name: entries.get(name) for name in game_entries(game)} != game_entries(game):
        raise InvalidInput("checkpoint", "it is of another game: with other cards, stacks, sizes or groups")
    try:
        centres = tuple(arrays[f"centres{street}"] for street in range(len(game.group_counts)))
        return SavedPlay(
            game=game,
            grouping=Grouping(game.variant.deck, centres, arrays["flops"]),
            regrets=arrays["regrets"],
            sums=arrays["sums"],
            epochs=int(entries["epochs"]),
            seconds=float(entries["seconds"]),
        )
    except (KeyError, ValueError, TypeError) as error:
        raise InvalidInput("checkpoint", f"it cannot be read: {error!r}") from None
