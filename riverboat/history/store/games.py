"""The games of stored hands: variants for a number of players, written as the header of a PHH file."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.history.phh import read_game, write_game
from riverboat.rules.variant import Variant, rules_array

I64 = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A variant for a number of players, and the decimals of its amounts: a chip is 10 ** -decimals of the unit."""

    variant: Variant
    player_count: int
    decimals: int

    @property
    def rules(self) -> I64:
        """The rules as kernels read them."""
        return rules_array(self.variant, self.player_count)

    @property
    def unit(self) -> float:
        """The worth of a chip in the file's unit."""
        return float(10.0**-self.decimals)

    def as_dict(self) -> dict[str, object]:
        """Return the game for JSON."""
        header = write_game(self.variant, self.player_count, self.decimals)
        return {"players": self.player_count, "decimals": self.decimals, "phh": header}


def game_of_dict(document: object) -> StoredGame:
    """Return the game that `as_dict` wrote."""
    match document:
        case {"players": int(players), "decimals": int(decimals), "phh": str(header)}:
            return _game(header, players, decimals)
    raise InvalidInput("games", "a game has players, decimals and a PHH header")


@lru_cache(maxsize=4096)
def _game(header: str, players: int, decimals: int) -> StoredGame:
    game = StoredGame(read_game(header, players, decimals), players, decimals)
    rules_array(game.variant, players)  # raises if the numbers do not fit
    return game
