"""Questions to a resolver and its answers, as values."""

import re
from dataclasses import dataclass
from enum import StrEnum

from riverboat.contracts.state_manager import DescribedState
from riverboat.solving.cfr import Algorithm
from riverboat.solving.loop import Limits
from riverboat.solving.subgame import F32, F64

Action = int  # -1 to fold, 0 to call, otherwise the chips to raise to
Step = Action | str  # an action, or the cards that are dealt
EQUITY, NETWORK = "equity", "network"  # estimates of what lies below a cut
_NETWORK_NAME = re.compile(r"[0-9a-z]{1,20}-[a-z]{1,20}-[0-9a-f]{8}")


def is_network_name(text: str) -> bool:
    """Return whether a text can be the name of a network: a deck, a street and eight digits of a hash."""
    return _NETWORK_NAME.fullmatch(text) is not None


# Questions


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotQuestion:
    """A state of two players, one of them to act, and the tree to solve from there."""

    state: DescribedState
    bet_sizes: str
    depth: tuple[int, int] | None = None  # street and level of the cut
    sampled: int | None = None  # boards that an iteration visits after each board; None for all
    seed: int = 0  # of samples
    leaf: str = ""  # estimate below a cut: EQUITY, NETWORK, a network's name, or empty for the default


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ResolveQuestion:
    """A request to re-solve a spot."""

    spot: SpotQuestion
    own_range: F32  # [H]
    opponent_range: F32 | None = None  # at least one of these two
    opponent_values: F32 | None = None
    algorithm: Algorithm
    limits: Limits
    seed: int = 0
    holding: int | None = None
    path: tuple[Step, ...] = ()  # actions and deals since the spot's state, as far as they are known


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LockQuestion:
    """A node whose strategy is fixed."""

    path: tuple[Step, ...]
    strategy: F32  # [A * H]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SolveQuestion:
    """A spot to study."""

    spot: SpotQuestion
    ranges: F32  # [2 * H]
    algorithm: Algorithm
    limits: Limits
    locks: tuple[LockQuestion, ...] = ()
    short_storage: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinueQuestion:
    """A solution to solve further."""

    handle: str
    limits: Limits


# Answers


class Scope(StrEnum):
    """The game in which exploitability was measured."""

    WHOLE = "whole"  # to the end of the hand, on all boards
    ABOVE_CUT = "above_cut"  # with values below the cut held fixed
    BEYOND_VALUES = "beyond_values"  # the opponent's winnings beyond the values that it was given
    BEYOND_VALUES_ABOVE_CUT = "beyond_values_above_cut"


def scope_of(leaf: str, is_safe: bool = False) -> Scope:
    """Return the scope of a solution: with or without a cut, with or without the opponent's values given."""
    if is_safe:
        return Scope.BEYOND_VALUES_ABOVE_CUT if leaf else Scope.BEYOND_VALUES
    return Scope.ABOVE_CUT if leaf else Scope.WHOLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The cost of solving so far."""

    iterations: int
    exploitability: float  # chips, in `scope`
    solving_seconds: float
    total_seconds: float
    line_count: int
    board_count: int
    byte_count: int
    is_partial: bool
    leaf: str = ""  # estimate below the cut; empty without a cut
    scope: Scope = Scope.WHOLE


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Resolved:
    """The result of re-solving: an action, the strategy, and both players' ranges and values."""

    action: Action
    actions: tuple[Action, ...]
    strategy: F64  # [A, H]
    own_range: F64  # [H], after the action
    opponent_range: F64 | None  # [H]
    values: F64  # [2, H], each over the other's normalised range
    opponent_values: F64  # [H], after the action, over the actor's normalised range
    cost: Cost
    replies: tuple[Action, ...]  # the next actions, if somebody acts next on this board
    reply_strategy: F64  # [B, H]
    opponent_reach: F64 | None = None  # [H], at the root; None from a resolver that does not say
    actor_values: F64 | None = None  # [H], like `opponent_values`; None from a resolver that does not say


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Solved:
    """Progress of solving; the last message has a handle and each player's expected value."""

    cost: Cost
    handle: str = ""
    evs: tuple[float, ...] = ()  # chips, by player
    expires_seconds: int = 0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NodeAnswer:
    """One node of a solution."""

    player: int  # -1 if nobody acts
    actions: tuple[Action, ...]
    strategy: F64  # [A, H]
    evs: F64  # [2, H]
    action_evs: F64  # [A, H]
    reach: F64  # [2, H]
    equity: F64  # [2, H]: share of the pot without further bets; NaN where impossible
    pot: int
    board: str
    deals: tuple[str, ...]
    state: DescribedState | None = None  # None for a node that came with others


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NumberedNode:
    """A node that comes with others: its place in breadth-first order, and how to get there from its parent."""

    index: int  # 0 for the root
    parent: int  # index; -1 for the root
    step: Step | None  # from the parent; None for the root
    node_count: int  # nodes that come in all
    answer: NodeAnswer


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Loaded:
    """A solution that was saved, and the question that it answers."""

    solved: Solved
    question: SolveQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkAnswer:
    """A value network that a resolver has."""

    name: str
    deck: str
    street: str  # at whose start it evaluates holdings
    hash: str
    samples: int
    train_loss: float  # Huber, in pots, as its file claims
    held_out_loss: float
    file: str
    yardstick: str = ""  # that it was scored on; empty if there is none for its deck and street
    huber: float | None = None  # loss on the yardstick, in pots
    error: float | None = None  # mean absolute error there, in pots
    reason: str = ""  # why it is used by name only; empty if it is used by default


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkAnswers:
    """All value networks of a resolver."""

    used: tuple[NetworkAnswer, ...]  # by default: at most one for a deck and street
    by_name: tuple[NetworkAnswer, ...]
    refused: tuple[tuple[str, str], ...]  # files and reasons
