"""What a resolver answers, as values."""

from dataclasses import dataclass
from enum import StrEnum

from riverboat.solving.subgame import F64


class Scope(StrEnum):
    """What exploitability was measured in."""

    WHOLE = "whole"  # to the end of the hand, on all boards
    ABOVE_CUT = "above_cut"  # with values below the cut held fixed
    BEYOND_VALUES = "beyond_values"  # what the opponent wins beyond the values that it was given
    BEYOND_VALUES_ABOVE_CUT = "beyond_values_above_cut"


def scope_of(leaf: str, is_safe: bool = False) -> Scope:
    """The scope of a solution with something below a cut, or nothing; with the opponent's values given, or not."""
    if is_safe:
        return Scope.BEYOND_VALUES_ABOVE_CUT if leaf else Scope.BEYOND_VALUES
    return Scope.ABOVE_CUT if leaf else Scope.WHOLE


@dataclass(frozen=True, slots=True)
class Cost:
    """What solving took so far."""

    iterations: int
    exploitability: float  # chips, in `scope`
    solving_seconds: float
    total_seconds: float
    line_count: int
    board_count: int
    byte_count: int
    is_partial: bool
    leaf: str = ""  # what lay below the cut, if there is one
    scope: Scope = Scope.WHOLE


@dataclass(frozen=True, slots=True, eq=False)
class Resolved:
    """What to do, and what both players know afterwards."""

    action: int
    actions: tuple[int, ...]
    strategy: F64  # [A, H]
    own_range: F64  # [H], after the action
    opponent_range: F64 | None  # [H]
    values: F64  # [2, H], each over the other's range made to add up to one
    opponent_values: F64  # [H], after the action, over the own range made to add up to one
    cost: Cost
    replies: tuple[int, ...]  # what the opponent can do next, if it acts next
    reply_strategy: F64  # [B, H]


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """How solving goes; in the end a handle, and what the spot is worth."""

    cost: Cost
    handle: str = ""
    evs: tuple[float, ...] = ()
    expires_seconds: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class NodeAnswer:
    """One node of a solution."""

    player: int  # -1 if nobody acts
    actions: tuple[int, ...]
    strategy: F64  # [A, H]
    evs: F64  # [2, H]
    action_evs: F64  # [A, H]
    reach: F64  # [2, H]
    equity: F64  # [2, H]: share of the pot if nobody bets any more; NaN where impossible
    pot: int
    board: str
    deals: tuple[str, ...]
    state: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """A solution that was saved, and what was asked for then."""

    solved: Solved
    source: bytes


@dataclass(frozen=True, slots=True)
class NetworkAnswer:
    """A value network that a resolver has."""

    name: str
    deck: str
    street: str  # at whose start it knows values
    hash: str
    samples: int
    train_loss: float  # Huber, in pots, as its file claims
    held_out_loss: float
    file: str
    yardstick: str = ""  # what it was scored on; empty if there is nothing for its deck and street
    huber: float | None = None  # its scores there, in pots
    error: float | None = None  # mean absolute error
    reason: str = ""  # why it is used by name only; empty if it is used by default


@dataclass(frozen=True, slots=True)
class NetworkAnswers:
    """All value networks of a resolver."""

    used: list[NetworkAnswer]  # by default: at most one for a deck and street
    by_name: list[NetworkAnswer]
    refused: list[tuple[str, str]]  # files and reasons
