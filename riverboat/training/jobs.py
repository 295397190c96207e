"""Jobs: pieces of a run that take a worker some seconds.

They have a module of their own because samples are bound to the code that jobs import: plans may change, jobs may not.
"""

from dataclasses import dataclass
from itertools import pairwise

from riverboat.errors import InvalidInput
from riverboat.situations.situation import find_deck, find_street
from riverboat.streets import FLOP, RIVER, STREET_NUMBERS, STREETS, TURN, is_cut

EXACT = "exact"  # labels without an estimate
STREET_AFTER = dict(pairwise(STREETS))  # the street whose network can supply the labels of each street
MOST_IN_A_JOB = 10_000  # samples
_EXAMPLES = {FLOP: "24-flop-8b0076e8", TURN: "24-turn-96ef5c20"}  # names of networks, for refusals


@dataclass(frozen=True, slots=True)
class Job:
    """Situations to sample and solve. `leaf` is "exact", or the name of the network that supplies their labels."""

    deck: str
    street: str
    seed: int
    count: int
    leaf: str = EXACT

    def __post_init__(self) -> None:
        find_deck(self.deck)
        find_street(self.street)
        if not 1 <= self.count <= MOST_IN_A_JOB:
            raise InvalidInput("count", f"must be between 1 and {MOST_IN_A_JOB:,}, not {self.count:,}")
        if not 0 <= self.seed < 2**32:
            raise InvalidInput("seed", f"must be between 0 and {2**32 - 1:,}, not {self.seed:,}")
        check_leaf(self.street, self.leaf)

    @property
    def name(self) -> str:
        """The name of the job's shard; equal jobs have the same name."""
        return f"{self.deck}-{self.street}-{self.leaf}-{self.seed:010d}-{self.count}"


def samples_in(name: str) -> int:
    """Return the sample count of a job, which the name of its shard ends with."""
    return int(name.rpartition("-")[2])


def check_leaf(street: str, leaf: str) -> None:
    """Raise InvalidInput unless `leaf` can supply the labels of a street."""
    if leaf == EXACT and is_cut(len(STREETS) - 1 - STREET_NUMBERS[street]):
        after = STREET_AFTER[street]
        raise InvalidInput("leaf", f"a {street} network needs a {after} network; name one, like {_EXAMPLES[after]}")
    if leaf != EXACT and street == RIVER:
        raise InvalidInput("leaf", "nothing follows the river: its labels are exact")
    if not leaf or len(leaf) > 60 or not leaf.replace("-", "").isalnum():
        raise InvalidInput("leaf", f'must be "{EXACT}" or the name of a network, not {leaf[:30]!r}')
