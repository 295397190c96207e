"""Plans of training runs, and how they are cut into jobs: one at a time, by number, never all in memory."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from riverboat.errors import InvalidInput, in_field
from riverboat.situations.situation import find_deck, find_street
from riverboat.training.jobs import EXACT, MOST_IN_A_JOB, Job, check_leaf
from riverboat.training.rounds import RoundsPlan

NETWORK = "network"  # the kind of run that trains a value network
FEWEST_SAMPLES = 100  # one board in ten is for validation: with fewer samples there may be none
MOST_SAMPLES = 100_000_000  # of a run
MOST_JOBS = 1_000_000  # of a run: each is a message, a file and a bit in the ledger
# Samples that take a core some seconds, by deck and street.
_JOB_SIZES = {
    ("24", "river"): 1000, ("24", "turn"): 50, ("24", "flop"): 20, ("24", "preflop"): 500,
    ("36", "river"): 500, ("36", "turn"): 20, ("36", "flop"): 8, ("36", "preflop"): 100,
    ("52", "river"): 250, ("52", "turn"): 10, ("52", "flop"): 4, ("52", "preflop"): 20,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a network is trained."""

    epochs: int = 40
    batch_size: int = 128
    rate: float = 2e-3  # highest learning rate
    patience: int = 12  # epochs without a better validation loss, after which it ends
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
            raise InvalidInput("rate", f"must be above 0 and at most 1, not {self.rate}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """A plan for a network: the number and kind of its samples, and the training on them."""

    deck: str
    street: str
    samples: int
    leaf: str = EXACT
    seed: int = 0  # of the first job; each later job has the next number
    job_size: int = 0  # samples of one job; 0 for as many as take some seconds and fit the limit of jobs
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
        if self.job_count > MOST_JOBS:
            raise InvalidInput(
                "job_size",
                f"{self.samples:,} samples in jobs of {self.job_size:,} are {self.job_count:,} jobs, and the limit is "
                f"{MOST_JOBS:,}: give {_fewest_in_a_job(self.samples):,} or more, or 0 for a size that fits",
            )
        with in_field("seed"):
            if not 0 <= self.seed <= 2**32 - self.job_count:
                raise InvalidInput("", f"must be between 0 and {2**32 - self.job_count:,}, not {self.seed:,}")

    @property
    def samples_in_a_job(self) -> int:
        """How many samples each job has; the last one may have fewer."""
        usual = max(_JOB_SIZES[self.deck, self.street], _fewest_in_a_job(self.samples))
        return min(self.job_size or usual, self.samples)

    @property
    def job_count(self) -> int:
        """How many jobs the plan is cut into."""
        return -(-self.samples // self.samples_in_a_job)

    def job(self, number: int) -> Job:
        """Return one of the jobs, counted from 0."""
        size = self.samples_in_a_job
        return Job(self.deck, self.street, self.seed + number, min(size, self.samples - number * size), self.leaf)

    def jobs(self) -> Iterator[Job]:
        """Yield all jobs, each made when it is asked for."""
        return (self.job(number) for number in range(self.job_count))


RunPlan = TrainingPlan | RoundsPlan  # of a value network, or of a run in rounds


def _fewest_in_a_job(samples: int) -> int:
    """Return the smallest job size that keeps a run within its limit of jobs."""
    return -(-samples // MOST_JOBS)
