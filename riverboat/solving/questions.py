"""What can be asked of a resolver, as values. States are opaque: whoever knows the rules reads them."""

import re
from dataclasses import dataclass

from riverboat.solving.cfr import Algorithm
from riverboat.solving.solve import Limits
from riverboat.solving.subgame import F32, I64, Lines

Action = int  # -1 fold, 0 call, otherwise what is raised to
Step = Action | str  # an action, or the cards that are dealt
EQUITY, NETWORK = "equity", "network"  # how what lies below a cut may be estimated
_NETWORK_NAME = re.compile(r"[0-9a-z]{1,20}-[a-z]{1,20}-[0-9a-f]{8}")


def is_network_name(text: str) -> bool:
    """Whether a text can be the name of a network: a deck, a street and eight digits of a hash."""
    return _NETWORK_NAME.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class SpotQuestion:
    """What is ahead."""

    state: bytes
    deck: str
    board: str
    pot: int
    actor: int
    bet_sizes: str
    depth: tuple[int, int] | None  # street and level
    sampled: int | None  # boards that an iteration goes through after each board
    seed: int  # of samples
    leaf: str = ""  # how what lies below a cut is estimated: EQUITY, NETWORK, a network's name, or by what there is
    street: int = 0  # that the state is on
    streets_left: int = 0  # after it
    next_cards: int = 0  # on the board after the next deal
    total: int = 0  # chips that can be won with those in the pot; 0 where bets are limited, which no network knows


@dataclass(frozen=True, slots=True, eq=False)
class LineTree:
    """The betting ahead, as whoever knows the rules has it."""

    lines: Lines
    paid: I64  # [L, 2]: chips of each player in the pot
    pot: I64  # [L]: with dead chips, which are nobody's
    board_size: int  # cards of a whole board

    def share(self, line: int, player: int) -> float:
        """What a player gets back if nobody wins anything: what it paid, and half of what is nobody's."""
        return float(self.paid[line, player] + (self.pot[line] - self.paid[line].sum()) / 2)


@dataclass(frozen=True, slots=True, eq=False)
class ResolveQuestion:
    """What to do."""

    spot: SpotQuestion
    own_range: F32  # [H]
    opponent_range: F32 | None  # one of these, or both
    opponent_values: F32 | None
    algorithm: Algorithm
    limits: Limits
    seed: int
    holding: int | None
    path: tuple[Step, ...]  # what has happened since, if that is known


@dataclass(frozen=True, slots=True, eq=False)
class LockQuestion:
    """A node whose strategy is fixed."""

    path: tuple[Step, ...]
    strategy: F32  # [A * H]


@dataclass(frozen=True, slots=True, eq=False)
class SolveQuestion:
    """A spot to study."""

    spot: SpotQuestion
    ranges: F32  # [2 * H]
    algorithm: Algorithm
    limits: Limits
    locks: tuple[LockQuestion, ...]
    short_storage: bool
    source: bytes  # the request as it came, without its budget


@dataclass(frozen=True, slots=True)
class GoOnQuestion:
    """A solution to go on with."""

    handle: str
    limits: Limits
