"""The inputs of a solver: the betting (`Tree`), and cards with their utilities (`Terminals`).

A resolver fills both over gRPC, from a state manager and an oracle. Data-generation workers and the arena fill them in
their own process (`riverboat/spots`). Either way, the same spot becomes the same subgame, byte for byte.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from riverboat.solving.subgame import F32, I32, I64, Boards, Lines


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Betting:
    """The betting ahead: L lines, and the chips on each."""

    lines: Lines
    paid: I64  # [L, 2]: chips of each player in the pot
    pot: I64  # [L]: with dead chips, which are nobody's
    board_size: int  # cards of a complete board

    def share(self, line: int, player: int) -> float:
        """Return a player's chips back if nobody wins: those it paid, and half of the dead chips."""
        return float(self.paid[line, player] + (self.pot[line] - self.paid[line].sum()) / 2)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DealtBoards:
    """The boards ahead: K boards over H holdings."""

    boards: Boards
    cards: tuple[str, ...]  # of each board, as `Terminals` knows them; a solver only hands them back
    sizes: I32  # [K]: cards on each board
    items: NDArray[np.uint8]  # [H, 1 or 2]: the items that each holding is made of


class Tree(Protocol):
    """The betting that lies ahead of a spot."""

    def betting(self) -> Betting:
        """Return all lines from the spot on, cut where the spot says so."""


class Terminals(Protocol):
    """A deck: the boards that can follow a board, and the utilities of holdings on them."""

    def deal(self, board: str, deal_count: int, weights: F32) -> DealtBoards:
        """Return the boards after up to `deal_count` more deals, this one first.

        Boards that differ only by an exchange of suits are merged, unless it changes a row of weights [n, H].
        """

    def strengths(self, boards: Sequence[str]) -> NDArray[np.uint16]:
        """Return the strengths of all holdings on complete boards [n, H]; larger wins."""

    def utility(self, board: str, rows: I32, columns: I32) -> F32:
        """Return the mean winnings of holdings against others over all run-outs, per chip at stake [rows, columns].

        It is 0 where two holdings exclude each other.
        """
