"""What an equity computation says while it runs and when it is done."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Equity:
    """How often the hero wins and ties, and the share of the pot that this is worth."""

    win: float  # probability to win alone
    tie: float  # probability to share the best hand
    equity: float  # expected share of the pot: wins, plus 1/k of each k-way tie
    error: float  # standard error of `equity`; 0 if exact
    deal_count: int  # deals enumerated or rolled out
    exact: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a long computation: how much is done, and the result so far if there is one."""

    done: float  # 0..1; the last step has 1
    equity: Equity | None
