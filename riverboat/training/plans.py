"""Plans of training runs, and the jobs that they are cut into."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from riverboat.errors import InvalidInput, in_field
from riverboat.situations.situation import find_deck, find_street

VERSION = 1  # of what jobs mean; another for other situations or other trees
EXACT = "exact"  # labels without an estimate
STREET_AFTER = {"preflop": "flop", "flop": "turn", "turn": "river"}  # whose network labels may come through
FEWEST_SAMPLES = 100  # one board in ten is held out: with fewer there may be none to judge by
MOST_SAMPLES = 100_000_000  # of a run
MOST_IN_A_JOB = 10_000
# Samples that take a core some seconds, by deck and street.
_JOB_SIZES = {
    ("24", "river"): 1000, ("24", "turn"): 50, ("24", "flop"): 20, ("24", "preflop"): 500,
    ("36", "river"): 500, ("36", "turn"): 20, ("36", "flop"): 8, ("36", "preflop"): 100,
    ("52", "river"): 250, ("52", "turn"): 10, ("52", "flop"): 4, ("52", "preflop"): 20,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker does in some seconds. `leaf` is "exact", or the name of the network that labels come through."""

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
        """The name of its shard: the same job, the same name."""
        return f"{self.deck}-{self.street}-{self.leaf}-v{VERSION}-{self.seed:010d}-{self.count}"


def samples_in(name: str) -> int:
    """The samples of a job, which the name of its shard ends with."""
    return int(name.rpartition("-")[2])


def check_leaf(street: str, leaf: str) -> None:
    """Raise InvalidInput unless labels of a street can come through this."""
    if leaf == EXACT and street == "preflop":
        raise InvalidInput("leaf", "before the flop labels come through a network for the flop: say which")
    if leaf == EXACT and street == "flop":
        raise InvalidInput("leaf", "on the flop labels come through a network for the turn: say which")
    if leaf != EXACT and street == "river":
        raise InvalidInput("leaf", "nothing follows the river: its labels are exact")
    if not leaf or len(leaf) > 60 or not leaf.replace("-", "").isalnum():
        raise InvalidInput("leaf", f'must be "{EXACT}" or the name of a network, not {leaf[:30]!r}')


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a network is trained."""

    epochs: int = 40
    batch_size: int = 128
    rate: float = 2e-3  # of learning, at its highest
    patience: int = 12  # epochs without a better loss on what is held out, after which it ends
    seed: int = 1
    width: int = 256  # of the network's layers
    depth: int = 2  # its blocks

    def __post_init__(self) -> None:
        for name, most in (
            ("epochs", 10_000),
            ("batch_size", 10_000),
            ("patience", 10_000),
            ("width", 4096),
            ("depth", 50),
        ):
            if not 1 <= getattr(self, name) <= most:
                raise InvalidInput(name, f"must be between 1 and {most:,}, not {getattr(self, name)}")
        if not 0 < self.rate <= 1:
            raise InvalidInput("rate", f"must be above 0, up to 1, not {self.rate}")


@dataclass(frozen=True, slots=True)
class Plan:
    """A network to be made: how many samples of what, and how it is trained on them."""

    deck: str
    street: str
    samples: int
    leaf: str = EXACT
    seed: int = 0  # of the first job; each has the next one
    job_size: int = 0  # samples of one job; 0 for what takes some seconds
    recipe: Recipe = field(default_factory=Recipe)

    def __post_init__(self) -> None:
        find_deck(self.deck)
        find_street(self.street)
        check_leaf(self.street, self.leaf)
        if not FEWEST_SAMPLES <= self.samples <= MOST_SAMPLES:
            limits = f"between {FEWEST_SAMPLES} and {MOST_SAMPLES:,}"
            raise InvalidInput("samples", f"must be {limits}, not {self.samples:,}")
        if not 0 <= self.job_size <= MOST_IN_A_JOB:
            raise InvalidInput("job_size", f"must be between 0 and {MOST_IN_A_JOB:,}, not {self.job_size:,}")
        with in_field("seed"):
            if not 0 <= self.seed <= 2**32 - self.job_count:
                raise InvalidInput("", f"must be between 0 and {2**32 - self.job_count:,}, not {self.seed:,}")

    @property
    def samples_in_a_job(self) -> int:
        """How many samples each job has; the last one may have fewer."""
        return min(self.job_size or _JOB_SIZES[self.deck, self.street], self.samples)

    @property
    def job_count(self) -> int:
        """How many jobs it is cut into."""
        return -(-self.samples // self.samples_in_a_job)

    def job(self, number: int) -> Job:
        """One of its jobs, from 0."""
        size = self.samples_in_a_job
        return Job(self.deck, self.street, self.seed + number, min(size, self.samples - number * size), self.leaf)

    def jobs(self) -> Iterator[Job]:
        """All of them."""
        return (self.job(number) for number in range(self.job_count))
