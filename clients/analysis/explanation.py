"""An explanation of one decision: what each action is worth, both ranges, and how the holding compares."""

from dataclasses import dataclass

from riverboat.clients.analysis.comparison import Comparison
from riverboat.contracts.resolver import Scope
from riverboat.rules.state import PublicState
from riverboat.solving.subgame import F64

_SLACK = 1e-2  # of the pot: values of single holdings are less certain than their average


@dataclass(frozen=True, slots=True)
class Response:
    """The opponent's answers to a raise."""

    folds: float  # share of its range that folds
    better_folds: float  # share of the folding holdings that are ahead of this one
    beaten_stays: float  # share of the other holdings that this one is ahead of


@dataclass(frozen=True, slots=True)
class Choice:
    """One action, for the holding that is held."""

    action: int
    frequency: float
    range_frequency: float  # over the whole range
    ev: float  # chips, counted from here on as a share of what will be in the pot; folding is 0
    loss: float  # chips less than the best action
    response: Response | None  # to a raise


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Explanation:
    """One decision of one holding, with everything that speaks for and against each action."""

    public: PublicState
    seat: int
    holding: tuple[int, ...]
    taken: int | None  # the action that was played, if that is known
    choices: tuple[Choice, ...]  # fold, call, raises in ascending order
    ranges: F64  # [2, H] by seat, each up to one
    equity: float  # share of the pot without further bets
    comparison: Comparison
    exploitability: float  # chips, in `scope`
    scope: Scope = Scope.WHOLE
    leaf: str = ""  # what lay below the cut: "equity", the name of a network, or nothing
    read_count: int = 0  # the opponent's actions after the flop, from which its range was guessed by reading them
    resolved_count: int = 0  # the opponent's actions before the flop, by re-solving
    solved_count: int = 0  # the opponent's actions on this street, by its solution

    @property
    def best(self) -> Choice:
        """The choice that is worth most."""
        return max(self.choices, key=lambda choice: choice.ev)

    @property
    def slack(self) -> float:
        """The difference in chips up to which two values count as equal."""
        return max(self.exploitability, _SLACK * self.public.pot)

    @property
    def is_estimate(self) -> bool:
        """Whether what follows the next deal was estimated."""
        return bool(self.leaf)

    def choice(self, action: int) -> Choice:
        """Return the choice that is this action."""
        return next(choice for choice in self.choices if choice.action == action)
