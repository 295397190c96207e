"""What can be asked of an oracle, as values: checked questions with everything needed to answer them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.equity.matchup import Matchup


@dataclass(frozen=True, slots=True)
class DealQuestion:
    """Shuffle and deal; without a seed the answerer picks one."""

    deck: Deck
    holding_count: int
    board_size: int
    seed: int | None


@dataclass(frozen=True, slots=True, eq=False)
class EquityQuestion:
    """The equity of a matchup; `exact` None leaves the method to the answerer."""

    matchup: Matchup
    exact: bool | None
    rollout_count: int | None
    target_error: float
    seed: int | None


@dataclass(frozen=True, slots=True)
class StudQuestion:
    """The utility of five-card stud from four visible cards of each player."""

    deck: Deck
    mine: Sequence[int]
    theirs: Sequence[int]


@dataclass(frozen=True, slots=True, eq=False)
class BoardQuestion:
    """The utility of a board: of all holdings, or of some against others."""

    deck: Deck
    board: Sequence[int]
    rows: NDArray[np.int32] | None = None
    columns: NDArray[np.int32] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class BoardsQuestion:
    """The boards that can follow a board."""

    deck: Deck
    board: Sequence[int]
    deal_count: int
    weights: NDArray[np.float32]  # [ranges, H]: what exchanges of suits must leave as it is
    keep_all: bool
    sampled: int | None
    seed: int


@dataclass(frozen=True, slots=True)
class CheatSheetQuestion:
    """A cheat sheet against each of some numbers of opponents."""

    deck: Deck
    board: Sequence[int]
    opponent_counts: Sequence[int]
    rollout_count: int
    exact_heads_up: bool
    seed: int | None
